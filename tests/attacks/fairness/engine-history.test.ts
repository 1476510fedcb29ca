import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { KubeObject } from '../../../src/api/object.ts'
import type { Store } from '../../../src/storage/contract.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { http2Ask, http2Client } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const large = 'x'.repeat(900_000)
const largeOnes = 20
const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const mebibyte = 1024 * 1024

describe('reading past states costs other callers little', () => {
  let server: TestServer
  const [, protocol] = protocols
  const sent = async (method: string, url: string, body: object, type = 'application/json') => {
    const headers = [['Content-Type', type] as const, ['Accept', metadataAlone] as const]
    const { status, text } = await rawAsk(protocol, server.port, { method, url, body: JSON.stringify(body), headers })
    expect(status).toBeLessThan(300)
    const { metadata } = JSON.parse(text)
    return Number(metadata.resourceVersion)
  }
  const labeled = (name: string, label: string) =>
    sent('PATCH', `${configMaps}/${name}`, { metadata: { labels: { label } } }, 'application/merge-patch+json')
  const changeAll = async (label: string) => {
    for (let index = 0; index < largeOnes; index += 1) await labeled(`large-${index}`, label)
  }
  const get = (query: string) => rawAsk(protocol, server.port, { url: `${configMaps}?${query}` })
  /** However long it takes; then the watch is left. */
  const firstEvent = async (query: string) => {
    const session = http2Client(server.port)
    const stream = session.request({ ':path': `${configMaps}?${query}`, authorization: 'Bearer admin-token' })
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    await eventually(() => expect(text).toContain('\n'))
    session.destroy()
    return JSON.parse(text.split('\n')[0] ?? '')
  }
  const exactly = (revision: number) =>
    get(`limit=1&fieldSelector=metadata.name%3Dsmall&resourceVersionMatch=Exact&resourceVersion=${revision}`)

  beforeAll(async () => {
    server = await startTestServer()
    for (const name of Array.from({ length: largeOnes }, (_, index) => `large-${index}`)) {
      await sent('POST', configMaps, { metadata: { name }, data: { large } })
    }
    await sent('POST', configMaps, { metadata: { name: 'small' } })
  })
  afterAll(() => server?.stop())

  test('states that differ in one label share memory', async () => {
    const revisions: number[] = []
    for (let index = 0; index < 24; index += 1) revisions.push(await labeled('small', `n${index}`))
    const before = process.memoryUsage().arrayBuffers
    for (const revision of revisions) expect(JSON.parse((await exactly(revision)).text).items).toHaveLength(1)
    expect((process.memoryUsage().arrayBuffers - before) / mebibyte).toBeLessThan(100)
  })

  test('a state is too old for reads and watches once nearly everything has changed', async () => {
    await changeAll('once')
    const before = await labeled('small', 'before')
    await changeAll('twice')
    expect(await exactly(before)).toMatchObject({ status: 410, text: expect.stringContaining('too old') })
    const watched = await get(`watch=1&timeoutSeconds=5&resourceVersion=${before}`)
    expect(JSON.parse(watched.text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  })

  test('a smaller past state is still served', async () => {
    const before = await labeled('small', 'again')
    for (let index = 0; index < 10; index += 1) await labeled('large-0', `again${index}`)
    await labeled('small', 'last')
    const { items } = JSON.parse((await exactly(before)).text)
    expect(items[0].metadata.labels).toEqual({ label: 'again' })
    const watched = await firstEvent(`watch=1&fieldSelector=metadata.name%3Dsmall&resourceVersion=${before}`)
    expect(watched).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'small' } } })
  })
})

/** Readers of one state at a time. */
const mostReaders = 4

describe('many callers who ask for the same past state', () => {
  let reads = 0
  let open = (): void => {}
  let opened = Promise.resolve()

  /** Reads of past states wait until they are let through. */
  async function heldStore(): Promise<Store> {
    const directory = await mkdtemp(join(tmpdir(), 'engine-history-'))
    const inner = await openLmdbStore({ directory })
    onTestFinished(async () => {
      await inner.close()
      await rm(directory, { recursive: true })
    })
    const list: Store['list'] = async (prefix, options) => {
      if (options?.atRevision !== undefined) {
        reads += 1
        await opened
      }
      return inner.list(prefix, options)
    }
    return new Proxy(inner, {
      get: (target, property) => {
        if (property === 'list') return list
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  async function startHeld() {
    reads = 0
    opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const server = await startTestServer({ store: await heldStore() })
    const session = http2Client(server.port)
    onTestFinished(async () => {
      session.destroy()
      await server.stop()
    })
    const create = (name: string) =>
      http2Ask(session, configMaps, { method: 'POST', body: JSON.stringify({ metadata: { name } }) })
    const { metadata } = JSON.parse((await create('first')).text)
    await create('second')
    const exactly = `${configMaps}?resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`
    return { session, exactly }
  }

  test('have it read a few times, not once each', async () => {
    const { session, exactly } = await startHeld()
    const asked = Array.from({ length: 20 }, () => http2Ask(session, exactly))
    await eventually(() => expect(reads).toBe(mostReaders))
    // Answered after the others have begun.
    await http2Ask(session, '/version')
    open()
    for (const { status, text } of await Promise.all(asked)) {
      expect(status).toBe(200)
      const names = JSON.parse(text).items.map(({ metadata }: KubeObject) => metadata.name)
      expect(names).toContain('first')
      expect(names).not.toContain('second')
    }
    expect(reads).toBe(mostReaders)
  })

  test('and are answered before it is their turn have nothing read', async () => {
    const { session, exactly } = await startHeld()
    const staying = Array.from({ length: mostReaders }, () => http2Ask(session, exactly))
    await eventually(() => expect(reads).toBe(mostReaders))
    const later = exactly.replace(/\d+$/, (revision) => String(Number(revision) - 1))
    const late = await Promise.all(Array.from({ length: 10 }, () => http2Ask(session, `${later}&timeout=1ms`)))
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 504))
    await http2Ask(session, '/version')
    open()
    for (const { status } of await Promise.all(staying)) expect(status).toBe(200)
    await http2Ask(session, exactly)
    expect(reads).toBe(mostReaders)
  })
})
