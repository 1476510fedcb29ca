import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { http2Ask, http2Client, plainClient, type RawClient, tlsClient } from './raw-client.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const head = 'Host: x\r\nAuthorization: Bearer admin-token\r\nUser-Agent: test\r\n'
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`
const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\n${more}`

let server: TestServer
/** Its short limits would also end requests that a busy machine delays. */
let impatient: TestServer
const clients: RawClient[] = []

async function client(kind: 'tls' | 'plain' = 'tls', { port } = server): Promise<RawClient> {
  const made = await (kind === 'tls' ? tlsClient : plainClient)(port)
  clients.push(made)
  return made
}

beforeAll(async () => {
  const common = { shutdownTimeoutMs: 2_000, maxBodyBytes: 100_000 }
  const short = { headersTimeoutMs: 2_000, bodyTimeoutMs: 300, keepAliveTimeoutMs: 1_500, pingIntervalMs: 1_000 }
  server = await startTestServer({ kinds: coreKinds(), server: { limits: common } })
  impatient = await startTestServer({ kinds: coreKinds(), server: { limits: { ...common, ...short } } })
})
afterAll(() => Promise.all([server.stop(), impatient.stop()]))
afterEach(() => {
  for (const each of clients.splice(0)) each.destroy()
})

describe('HTTP/1.1', () => {
  it('answers requests one after the other on one connection, even if they are pipelined', async () => {
    const connection = await client()
    connection.send(get('/version') + get(configMaps) + get('/livez', 'Connection: close\r\n'))
    await connection.closed
    expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
    expect(connection.received.endsWith('ok')).toBe(true)
  })

  it('answers a client that half-closes the connection after a request', async () => {
    const connection = await client()
    connection.send(get('/version'))
    connection.socket.end()
    await connection.until('"gitVersion"')
    await connection.closed
  })

  it('answers a client that half-closes the connection after a write', async () => {
    const body = JSON.stringify({ metadata: { name: 'last-word' } })
    const connection = await client()
    connection.socket.end(post(configMaps, `Content-Length: ${body.length}\r\n\r\n${body}`))
    await connection.until('HTTP/1.1 201 Created')
    await connection.closed
  })

  it('closes an idle connection', async () => {
    const connection = await client()
    connection.send(get('/livez'))
    await connection.until('\r\n\r\nok')
    connection.socket.end()
    await connection.closed
  })

  it('answers a request before the invalid data after it', async () => {
    const connection = await client()
    connection.send(`${get('/version')}no request\r\n\r\n`)
    await connection.until('"gitVersion"')
  })

  it('keeps the order of small and large responses', async () => {
    const connection = await client()
    connection.send(get('/livez') + get('/openapi/v2') + get('/version') + get('/readyz'))
    const received = await connection.until('"gitVersion"').then(() => connection.until('\r\n\r\nok', 2))
    const answers = ['\r\n\r\nok', '"swagger"', '"gitVersion"'].map((text) => received.indexOf(text))
    expect(answers).toEqual([...answers].sort((left, right) => left - right))
    expect(answers[0]).toBeGreaterThan(0)
  })

  it('reads bodies that arrive with the head, pipelined, and in parts', async () => {
    const connection = await client()
    const create = (name: string) => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
      return post(`${configMaps}?dryRun=All`, `Content-Length: ${body.length}\r\n\r\n${body}`)
    }
    connection.send(create('alone'))
    await connection.until('"name":"alone"')
    connection.send(create('first') + get('/version') + create('second'))
    await connection.until('"name":"second"')
    const text = create('in-pieces')
    connection.send(text.slice(0, -20))
    connection.send(text.slice(-20))
    const received = await connection.until('"name":"in-pieces"')
    expect(received.match(/HTTP\/1\.1 201 Created/g)).toHaveLength(4)
    connection.send(create('after'))
    await connection.until('"name":"after"')
  })

  it('keeps the connection after refusing a request whose body it did not read', async () => {
    const connection = await client()
    connection.send(`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"a":"b"}`)
    await connection.until('403 Forbidden')
    connection.send(get('/version'))
    await connection.until('200 OK')
  })

  it('asks for a body only from callers who may send it', async () => {
    const stranger = await client()
    stranger.send(`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`)
    expect(await stranger.until('403 Forbidden')).not.toContain('100 Continue')
    const admin = await client()
    admin.send(post(`${configMaps}?dryRun=All`, 'Content-Length: 27\r\nExpect: 100-continue\r\n\r\n'))
    await admin.until('100 Continue')
    admin.send('{"metadata":{"name":"abc"}}')
    await admin.until('201 Created')
  })

  it('accepts a chunked body', async () => {
    const connection = await client()
    connection.send(post(`${configMaps}?dryRun=All`, 'Transfer-Encoding: chunked\r\n\r\n'))
    connection.send('e\r\n{"metadata":{"\r\nd\r\nname":"abc"}}\r\n0\r\n\r\n')
    await connection.until('201 Created')
  })
})

