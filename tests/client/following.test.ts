import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Informer, KubeClient } from '../../src/client/contract.ts'
import type { RunningCluster } from '../support/clusters/running-cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultyTcp, startFaultyTcp } from '../support/network/faulty-tcp.ts'
import { clientOf, configMap, configMaps, newNamespace } from './client-of.ts'
import { amountsTo, change, following, recordingLog } from './expired-history.ts'
import { Replica, versionsOnServer } from './replica.ts'
import { describeEachOwnServer } from './servers.ts'

const patienceMs = 240_000
const [objects, writers] = [300, 30]
const limits = { connectTimeoutMs: 1_000, answerTimeoutMs: 2_000 }

describeEachOwnServer((start, flavor) => {
  let server: RunningCluster
  let writer: KubeClient
  let count = 0
  let network: FaultyTcp
  let client: KubeClient
  let namespace: string
  let informer: Informer
  let replica: Replica

  beforeAll(async () => {
    server = await start()
    writer = await clientOf(server)
  })

  afterAll(async () => {
    await writer?.close()
    await server?.remove()
  })

  beforeEach(async () => {
    count++
    namespace = await newNamespace(writer, `following-${count}`)
    network = await startFaultyTcp(server.port)
    client = await clientOf(server, { port: network.port, watchSeconds: 1, limits })
    informer = client.informer(configMaps, { namespace })
    await informer.whenSynced()
    replica = new Replica(informer)
  })

  afterEach(async () => {
    await client.close()
    await network.remove()
  })

  const sameAsServer = () =>
    eventually(async () => {
      const versions = await versionsOnServer(writer, configMaps, namespace)
      expect(replica.versions()).toEqual(versions)
      expect(replica.complaints).toEqual([])
      expect(informer.size).toBe(versions.length)
      expect(informer.trouble).toBeUndefined()
    }, patienceMs)

  const life = async (index: number) => {
    const created = await writer.create(configMaps, configMap(namespace, `one-${index}`, { state: 'new' }))
    await writer.update(configMaps, { ...created, data: { state: 'old' } })
    if (index % 3 === 0) await writer.delete(configMaps, { namespace, name: `one-${index}` })
  }

  it('misses none of many objects written at once while connections drop', async () => {
    let isWriting = true
    const drops = (async () => {
      while (isWriting) {
        await delay(60)
        network.drop()
      }
    })()
    // More at once would wait for their turn, and a busy server refuses those that wait for long.
    const writeNext = async (first: number) => {
      for (let index = first; index < objects; index += writers) await life(index)
    }
    await Promise.all(Array.from({ length: writers }, (_, first) => writeNext(first)))
    isWriting = false
    await drops
    await sameAsServer()
    expect(replica.objects.size).toBeGreaterThanOrEqual(Math.floor((objects * 2) / 3))
  })

  it('continues after a network outage', async () => {
    await life(1)
    await network.set({ kind: 'cut' })
    await Promise.all([life(2), life(3), writer.delete(configMaps, { namespace, name: 'one-1' })])
    await eventually(() => expect(informer.trouble).toContain('cannot reach'), patienceMs)
    await network.set({ kind: 'fine' })
    await sameAsServer()
  })

  it('detects a dead connection without a notification', async () => {
    await life(0)
    await eventually(() => expect(replica.changes).toContain('delete one-0'), patienceMs)
    await network.set({ kind: 'half-open' })
    await life(1)
    await eventually(() => expect(informer.trouble).toContain('fell silent'), patienceMs)
    await network.set({ kind: 'fine' })
    await sameAsServer()
  })

  it('continues after the server was killed during a watch', async () => {
    const doomed = Promise.allSettled(Array.from({ length: 100 }, (_, index) => life(index)))
    await delay(100)
    await server.kill()
    await doomed
    await eventually(() => expect(informer.trouble).toBeDefined(), patienceMs)
    await server.start()
    await Promise.all([life(200), life(201), life(202)])
    await sameAsServer()
    expect(replica.objects.has('one-200')).toBe(true)
  })

  // The embedded server keeps its history.
  it.runIf(flavor === 'kubernetes')('reports a list after expired history as the resulting changes', async () => {
    const reasons: string[] = []
    const other = await clientOf(server, { port: network.port, log: recordingLog(reasons), watchSeconds: 1 })
    onTestFinished(() => other.close())
    const followed = await following(other, namespace)
    await network.set({ kind: 'cut' })
    await change(writer, namespace)
    await server.kill()
    // A new process has no history of the previous one.
    await server.start()
    await network.set({ kind: 'fine' })
    await eventually(() => expect([...followed.changes].sort()).toEqual(amountsTo), patienceMs)
    expect(reasons.join()).toContain('too old resource version')
    expect(followed.complaints).toEqual([])
  })

  it('learns the results of writes before the watch reports them', async () => {
    await network.set({ kind: 'stalled' })
    const created = await writer.create(configMaps, configMap(namespace, 'learned', { state: 'new' }))
    const updated = await writer.update(configMaps, { ...created, data: { state: 'old' } })
    informer.learn(updated)
    expect(informer.get({ namespace, name: 'learned' })?.data).toEqual({ state: 'old' })
    await writer.delete(configMaps, { namespace, name: 'learned' })
    informer.learnGone(updated)
    expect(informer.get({ namespace, name: 'learned' })).toBeUndefined()
    await network.set({ kind: 'fine' })
    await life(1)
    await eventually(
      () => expect(informer.get({ namespace, name: 'one-1' })?.data).toEqual({ state: 'old' }),
      patienceMs,
    )
    expect(replica.changes.filter((change) => change.endsWith('learned'))).toEqual(['add learned', 'delete learned'])
  })
})
