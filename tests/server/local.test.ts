import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LocalAnswer, LocalServer } from '../../src/client/local/contract.ts'
import { defaultLimits } from '../../src/server/limits.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const watch = `${configMaps}?watch=1&resourceVersion=0`

let server: TestServer
let local: LocalServer

beforeEach(async () => {
  server = await startTestServer({ server: { limits: { shutdownTimeoutMs: 300_000 } } })
  local = server.engine.server.local
})

afterEach(() => server.stop())

interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

function ask(method: string, url: string, { token = 'admin-token', body, signal, headers }: Asked = {}) {
  return local.ask({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    signal,
  })
}

const create = (name: string, data = {}) => ask('POST', configMaps, { body: { metadata: { name }, data } })

async function textOf({ body }: LocalAnswer): Promise<string> {
  if (Buffer.isBuffer(body)) return body.toString()
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function linesOf({ body }: LocalAnswer): AsyncIterator<Buffer> {
  if (Buffer.isBuffer(body)) throw new Error('it has ended')
  return body[Symbol.asyncIterator]()
}

describe('a server that is called in its own process', () => {
  it('answers like over a connection', async () => {
    const created = await create('one', { x: 'ä' })
    expect(created).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(await textOf(created))).toMatchObject({ metadata: { name: 'one' }, data: { x: 'ä' } })
    const read = await ask('GET', `${configMaps}/one`)
    expect(read.status).toBe(200)
    expect(Number(read.headers['content-length'])).toBe(Buffer.byteLength(await textOf(read)))
  })

  it.each([
    ['a stranger', { token: 'unknown' }, 401],
    ['a user without rights', { token: 'alice-token' }, 403],
  ])('refuses %s', async (_, asked, status) => {
    expect((await ask('GET', configMaps, asked)).status).toBe(status)
  })

  it('refuses a body that is too large', async () => {
    const answer = await create('large', { x: 'x'.repeat(defaultLimits.maxBodyBytes) })
    expect(answer.status).toBe(413)
  })

  it('streams a large list', async () => {
    for (let index = 0; index < 20; index++) await create(`list-${index}`, { x: String(index).repeat(50_000) })
    const answer = await ask('GET', configMaps)
    const { items } = JSON.parse(await textOf(answer))
    expect(items.filter(({ data }: { data: { x?: string } }) => (data.x?.length ?? 0) >= 50_000)).toHaveLength(20)
  })

  it('keeps a watch open, and ends it when its reader leaves', async () => {
    const leaving = new AbortController()
    const events = linesOf(await ask('GET', watch, { signal: leaving.signal }))
    await create('seen')
    for (let seen = ''; !seen.includes('"seen"'); ) seen += (await events.next()).value
    const reason = new Error('enough')
    const next = events.next()
    leaving.abort(reason)
    await expect(next).rejects.toBe(reason)
    await eventually(async () => expect(await openWatches()).toBe(0))
  })

  it('ends a watch whose reader stops', async () => {
    const events = linesOf(await ask('GET', watch))
    await create('one')
    await events.next()
    expect(await openWatches()).toBe(1)
    await events.return?.()
    await eventually(async () => expect(await openWatches()).toBe(0))
  })

  it('delivers everything to a slow reader, in order', async () => {
    const events = linesOf(await ask('GET', watch))
    for (let index = 0; index < 50; index++) await create(`behind-${index}`, { x: 'x'.repeat(10_000) })
    let text = ''
    while (!text.includes('"behind-49"')) text += (await events.next()).value
    const names = [...text.matchAll(/"name":"behind-(\d+)"/g)].map(([, index]) => Number(index))
    expect(names).toEqual(Array.from({ length: 50 }, (_, index) => index))
    await events.return?.()
  })

  it('aborts a request when its caller does', async () => {
    const leaving = new AbortController()
    const asked = ask('POST', configMaps, { body: { metadata: { name: 'late' } }, signal: leaving.signal })
    leaving.abort(new Error('too late'))
    await expect(asked).rejects.toThrow('too late')
    await expect(ask('GET', configMaps, { signal: leaving.signal })).rejects.toThrow('too late')
  })

  it('ends watches cleanly when it stops, and accepts no more', async () => {
    const answer = await ask('GET', watch)
    const read = textOf(answer)
    await server.stop()
    expect(await read).not.toContain('ERROR')
    await expect(ask('GET', configMaps)).rejects.toMatchObject({ name: 'ConnectionError', nothingSent: true })
  })

  it('does not wait forever for a reader that does not read', async () => {
    await server.stop()
    server = await startTestServer({ server: { limits: { shutdownTimeoutMs: 200 } } })
    local = server.engine.server.local
    for (let index = 0; index < 20; index++) await create(`list-${index}`, { x: 'x'.repeat(50_000) })
    const answer = await ask('GET', configMaps)
    await server.stop()
    await expect(textOf(answer)).rejects.toThrow('the server cut its answer')
  })
})

async function openWatches(): Promise<number> {
  const text = await textOf(await ask('GET', '/metrics'))
  return Number(/^apiserver_longrunning_requests\{verb="watch"\} (\d+)$/m.exec(text)?.[1])
}
