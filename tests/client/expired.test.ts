import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Log, silentLog } from '../../src/base/log.ts'
import type { Informer, KubeClient } from '../../src/client/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { startTestServer } from '../support/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultyTcp } from '../support/faulty-tcp.ts'
import { startKubernetes } from '../support/kubernetes.ts'
import { findKubernetes } from '../support/kubernetes-programs.ts'
import { clientByKubeconfig, clientOf, configMap, configMaps } from './client-of.ts'
import { Replica } from './replica.ts'

const patienceMs = 240_000
const namespace = 'default'
const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

/** Collects the reasons that an informer logs. */
function recordingLog(reasons: string[]): Log {
  return { ...silentLog, warn: (_message, fields) => reasons.push(String(fields?.reason)) }
}

async function following(client: KubeClient): Promise<{ readonly informer: Informer; readonly replica: Replica }> {
  for (const name of ['stays', 'changes', 'goes']) await client.create(configMaps, configMap(namespace, name))
  const informer = client.informer(configMaps, { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' })
  await informer.whenSynced()
  const replica = new Replica(informer)
  replica.changes.length = 0
  return { informer, replica }
}

async function change(client: KubeClient): Promise<void> {
  await client.patch(configMaps, { namespace, name: 'changes' }, { type: 'merge', body: { data: { x: '1' } } })
  await client.delete(configMaps, { namespace, name: 'goes' })
  await client.create(configMaps, configMap(namespace, 'comes'))
}

const amountsTo = ['add comes', 'delete goes', 'update changes']

it('reports a list after expired history as the resulting changes (embedded)', async () => {
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
  const { replica } = await following(client)
  await network.set({ kind: 'cut' })
  await change(writer)
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

const missing = search.outcome === 'missing' ? `: ${search.reason}` : ''

it.skipIf(missing !== '')(`reports the same with kube-apiserver${missing}`, async () => {
  if (search.outcome === 'missing') return
  const server = await startKubernetes(search.programs)
  onTestFinished(() => server.remove())
  const network = await startFaultyTcp(server.port)
  onTestFinished(() => network.remove())
  const reasons: string[] = []
  const client = await clientOf(server, { port: network.port, log: recordingLog(reasons), watchSeconds: 1 })
  const writer = await clientOf(server)
  onTestFinished(async () => {
    await Promise.all([client.close(), writer.close()])
  })
  const { replica } = await following(client)
  await network.set({ kind: 'cut' })
  await change(writer)
  await server.kill()
  // A new process has no history of the previous one.
  await server.start()
  await network.set({ kind: 'fine' })
  await eventually(() => expect([...replica.changes].sort()).toEqual(amountsTo), patienceMs)
  expect(reasons.join()).toContain('too old resource version')
  expect(replica.complaints).toEqual([])
})