describe('HTTP/2', () => {
  it('answers many requests at once on one connection', async () => {
    const session = http2Client(server.port)
    const answers = await Promise.all(Array.from({ length: 50 }, () => http2Ask(session, '/version')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    session.destroy()
  })

  it('accepts bodies and refuses those that are too large', async () => {
    const session = http2Client(server.port)
    const write = (name: string) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name }, data: { pad: 'x'.repeat(name === 'large' ? 200_000 : 10) } }),
    })
    expect((await http2Ask(session, `${configMaps}?dryRun=All`, write('small'))).status).toBe(201)
    expect((await http2Ask(session, `${configMaps}?dryRun=All`, write('large'))).status).toBe(413)
    expect((await http2Ask(session, '/version')).status).toBe(200)
    session.destroy()
  })

  it('discards refused bodies, so that other streams continue', async () => {
    const session = http2Client(server.port)
    const refused = Array.from({ length: 5 }, () =>
      http2Ask(session, configMaps, {
        method: 'POST',
        headers: { authorization: 'Bearer alice-token', 'content-type': 'application/json' },
        body: 'x'.repeat(200_000),
      }),
    )
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await http2Ask(session, '/version')).status).toBe(200)
    session.destroy()
  })

  it('repeats Warning headers', async () => {
    const session = http2Client(server.port)
    const body = JSON.stringify({ metadata: { name: 'w' }, one: 1, two: 2 })
    const headers = { 'content-type': 'application/json' }
    const answer = await http2Ask(session, `${configMaps}?dryRun=All`, { method: 'POST', headers, body })
    expect(String(answer.headers.warning)).toContain('unknown field \\"one\\""')
    expect(String(answer.headers.warning)).toContain('unknown field \\"two\\""')
    session.destroy()
  })

  it('is closed after one answer to a stranger', async () => {
    const session = http2Client(server.port)
    const closed = once(session, 'close')
    await http2Ask(session, '/version', { headers: { authorization: '' } })
    await closed
  })

  it('notifies the registry when a watcher disconnects', async () => {
    const session = http2Client(server.port)
    const stream = session.request({ ':path': `${configMaps}?watch=1`, authorization: 'Bearer admin-token' })
    await once(stream, 'response')
    stream.close()
    await openWatches(0)
    session.destroy()
  })
})

/** Waits until that many watches are open, according to metrics. */
async function openWatches(count: number): Promise<void> {
  const session = http2Client(server.port)
  try {
    for (;;) {
      const { text } = await http2Ask(session, '/metrics')
      if (text.includes(`apiserver_longrunning_requests{verb="watch"} ${count}\n`)) return
    }
  } finally {
    session.destroy()
  }
}

