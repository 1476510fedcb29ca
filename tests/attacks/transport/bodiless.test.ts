import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../../../src/server/http.ts'
import { http2Ask, http2Client, type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type HostileTenant, startHostileTenant } from '../proxy/hostile-tenant.ts'
import { frameTypes, headers, requestFields } from './support/frames.ts'
import { get, head, type Sender } from './support/http1.ts'
import { rawHttp2 } from './support/raw-http2.ts'

/** The forged answer that the attacker wants the next request to get. */
const forged = 'HTTP/1.1 200 OK\r\nSet-Cookie: session=forged\r\nContent-Length: 6\r\n\r\nforged'
const sender: Sender = { token: 'admin-token' }
const bodiless = [204, 205, 304] as const

/** Handlers that answer with a body where none is allowed, each in another form. */
const bodies: Readonly<Record<string, () => Response['body']>> = {
  whole: () => Buffer.from(forged),
  pieces: () => ({ form: 'pieces', byteLength: forged.length, pieces: [Buffer.from(forged)] }),
  stream: () => ({
    form: 'stream',
    start: (output) => {
      output.write(Buffer.from(forged))
      output.end()
    },
  }),
}

describe('a body is not sent where none is allowed', () => {
  let server: TestServer
  const clients: RawClient[] = []
  beforeAll(async () => {
    server = await startTestServer({
      server: {
        extraRoutes: [
          ({ request }) => {
            const [, form = '', status = ''] = /^\/body\/(\w+)\/(\d+)/.exec(request.url) ?? []
            const body = bodies[form]
            return body && (() => ({ status: Number(status), headers: [], body: body() }))
          },
        ],
      },
    })
  })
  afterAll(() => server?.stop())
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
  })

  const cases = Object.keys(bodies).flatMap((form) => [
    ...bodiless.map((status) => ['GET', form, status] as const),
    ['HEAD', form, 200] as const,
    ['HEAD', form, 404] as const,
  ])

  test.each(cases)('%s, %s, %i over HTTP/1.1: the next answer is the true one', async (method, form, status) => {
    const client = await tlsClient(server.port)
    clients.push(client)
    client.send(head(method, `/body/${form}/${status}`, sender) + get('/version', sender))
    const received = await client.until('"gitVersion"')
    expect(received).not.toContain('forged')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200'])
    if (status === 204) expect(received.slice(0, received.indexOf('\r\n\r\n'))).not.toMatch(/content-length/i)
  })

  test.each(cases)('%s, %s, %i over HTTP/2: no data', async (method, form, status) => {
    const client = await rawHttp2(server.port)
    client.send(headers(1, requestFields(method, `/body/${form}/${status}`, 'admin-token')))
    client.send(headers(3, requestFields('GET', '/version', 'admin-token')))
    await client.until(({ type, stream }) => stream === 3 && type === frameTypes.data)
    await client.until(({ stream }) => stream === 1)
    const data = client.frames.filter(({ type, stream }) => stream === 1 && type === frameTypes.data)
    expect(Buffer.concat(data.map(({ payload }) => payload)).toString()).toBe('')
    client.destroy()
  })
})

describe('a virtual cluster that answers through the platform with a body where none is allowed', () => {
  let tenant: HostileTenant
  beforeAll(async () => {
    tenant = await startHostileTenant()
  })
  afterAll(() => tenant?.stop())

  const cases = bodiless.flatMap((status) => [
    [status, {}] as const,
    [status, { 'content-length': String(forged.length) }] as const,
  ])

  /** HTTP libraries do not allow such a body, so its bytes are written after the end that the library assumes. */
  function say(status: number, more: Readonly<Record<string, string>>): void {
    tenant.say((stream) => {
      stream.respond({ ':status': status === 205 ? 205 : status, ...more }, { endStream: false })
      stream.end(forged)
    })
  }

  test.each(cases)('%i with %j does not forge the next answer over HTTP/1.1', async (status, more) => {
    say(status, more)
    const client = await tlsClient(tenant.platform.server.port)
    client.send(get(`${tenant.base}/api`, sender) + get('/version', sender))
    const received = await client.until('"gitVersion"')
    expect(received).not.toContain('forged')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toHaveLength(2)
    client.destroy()
  })

  test.each(cases)('%i with %j has no data over HTTP/2', async (status, more) => {
    say(status, more)
    const session = http2Client(tenant.platform.server.port)
    const stream = session.request({ ':path': `${tenant.base}/api`, authorization: 'Bearer admin-token' })
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    await once(stream, 'close')
    expect(text).not.toContain('forged')
    expect((await http2Ask(session, '/version')).status).toBe(200)
    session.destroy()
  })
})

describe('a response whose length differs from its headers', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      server: {
        extraRoutes: [
          ({ request }) => {
            const [, length] = /^\/length\/(\d+)/.exec(request.url) ?? []
            if (length === undefined) return undefined
            return () => ({
              status: 200,
              headers: ['Content-Length', length],
              body: {
                form: 'stream',
                start: (output) => {
                  output.write(Buffer.from('12345'))
                  output.write(Buffer.from(forged))
                  output.end()
                },
              },
            })
          },
        ],
      },
    })
  })
  afterAll(() => server?.stop())

  test.each([0, 5, 10_000])(
    '%i bytes announced: the connection is closed, and nothing is parsed as the next response',
    async (told) => {
      const client = await tlsClient(server.port)
      client.send(get(`/length/${told}`, sender) + get('/version', sender))
      await client.closed
      expect(client.received).not.toContain('"gitVersion"')
      if (told <= 5) expect(client.received).not.toContain('forged')
    },
  )
})
