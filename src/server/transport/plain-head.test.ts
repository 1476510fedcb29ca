import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPlainHead } from './plain-head.ts'

const get = (path: string, ...fields: readonly string[]) => `GET ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`

describe('a plain head', () => {
  it('is a GET with its fields', () => {
    const text = get('/a?b=c', 'Host: x', 'Authorization:  Bearer t ', 'Connection: Keep-Alive')
    expect(readPlainHead(`${text}GET /next`, undefined)).toEqual({
      method: 'GET',
      url: '/a?b=c',
      length: text.length,
      fields: {
        text: 'Host: x\r\nAuthorization:  Bearer t \r\nConnection: Keep-Alive',
        headers: { host: 'x', authorization: 'Bearer t', connection: 'Keep-Alive' },
        rawHeaders: ['Host', 'x', 'Authorization', 'Bearer t', 'Connection', 'Keep-Alive'],
        bodyLength: undefined,
      },
    })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is a %s that tells how long its body is', (method) => {
    const text = get('/a', 'Host: x', 'Content-Length: 4').replace('GET', method)
    const head = readPlainHead(`${text}body`, undefined)
    expect(head).toMatchObject({ method, url: '/a', length: text.length, fields: { bodyLength: 4 } })
    expect(readPlainHead(text.replace('Content-Length: 4', 'A: b'), undefined)?.fields.bodyLength).toBeUndefined()
  })

  it('keeps fields that are the same as before', () => {
    const first = readPlainHead(get('/a', 'Host: x'), undefined)
    expect(readPlainHead(get('/b', 'Host: x'), first?.fields)?.fields).toBe(first?.fields)
    expect(readPlainHead(get('/b', 'Host: y'), first?.fields)?.fields.headers.host).toBe('y')
  })

  it.each([
    get('/a'),
    'GET /a HTTP/1.1\r\nHost: x\r\n',
    get('/a', 'Host: x').replace('GET', 'HEAD'),
    get('/a', 'Host: x').replace('GET', 'POSTS'),
    get('/a', 'Host: x', 'Content-Length: 1', 'Content-Length: 1').replace('GET', 'POST'),
    get('/a', 'Host: x', 'Content-Length: 1, 1').replace('GET', 'POST'),
    get('/a', 'Host: x', 'Content-Length: +1').replace('GET', 'POST'),
    get('/a', 'Host: x', 'Content-Length: 0x1').replace('GET', 'POST'),
    get('/a', 'Host: x', 'Content-Length: ').replace('GET', 'POST'),
    get('/a', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked').replace('GET', 'POST'),
    get('/a', 'Host: x').replace('1.1', '1.0'),
    get('a', 'Host: x'),
    get('http://x/a', 'Host: x'),
    get('/a b', 'Host: x'),
    get('/é', 'Host: x'),
    get('/a', 'Host: x', 'Content-Length: 0'),
    get('/a', 'Host: x', 'Transfer-Encoding: chunked'),
    get('/a', 'Host: x', 'Connection: close'),
    get('/a', 'Host: x', 'Connection: keep-alive, Upgrade'),
    get('/a', 'Host: x', 'Upgrade: h2c'),
    get('/a', 'Host: x', 'Expect: 100-continue'),
    get('/a', 'Host: x', 'X: 1', 'x: 2'),
    get('/a', 'Host: x', 'X: 1', ' folded'),
    get('/a', 'Host: x', 'No colon'),
    get('/a', 'Host: x', 'Space : 1'),
    get('/a', 'Host: x', ': empty'),
    get('/a', 'Host: x', '__proto__: 1'),
    get('/a', 'Host: x', 'X: a\nY: b'),
    get('/a', 'Host: x', 'X: a\rb'),
    get('/a', 'Host: x', 'X: \u0000'),
    'GET /a HTTP/1.1\nHost: x\n\n',
    '\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('is nothing else: %j', (text) => {
    expect(readPlainHead(text, undefined)).toBeUndefined()
  })

  it('is read as Node reads it, whenever it is read at all', async () => {
    const piece = fc.constantFrom(
      ...[
        'GET',
        ' ',
        '/',
        'a',
        '%20',
        '?',
        'HTTP/1.1',
        '\r\n',
        '\r',
        '\n',
        ':',
        'Host',
        'X-Y',
        'x-y',
        'é',
        '\u00a0',
        '\t',
        '\u0000',
      ],
      ...['GET /a HTTP/1.1\r\n', 'Host: x\r\n', 'Accept: */*\r\n', 'X-Y: 1\r\n', 'Cookie: a\r\n', '\r\n\r\n'],
      ...['Content-Length: ', 'Content-Length: 3\r\n', 'Content-Length: 8\r\n', '0', '7\r\n'],
    )
    const heads = fc
      .tuple(fc.constantFrom('GET', 'POST', 'DELETE'), fc.array(piece, { maxLength: 12 }))
      .map(([method, pieces]) => `${method} /x HTTP/1.1\r\nHost: y\r\n${pieces.join('')}\r\n\r\nabcdefgh`)
    let compared = 0
    await fc.assert(
      fc.asyncProperty(heads, async (text) => {
        const head = readPlainHead(text, undefined)
        if (head === undefined) return
        compared++
        const end = head.length + (head.fields.bodyLength ?? 0)
        if (end > text.length) return
        const seen = await readByNode(text.slice(0, end))
        const { headers, rawHeaders } = head.fields
        expect(seen).toEqual({ url: head.url, headers, rawHeaders, body: text.slice(head.length, end) })
      }),
      { numRuns: 2000, seed: 7 },
    )
    expect(compared).toBeGreaterThan(20)
  })
})

/** What Node's own parser makes of the bytes; a refusal is an error. */
function readByNode(text: string): Promise<Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'> & { body: string }> {
  return new Promise((resolve, reject) => {
    const server = createServer((incoming) => {
      const { url = '', headers, rawHeaders } = incoming
      let body = ''
      incoming.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1')
      })
      incoming.on('end', () => resolve({ url, headers: { ...headers }, rawHeaders, body }))
    })
    server.on('clientError', reject)
    const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    server.emit('connection', socket)
    socket.push(Buffer.from(text, 'latin1'))
  })
}
