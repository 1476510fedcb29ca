import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultyTcp } from '../support/network/faulty-tcp.ts'
import { clientByKubeconfig } from './client-of.ts'
import { amountsTo, change, following, recordingLog } from './expired-history.ts'

const patienceMs = 240_000
const namespace = 'default'

it('a list after expired history is reported as the resulting changes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-expired-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const first = await startTestServer({ directory })
  const network = await startFaultyTcp(first.port)
  onTestFinished(() => network.remove())
  const reasons: string[] = []
  const options = { port: network.port, log: recordingLog(reasons), watchSeconds: 1 }
  const client = await clientByKubeconfig(first.kubeconfig(), options)
  const writer = await clientByKubeconfig(first.kubeconfig())
  onTestFinished(async () => {
    await Promise.all([client.close(), writer.close()])
  })
  const replica = await following(client, namespace)
  await network.set({ kind: 'cut' })
  await change(writer, namespace)
  await first.stop()
  const store = await openLmdbStore({ directory: join(directory, 'store') })
  await store.compact(await store.currentRevision())
  await store.close()
  const second = await startTestServer({ directory, port: first.port })
  onTestFinished(() => second.stop())
  await network.set({ kind: 'fine' })
  await eventually(() => expect([...replica.changes].sort()).toEqual(amountsTo), patienceMs)
  expect(reasons.join()).toContain('too old resource version')
  expect(replica.complaints).toEqual([])
})
