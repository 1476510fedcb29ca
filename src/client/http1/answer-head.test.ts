import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../connection/connection-error.ts'
import { readAnswerHead } from './answer-head.ts'

const head = (...lines: readonly string[]) => lines.join('\r\n')
const ok = (...fields: readonly string[]) => readAnswerHead(head('HTTP/1.1 200 OK', ...fields))
const toTheEnd = 'until the connection ends'

describe('the head of an answer', () => {
  it('has a status and headers, whose names are small and whose values have no blanks around them', () => {
    expect(ok('Content-Type:application/json', 'X-Empty:', 'x-padded: \t a  b \t', 'Content-Length: 2')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'x-empty': '', 'x-padded': 'a  b', 'content-length': '2' },
      bodyLength: 2,
      keepsOpenMs: Number.POSITIVE_INFINITY,
    })
  })

  it.each(['HTTP/1.1 200', 'HTTP/1.1 200 ', 'HTTP/1.1 200 Très bien', 'HTTP/1.0 599 Odd'])(
    'may begin with %j',
    (line) => {
      expect(readAnswerHead(line).status).toBe(Number(line.slice(9, 12)))
    },
  )

  it('joins headers that come twice, except for cookies', () => {
    expect(ok('A: 1', 'a: 2', 'Set-Cookie: x', 'set-cookie: y').headers).toEqual({
      a: '1, 2',
      'set-cookie': ['x', 'y'],
    })
  })

  it('does no harm by the name of a header', () => {
    const { headers } = ok('__proto__: 1', 'constructor: 2', 'toString: 3')
    expect(headers).toMatchObject({ constructor: '2', tostring: '3' })
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })

  it('keeps what is no blank in HTTP, though it looks like one', () => {
    expect(ok('a: \xa0x\xa0').headers.a).toBe('\xa0x\xa0')
  })
})

describe('the end of an answer', () => {
  it.each([
    { says: ['content-length: 0'], bodyLength: 0 },
    { says: ['content-length: 007'], bodyLength: 7 },
    { says: ['transfer-encoding: Chunked'], bodyLength: 'chunked' },
    { says: [], bodyLength: toTheEnd },
  ])('is found by $says', ({ says, bodyLength }) => {
    expect(ok(...says).bodyLength).toBe(bodyLength)
  })

  it.each([100, 103, 204, 304])('is that of the head for %i, whatever its headers say', (status) => {
    for (const field of ['content-length: 5', 'transfer-encoding: chunked', 'a: b'])
      expect(readAnswerHead(head(`HTTP/1.1 ${status} x`, field)).bodyLength).toBe(0)
  })

  it.each([
    'content-length: -1',
    'content-length: +1',
    'content-length: 1.0',
    'content-length: 1e3',
    'content-length: 0x10',
    'content-length:',
    'content-length: 5, 5',
    'content-length: 5\r\ncontent-length: 5',
    'content-length: 5\r\ncontent-length: 6',
    'content-length: \xa05',
    'content-length: 9007199254740993',
    'transfer-encoding: chunked\r\ncontent-length: 5',
    'transfer-encoding: chunked, chunked',
    'transfer-encoding: chunked\r\ntransfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: chunked\xa0',
    'transfer-encoding: identity',
    'transfer-encoding:',
  ])('is in doubt with %j, which is refused', (field) => {
    expect(() => ok(field)).toThrow(ConnectionError)
  })

  it('is in doubt where an old server uses what it cannot know, which is refused', () => {
    expect(() => readAnswerHead(head('HTTP/1.0 200 OK', 'transfer-encoding: chunked'))).toThrow(ConnectionError)
  })
})

describe('a head is refused', () => {
  it.each([
    '',
    'HTTP/2 200 OK',
    'HTTP/1.2 200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20',
    'HTTP/1.1 2000',
    'HTTP/1.1 600 x',
    'HTTP/1.1 099 x',
    ' HTTP/1.1 200 OK',
    'SSH-2.0-OpenSSH_9.2',
    'HTTP/1.1 200 OK\nContent-Length: 5',
    'HTTP/1.1 200 OK\rContent-Length: 5',
    'HTTP/1.1 200 \0',
  ])('that begins with %j', (line) => {
    expect(() => readAnswerHead(line)).toThrow(ConnectionError)
  })

  it.each([
    'no colon',
    ': no name',
    'blank : behind the name',
    ' folded: line',
    'a: b\r\n folded',
    'na(me: x',
    'näme: x',
    'a: b\nc: d',
    'a: b\rc: d',
    'a: \0',
    'a: \x7f',
    'a: \x0b',
  ])('that has %j for a header', (line) => {
    expect(() => ok(line)).toThrow(ConnectionError)
  })

  it('without repeating what it said', () => {
    expect(() => ok('secret value')).toThrow(/^(?!.*secret)/)
  })
})

describe('another request', () => {
  const forever = Number.POSITIVE_INFINITY
  it.each([
    { head: ['HTTP/1.1 200 OK', 'content-length: 0'], ms: forever },
    { head: ['HTTP/1.1 200 OK', 'content-length: 0', 'connection: close'], ms: 0 },
    { head: ['HTTP/1.1 200 OK', 'content-length: 0', 'connection: Keep-Alive, Close'], ms: 0 },
    { head: ['HTTP/1.1 200 OK', 'content-length: 0', 'connection: a', 'connection: close'], ms: 0 },
    { head: ['HTTP/1.1 200 OK', 'content-length: 0', 'connection: closed'], ms: forever },
    { head: ['HTTP/1.1 200 OK'], ms: 0 },
    { head: ['HTTP/1.0 200 OK', 'content-length: 0'], ms: 0 },
    { head: ['HTTP/1.0 200 OK', 'content-length: 0', 'connection: keep-alive'], ms: forever },
    { head: ['HTTP/1.0 200 OK', 'content-length: 0', 'connection: keep-alive, close'], ms: 0 },
    { head: ['HTTP/1.1 204 x', 'keep-alive: timeout=5, max=100'], ms: 4000 },
    { head: ['HTTP/1.1 204 x', 'keep-alive: max=100, Timeout=60'], ms: 59_000 },
    { head: ['HTTP/1.1 204 x', 'keep-alive: timeout=1'], ms: 500 },
    { head: ['HTTP/1.1 204 x', 'keep-alive: timeout=0'], ms: 0 },
    { head: ['HTTP/1.1 204 x', 'keep-alive: max=100'], ms: forever },
  ])('may follow $head for $ms ms', ({ head: lines, ms }) => {
    expect(readAnswerHead(head(...lines)).keepsOpenMs).toBe(ms)
  })
})
