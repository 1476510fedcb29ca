import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Store, type StoreChange, StoreUnavailable } from '../../src/storage/contract.ts'
import { type EtcdStoreOptions, openEtcdStore } from '../../src/storage/etcd/open.ts'
import { atOnceMs } from '../support/at-once.ts'
import { makeCertificates } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { startRelay } from '../support/network/tcp-relay.ts'
import { type Etcd, type EtcdTls, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { enableAuthentication } from '../support/stores/etcd-auth.ts'
import { bytes, failure, text, written } from './helpers.ts'

const missing = missingEtcd()
const prefix = '/network-test'

describe.skipIf(missing !== undefined)(`etcd and the network${missing === undefined ? '' : `: ${missing}`}`, () => {
  let cleanups: (() => Promise<void>)[] = []
  let etcd: Etcd
  beforeEach(async () => {
    etcd = await start()
  })
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
    cleanups = []
  })

  async function start(tls?: EtcdTls): Promise<Etcd> {
    const started = await startEtcd(tls === undefined ? {} : { tls })
    cleanups.push(() => started.remove())
    return started
  }

  async function open(options: Partial<EtcdStoreOptions> = {}): Promise<Store> {
    const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix, timeoutMs: 6_000, ...options })
    cleanups.push(() => store.close())
    return store
  }

  /** Collects the changes of a watch until the end of the test. */
  async function collect(store: Store): Promise<readonly StoreChange[]> {
    const changes: StoreChange[] = []
    const stop = new AbortController()
    const afterRevision = await store.currentRevision()
    const running = (async () => {
      for await (const batch of store.watch('/', { afterRevision, signal: stop.signal })) changes.push(...batch.changes)
    })()
    cleanups.push(async () => {
      stop.abort()
      await running
    })
    return changes
  }

  test('calls fail soon while etcd is down and work again after it, and a watch misses nothing', async () => {
    const store = await open()
    const seen = await collect(store)
    await written(store.create('/before', bytes('1')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/before']))
    await etcd.stop()
    const started = performance.now()
    expect(await failure(store.get('/before'))).toBeInstanceOf(StoreUnavailable)
    expect(await failure(store.currentRevision())).toBeInstanceOf(StoreUnavailable)
    const refused = await failure(store.create('/lost', bytes('1')))
    expect(refused).toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: false })
    expect(performance.now() - started).toBeLessThan(atOnceMs)
    await etcd.start()
    await eventually(async () => expect(text((await store.get('/before'))?.value)).toBe('1'))
    const other = await open()
    for (const key of ['/a', '/b', '/c']) await written(other.create(key, bytes('2')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/before', '/a', '/b', '/c']))
  })

  test('closing ends every watch, even while etcd is down and a watch is behind', async () => {
    const store = await open()
    const start = await store.currentRevision()
    const afterRevision = await written(store.create('/a', bytes('1')))
    const { signal } = new AbortController()
    const current = failure(store.watch('/', { afterRevision, signal })[Symbol.asyncIterator]().next())
    await etcd.stop()
    const behind = failure(store.watch('/', { afterRevision: start, signal })[Symbol.asyncIterator]().next())
    await failure(store.get('/a'))
    await store.close()
    expect(await current).toBeInstanceOf(StoreUnavailable)
    expect(await behind).toBeInstanceOf(StoreUnavailable)
  })

  test('a silent etcd times out, and a write reports that it may have happened', async () => {
    const store = await open({ timeoutMs: 2_000 })
    etcd.freeze()
    cleanups.push(async () => etcd.thaw())
    const errors = await Promise.all([failure(store.get('/a')), failure(store.create('/a', bytes('1')))])
    expect(errors).toMatchObject([
      { name: 'StoreUnavailable', outcomeUnknown: false },
      { name: 'StoreUnavailable', outcomeUnknown: true },
    ])
    etcd.thaw()
    await eventually(async () => expect(await store.currentRevision()).toBeGreaterThan(0))
  })

  test('dead endpoints in the list are skipped', async () => {
    const dead = async () => `http://127.0.0.1:${await freePort()}`
    const store = await open({ endpoints: [await dead(), etcd.endpoint, await dead()] })
    const seen = await collect(store)
    await written(store.create('/a', bytes('1')))
    expect(text((await store.get('/a'))?.value)).toBe('1')
    await eventually(() => expect(keysOf(seen)).toEqual(['/a']))
  })

  test('when an endpoint dies, reads, writes and watches continue through another one', async () => {
    const relays = [await startRelay(portOf(etcd)), await startRelay(portOf(etcd))] as const
    for (const relay of relays) cleanups.push(() => relay.cut())
    const store = await open({ endpoints: relays.map((relay) => relay.address) })
    const seen = await collect(store)
    await written(store.create('/a', bytes('1')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a']))
    await relays[0].cut()
    expect(text((await store.get('/a'))?.value)).toBe('1')
    await written(store.create('/b', bytes('2')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a', '/b']))
    await relays[0].restore()
    await relays[1].cut()
    await eventually(async () => expect(text((await store.get('/b'))?.value)).toBe('2'))
    await written(store.create('/c', bytes('3')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a', '/b', '/c']))
    await relays[1].restore()
  })

  test('a write with a lost response is not repeated: its outcome is unknown', async () => {
    const relay = await startRelay(portOf(etcd))
    cleanups.push(() => relay.cut())
    const store = await open({ endpoints: [relay.address, etcd.endpoint] })
    const first = await written(store.create('/a', bytes('1')))
    relay.loseAnswerTo('written once')
    const error = await failure(store.update('/a', bytes('written once'), first))
    expect(error).toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: true })
    await eventually(async () => expect(text((await store.get('/a'))?.value)).toBe('written once'))
  })

  test('over TLS both sides must present a certificate of the right authority', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tenant-certificates-'))
    cleanups.push(() => rm(directory, { recursive: true }))
    const files = await makeCertificates(directory, 'right')
    const others = await makeCertificates(directory, 'wrong')
    const secure = await start(files)
    const endpoints = [secure.endpoint]
    const right = await pem(files)
    const wrong = await pem(others)
    const store = await open({ endpoints, tls: right })
    const seen = await collect(store)
    await written(store.create('/a', bytes('1')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a']))
    for (const tls of [wrong, { ...right, ca: wrong.ca }, { ca: right.ca }]) {
      expect(await failure(open({ endpoints, tls }))).toBeInstanceOf(StoreUnavailable)
    }
  })

  test('valid credentials work, even after etcd has forgotten the token, and invalid ones do not', async () => {
    const credentials = { user: 'app', password: 'app-password' }
    await enableAuthentication(etcd.endpoint, credentials, prefix)
    const store = await open({ credentials })
    const seen = await collect(store)
    await written(store.create('/a', bytes('1')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a']))
    await etcd.stop()
    await etcd.start()
    await eventually(async () => expect(text((await store.get('/a'))?.value)).toBe('1'))
    await written(store.create('/b', bytes('2')))
    await eventually(() => expect(keysOf(seen)).toEqual(['/a', '/b']))
    const refused = [
      { credentials: { user: 'app', password: 'wrong' } },
      { credentials, prefix: '/elsewhere' },
      { prefix },
    ]
    for (const options of refused) expect(await failure(open(options))).toBeInstanceOf(StoreUnavailable)
  })

  test('credentials are ignored if etcd requires none', async () => {
    const store = await open({ credentials: { user: 'app', password: 'any' } })
    await written(store.create('/a', bytes('1')))
    expect(text((await store.get('/a'))?.value)).toBe('1')
  })
})

function keysOf(changes: readonly StoreChange[]): string[] {
  return changes.map((change) => change.key)
}

function portOf(etcd: Etcd): number {
  return Number(new URL(etcd.endpoint).port)
}

async function pem(files: EtcdTls) {
  const [ca, cert, key] = await Promise.all([files.caFile, files.certFile, files.keyFile].map((file) => readFile(file)))
  if (ca === undefined || cert === undefined || key === undefined) throw new Error('a certificate file is missing')
  return { ca, cert, key }
}
