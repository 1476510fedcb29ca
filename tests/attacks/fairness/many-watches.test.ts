import { type ClientHttp2Session, connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { rawAsk } from '../support/raw-ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const authorization = 'Bearer admin-token'
const watches = 30
const large = 80_000
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const asMetadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'

describe('a large object that many watches receive', () => {
  let server: TestServer
  let session: ClientHttp2Session
  beforeAll(async () => {
    server = await startTestServer()
    await write('POST', configMaps, 0)
    session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
    session.on('error', () => {}).setMaxListeners(0)
  })
  afterAll(async () => {
    session.destroy()
    await server.stop()
  })

  async function write(method: string, url: string, round: number): Promise<string> {
    const body = JSON.stringify({
      metadata: { name: 'large', labels: { round: `r${round}` } },
      data: Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`k${index}`, 'x'.repeat(8)])),
    })
    const { text } = await rawAsk('HTTP/2', server.port, {
      method,
      url,
      body,
      headers: [['Content-Type', 'application/json']],
    })
    return JSON.parse(text).metadata.resourceVersion
  }

  /** Counts the watches that have received an event. */
  function watch(queryOf: (index: number) => string, accept: string) {
    const told = new Set<number>()
    const streams = Array.from({ length: watches }, (_, index) => {
      const stream = session.request({ ':path': `${configMaps}?watch=true&${queryOf(index)}`, accept, authorization })
      return stream.on('error', () => {}).on('data', () => void told.add(index))
    })
    return { told, stop: () => streams.map((stream) => stream.close()) }
  }

  /** How often something as large as the object is parsed in the meantime. */
  async function largeParses(act: () => Promise<void>): Promise<number> {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      await act()
      return parse.mock.calls.filter(([text]) => text.length > large).length
    } finally {
      parse.mockRestore()
    }
  }

  test.each([
    ['each with a separate selector', (index: number) => `fieldSelector=metadata.name!=x${index}`, 'application/json'],
    ['as rows of a Table', () => '', asTable],
    ['by its metadata', () => '', asMetadata],
  ])('%s, is not parsed for each of them', async (_, queryOf, accept) => {
    const { told, stop } = watch(queryOf, accept)
    await eventually(async () => expect(told.size).toBe(watches))
    told.clear()
    const parses = await largeParses(async () => {
      await write('PUT', `${configMaps}/large`, accept.length)
      await eventually(async () => expect(told.size).toBe(watches))
    })
    expect(parses).toBeLessThan(20)
    stop()
  })

  test('is parsed over several iterations for a watch that starts before its changes', async () => {
    const from = await write('PUT', `${configMaps}/large`, 100)
    for (let round = 101; round < 116; round += 1) await write('PUT', `${configMaps}/large`, round)
    const parse = vi.spyOn(JSON, 'parse')
    const inTurns: number[] = []
    const turns = setInterval(() =>
      inTurns.push(parse.mock.calls.splice(0).filter(([text]) => text.length > large).length),
    )
    const query = `resourceVersion=${from}&fieldSelector=metadata.namespace!=x`
    const stream = session.request({ ':path': `${configMaps}?watch=true&${query}`, authorization })
    let text = ''
    stream
      .on('error', () => {})
      .on('data', (chunk) => {
        text += chunk
      })
    await eventually(async () => expect(text).toContain('"round":"r115"')).finally(() => {
      clearInterval(turns)
      parse.mockRestore()
    })
    stream.close()
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(12)
  })
})