describe('a watch over HTTP/1.1', () => {
  it('sends its head at once, and its events as they come', async () => {
    const connection = await client()
    connection.send(get(`${configMaps}?watch=1&resourceVersion=0`))
    await connection.until('Transfer-Encoding: chunked\r\n')
    const session = http2Client(server.port)
    const body = JSON.stringify({ metadata: { name: 'seen' } })
    await http2Ask(session, configMaps, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await connection.until('"name":"seen"')
    session.destroy()
  })

  it('has a clean end', async () => {
    const connection = await client()
    connection.send(get(`${configMaps}?watch=1&resourceVersion=0&timeoutSeconds=1`))
    await connection.until('Transfer-Encoding: chunked\r\n')
    await connection.until('\r\n0\r\n\r\n')
    connection.send(get('/livez'))
    await connection.until('\r\n\r\nok')
  })

  it('ends when the client disconnects', async () => {
    const connection = await client()
    connection.send(get(`${configMaps}?watch=1`))
    await connection.until('200 OK')
    await openWatches(1)
    connection.destroy()
    await openWatches(0)
  })

  it('ends when the client half-closes the connection', async () => {
    const connection = await client()
    connection.send(get(`${configMaps}?watch=1`))
    await connection.until('200 OK')
    await openWatches(1)
    connection.socket.end()
    await connection.closed
    await openWatches(0)
  })
})

describe('limits', () => {
  it('refuse a body that is too large, and close', async () => {
    for (const framing of [
      `Content-Length: 120000\r\n\r\n${'x'.repeat(120_000)}`,
      `Transfer-Encoding: chunked\r\n\r\n1d4c0\r\n${'x'.repeat(120_000)}\r\n0\r\n\r\n`,
    ]) {
      const connection = await client()
      connection.send(post(configMaps, framing))
      const answer = await connection.until('Request entity too large: limit is 100000')
      expect(answer).toContain('HTTP/1.1 413')
      expect(answer).toContain('Connection: close')
      await connection.closed
    }
  })

  it('do not wait for a body forever', async () => {
    const connection = await client('tls', impatient)
    connection.send(post(configMaps, 'Content-Length: 100\r\n\r\n{"metadata"'))
    expect(await connection.until('did not arrive in time')).toContain('HTTP/1.1 504')
    await connection.closed
  })

  it('close an idle connection', async () => {
    const connection = await client('tls', impatient)
    connection.send(get('/livez'))
    await connection.until('200 OK')
    await connection.closed
  })

  it('close a connection that leaves pings unanswered', async () => {
    const connection = await tlsClient(impatient.port, 'h2')
    const emptySettings = '\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000'
    connection.send(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${emptySettings}`)
    await connection.closed
  })

  it('do not wait for headers or a handshake forever', async () => {
    const [slow, silent] = [await client('tls', impatient), await client('plain', impatient)]
    slow.send('GET /version HTTP/1.1\r\nHost: x\r\n')
    await Promise.all([slow.closed, silent.closed])
    expect(slow.received).toContain('408 Request Timeout')
    expect(silent.received).toBe('')
  })

  it('refuse headers that are too long', async () => {
    const connection = await client()
    connection.send(get('/version', `X-Long: ${'x'.repeat(100_000)}\r\n`))
    await connection.closed
    expect(['', 'HTTP/1.1 431 Request Header Fields Too Large']).toContain(connection.received.split('\r\n', 1)[0])
  })
})

describe('an invalid request', () => {
  it('is explained if it is plain HTTP', async () => {
    const connection = await client('plain')
    connection.send('GET /version HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.until('Client sent an HTTP request to an HTTPS server.\n')
    expect(connection.received).toMatch(/^HTTP\/1\.0 400 Bad Request\r\n/)
    await connection.closed
  })

  it.each([
    'garbage\r\n\r\n',
    'GET\r\n\r\n',
    'GET /version HTTP/9.9\r\n\r\n',
    'GET /version HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'GET /version HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0000\u0001\u0002\u0003',
  ])('is refused: %j', async (bytes) => {
    const connection = await client()
    connection.send(bytes)
    await connection.closed
    expect(connection.received === '' || connection.received.startsWith('HTTP/1.1 400')).toBe(true)
    const after = await client()
    after.send(get('/livez'))
    await after.until('200 OK')
  })

  it('may end anywhere', async () => {
    for (const bytes of ['\u0016\u0003\u0001', '\u0016\u0003\u0001\u0002\u0000\u0001', 'x']) {
      const connection = await client('plain')
      connection.send(bytes)
      connection.socket.resetAndDestroy()
      await connection.closed
    }
    const during = await client()
    during.send(post(configMaps, 'Content-Length: 100\r\n\r\n{'))
    during.destroy()
    const after = await client()
    after.send(get('/livez'))
    await after.until('200 OK')
  })

  it.each(['/%zz', '/api/v1/namespaces/%ff%fe'])('may have an unreadable path: %s', async (path) => {
    const connection = await client()
    connection.send(get(path))
    await connection.until('HTTP/1.1 400 Bad Request')
  })
})

describe('large answers', () => {
  it('are compressed for clients that support it', async () => {
    const session = http2Client(server.port)
    const headers = { 'content-type': 'application/json' }
    for (const name of ['large-1', 'large-2', 'large-3']) {
      const body = JSON.stringify({ metadata: { name, labels: { large: '' } }, data: { pad: 'x'.repeat(60_000) } })
      await http2Ask(session, configMaps, { method: 'POST', headers, body })
    }
    const plain = await http2Ask(session, `${configMaps}?labelSelector=large`)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-length']).toBe(String(plain.text.length))
    session.destroy()
    const connection = await client()
    connection.send(get(`${configMaps}?labelSelector=large`, 'Accept-Encoding: gzip, deflate\r\nConnection: close\r\n'))
    await connection.closed
    expect(connection.received).toContain('Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n')
    expect(unzipped(connection.received)).toBe(plain.text)
  })
})

function unzipped(received: string): string {
  let rest = received.slice(received.indexOf('\r\n\r\n') + 4)
  const chunks: Buffer[] = []
  for (;;) {
    const lineEnd = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.slice(0, lineEnd), 16)
    if (length === 0) return gunzipSync(Buffer.concat(chunks)).toString()
    chunks.push(Buffer.from(rest.slice(lineEnd + 2, lineEnd + 2 + length), 'latin1'))
    rest = rest.slice(lineEnd + 4 + length)
  }
}

describe('TLS', () => {
  it('presents a certificate of the authority', async () => {
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: server.authority })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    expect(socket.getCipher().name).toBe('TLS_AES_128_GCM_SHA256')
    socket.destroy()
  })
})
