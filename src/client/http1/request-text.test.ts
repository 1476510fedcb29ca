import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../connection/connection-error.ts'
import { type HttpRequest, requestText } from './request-text.ts'

const request: HttpRequest = { method: 'GET', path: '/', host: 'h:1', headers: {} }
const json = { accept: 'application/json' }

describe('a request', () => {
  it.each([
    { given: { method: 'GET' }, text: 'GET / HTTP/1.1\r\nhost: h:1\r\n\r\n' },
    {
      given: { path: '/a?b=%20', headers: json },
      text: 'GET /a?b=%20 HTTP/1.1\r\nhost: h:1\r\naccept: application/json\r\n\r\n',
    },
    {
      given: { headers: { group: ['a', 'b'], none: [] } },
      text: 'GET / HTTP/1.1\r\nhost: h:1\r\ngroup: a\r\ngroup: b\r\n\r\n',
    },
    { given: { method: 'DELETE' }, text: 'DELETE / HTTP/1.1\r\nhost: h:1\r\ncontent-length: 0\r\n\r\n' },
    { given: { method: 'POST', body: '' }, text: 'POST / HTTP/1.1\r\nhost: h:1\r\ncontent-length: 0\r\n\r\n' },
    { given: { method: 'PUT', body: 'né€😀' }, text: 'PUT / HTTP/1.1\r\nhost: h:1\r\ncontent-length: 10\r\n\r\nné€😀' },
  ])('looks like $text', ({ given, text }) => {
    expect(requestText({ ...request, ...given })).toBe(text)
  })

  it.each(['', 'a', '*', 'http://h/', '/a b', '/a\r\nx: y', '/a\n', '/a\t', '/a\0', '/é', '/\u010d\u010a'])(
    'is not made for the path %j',
    (path) => {
      expect(() => requestText({ ...request, path })).toThrow(ConnectionError)
    },
  )

  it.each(['token\r\nx: y', 'token\n', 'token\r', '\0', '\x7f', '\x1b[0m'])(
    'has no header with the value %j',
    (value) => {
      expect(() => requestText({ ...request, headers: { authorization: value } })).toThrow(ConnectionError)
      expect(() => requestText({ ...request, headers: { group: ['fine', value] } })).toThrow(ConnectionError)
    },
  )

  it.each(['', 'a b', 'a:', 'a\r\nb', 'a\n', 'a(b)', 'é'])('has no header with the name %j', (name) => {
    expect(() => requestText({ ...request, headers: { [name]: 'x' } })).toThrow(ConnectionError)
  })

  it('that cannot be sent has had no effect, and its refusal does not tell a secret', () => {
    const make = () => requestText({ ...request, headers: { authorization: 'Bearer s3cret\n' } })
    expect(make).toThrow(expect.objectContaining({ nothingSent: true }))
    expect(make).toThrow(/^(?!.*s3cret)/s)
  })
})

/** What Node's server makes of the bytes of a connection. */
function heardByNode(text: string): Promise<readonly { readonly message: IncomingMessage; readonly body: string }[]> {
  return new Promise((resolve, reject) => {
    const heard: { message: IncomingMessage; body: string }[] = []
    const server = createServer((message, response) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => {
        heard.push({ message, body: Buffer.concat(chunks).toString('utf8') })
        response.end()
      })
    })
    server.on('clientError', reject)
    const wire = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    server.emit('connection', wire)
    wire.push(Buffer.from(`${text}GET /last HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`))
    wire.on('close', () => resolve(heard))
    wire.on('finish', () => wire.destroy())
  })
}

describe('whatever is given', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\r\n', '\r\n\r\nGET /x HTTP/1.1\r\n'),
  )
  const given = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    path: fc.oneof(fc.webPath(), anyText).map((path) => `/${path}`),
    value: anyText,
    body: fc.option(anyText, { nil: undefined }),
  })

  it('is refused, or is one request to a server, with the same body', async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ method, path, value, body }) => {
        let text: string
        try {
          text = requestText({ method, path, host: 'h', headers: { value }, ...(body !== undefined && { body }) })
        } catch (error) {
          expect(error).toBeInstanceOf(ConnectionError)
          return
        }
        const [first, last, ...more] = await heardByNode(text)
        expect(first?.message).toMatchObject({ method, url: path })
        expect(Buffer.from(String(first?.message.headers.value), 'latin1').toString('utf8')).toBe(trimmed(value))
        expect(first?.body).toBe(Buffer.from(body ?? '').toString('utf8'))
        expect(last?.message.url).toBe('/last')
        expect(more).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

function trimmed(value: string): string {
  return Buffer.from(value)
    .toString('utf8')
    .replace(/^[ \t]+|[ \t]+$/g, '')
}
