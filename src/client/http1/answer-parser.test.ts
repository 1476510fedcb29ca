import { get } from 'node:http'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../connection/connection-error.ts'
import { AnswerParser } from './answer-parser.ts'

interface Read {
  readonly status: number
  readonly body: string
  readonly isWhole: boolean
}

/** What a parser makes of these pieces, each answer being asked for when the one before has ended. */
function read(pieces: readonly Buffer[]): readonly Read[] {
  const answers: Read[] = []
  const change = (changed: (last: Read) => Read) => {
    const last = answers.pop()
    if (last !== undefined) answers.push(changed(last))
  }
  const parser = new AnswerParser({
    onHead: ({ status }) => answers.push({ status, body: '', isWhole: false }),
    onData: (bytes) => change((last) => ({ ...last, body: last.body + bytes.toString('latin1') })),
    onEnd: () => {
      change((last) => ({ ...last, isWhole: true }))
      parser.expectAnswer()
    },
  })
  for (const piece of pieces) parser.read(piece)
  if (parser.endsWithConnection()) change((last) => ({ ...last, isWhole: true }))
  return answers
}

function cutAt(text: string, places: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text, 'latin1')
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
}

const wholeOrRefused = (pieces: readonly Buffer[]) => {
  try {
    return read(pieces)
  } catch (error) {
    if (error instanceof ConnectionError) return error.message
    throw error
  }
}

const bodyText = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const extension = fc.constantFrom('', ';a', ';a=b', ';a="x y"')
const chunk = fc
  .tuple(
    bodyText.filter((text) => text !== ''),
    extension,
    fc.boolean(),
  )
  .map(([text, more, isLarge]) => {
    const size = text.length.toString(16)
    return { text, wire: `${isLarge ? size.toUpperCase() : `0${size}`}${more}\r\n${text}\r\n` }
  })
const trailers = fc.constantFrom('', 'a: b\r\n', 'a: b\r\nc:\r\n')
const chunked = fc.tuple(fc.array(chunk, { maxLength: 4 }), extension, trailers).map(([chunks, more, behind]) => ({
  body: chunks.map(({ text }) => text).join(''),
  wire: `transfer-encoding: chunked\r\n\r\n${chunks.map(({ wire }) => wire).join('')}0${more}\r\n${behind}\r\n`,
}))
const counted = bodyText.map((body) => ({ body, wire: `content-length: ${body.length}\r\n\r\n${body}` }))
const interim = fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n')
const withBody = fc
  .tuple(interim, fc.constantFrom(200, 201, 404, 500), fc.oneof(chunked, counted))
  .map(([before, status, { body, wire }]) => ({
    wire: `${before}HTTP/1.1 ${status} x\r\nA: b\r\n${wire}`,
    answer: { status, body, isWhole: true },
  }))
const withoutBody = fc.constantFrom(204, 304).map((status) => ({
  wire: `HTTP/1.1 ${status} x\r\ncontent-length: 5\r\n\r\n`,
  answer: { status, body: '', isWhole: true },
}))
const answers = fc.array(fc.oneof(withBody, withoutBody), { minLength: 1, maxLength: 4 })
const places = fc.array(fc.nat(), { maxLength: 12 })

describe('answers one after the other', () => {
  it('are read the same wherever they are cut', () => {
    fc.assert(
      fc.property(answers, places, (sent, cuts) => {
        const text = sent.map(({ wire }) => wire).join('')
        expect(read(cutAt(text, cuts))).toEqual(sent.map(({ answer }) => answer))
      }),
      { numRuns: 500 },
    )
  })

  it('are read the same byte by byte', () => {
    fc.assert(
      fc.property(answers, (sent) => {
        const text = sent.map(({ wire }) => wire).join('')
        const bytes = [...Buffer.from(text, 'latin1')].map((byte) => Buffer.of(byte))
        expect(read(bytes)).toEqual(sent.map(({ answer }) => answer))
      }),
      { numRuns: 50 },
    )
  })

  it('are not whole when any of their last bytes are missing', () => {
    fc.assert(
      fc.property(withBody, fc.nat(), ({ wire }, place) => {
        const [last = undefined] = read(cutAt(wire.slice(0, place % wire.length), [])).slice(-1)
        expect(last?.isWhole ?? false).toBe(false)
      }),
    )
  })

  it('that are damaged are refused or read the same wherever they are cut', () => {
    fc.assert(
      fc.property(
        answers,
        fc.nat(),
        fc.constantFrom('', '\n', '\r', '\r\n', ' ', '0', ';', ':', '\0'),
        places,
        (sent, at, mark, cuts) => {
          const text = sent.map(({ wire }) => wire).join('')
          const place = at % text.length
          const damaged = text.slice(0, place) + mark + text.slice(place + 1)
          expect(wholeOrRefused(cutAt(damaged, cuts))).toEqual(wholeOrRefused(cutAt(damaged, [])))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('end with the connection if they do not say where', () => {
    expect(read([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), Buffer.from('abc')])).toEqual([
      { status: 200, body: 'abc', isWhole: true },
    ])
    expect(read([Buffer.from('HTTP/1.1 200 OK\r\n\r\n')])).toMatchObject([{ body: '', isWhole: true }])
  })
})

describe('an answer is refused', () => {
  const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  const long = 'x'.repeat(70_000)
  it.each([
    ['that changes the protocol', 'HTTP/1.1 101 x\r\n\r\n'],
    ['whose chunk has no size', `${chunkedHead}\r\n`],
    ['whose chunk has a size that is no number', `${chunkedHead}g\r\n`],
    ['whose chunk has a size below zero', `${chunkedHead}-1\r\n`],
    ['whose chunk has a size with a prefix', `${chunkedHead}0x1\r\na\r\n`],
    ['whose chunk has a blank behind its size', `${chunkedHead}1 \r\na\r\n`],
    ['whose chunk begins with a blank', `${chunkedHead} 1\r\na\r\n`],
    ['whose chunk is larger than anything', `${chunkedHead}fffffffffffff\r\n`],
    ['whose chunk is longer than it says', `${chunkedHead}1\r\nab\r\n`],
    ['whose line of a chunk ends in doubt', `${chunkedHead}1;a\nb\r\na\r\n`],
    ['whose chunk is followed by a line feed alone', `${chunkedHead}1\r\na\n0\r\n\r\n`],
    ['whose trailers are the next answer', `${chunkedHead}0\r\nHTTP/1.1 200 OK\r\n\r\n`],
    ['whose head has no end', `HTTP/1.1 200 OK\r\na: ${long}`],
    ['whose head is too long', `HTTP/1.1 200 OK\r\na: ${long}\r\n\r\n`],
    ['whose line of a chunk has no end', `${chunkedHead}1;${long}`],
    ['whose trailers have no end', `${chunkedHead}0\r\n${'a: b\r\n'.repeat(20_000)}`],
  ])('%s', (_, text) => {
    for (const cuts of [[], [10, 60, 66_000], [text.length - 1]])
      expect(() => read(cutAt(text, cuts))).toThrow(ConnectionError)
  })

  it('that goes on behind its end', () => {
    const parser = new AnswerParser({ onHead: () => {}, onData: () => {}, onEnd: () => {} })
    const more = () => parser.read(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab'))
    expect(more).toThrow('goes on behind its end')
  })

  it('at the same length of its head, wherever that is cut', () => {
    const start = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\na: '
    const longest = `${start}${'x'.repeat(64 * 1024 - start.length)}\r\n\r\n`
    for (const back of [0, 1, 2, 3, 4]) {
      expect(read(cutAt(longest, [longest.length - back]))).toHaveLength(1)
      expect(() => read(cutAt(longest.replace('a:', 'ab:'), [longest.length + 1 - back]))).toThrow(ConnectionError)
    }
  })
})

/** What Node's own client makes of the bytes that a server sends. */
function readByNode(text: string): Promise<Read | 'refused'> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(text, 'latin1'))
    }).listen(0, '127.0.0.1', () => {
      const address = server.address()
      const give = (outcome: Read | 'refused') => server.close(() => resolve(outcome))
      const port = address !== null && typeof address === 'object' ? address.port : 0
      get({ port, host: '127.0.0.1', agent: false }, (response) => {
        let body = ''
        response.setEncoding('latin1').on('data', (data: string) => {
          body += data
        })
        response.on('end', () => give({ status: response.statusCode ?? 0, body, isWhole: true }))
        response.on('error', () => give('refused'))
      }).on('error', () => give('refused'))
    })
  })
}

describe('what is accepted', () => {
  it('means the same to the parser of Node', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(withBody, withoutBody), async ({ wire, answer }) => {
        expect(await readByNode(wire)).toEqual(answer)
      }),
      { numRuns: 50 },
    )
  })

  it('means the same or nothing to the parser of Node if it was damaged', async () => {
    const marks = fc.constantFrom('', '\n', '\r', '\r\n', ' ', '\t', '0', '1', ';', ':', ',', '\0', '\x7f', '\xa0')
    await fc.assert(
      fc.asyncProperty(withBody, fc.nat(), marks, async ({ wire }, at, mark) => {
        const place = at % wire.length
        const damaged = wire.slice(0, place) + mark + wire.slice(place + 1)
        const ours = wholeOrRefused(cutAt(damaged, []))
        if (typeof ours === 'string' || !ours[0]?.isWhole) return
        expect([ours[0], 'refused']).toContainEqual(await readByNode(damaged))
      }),
      { numRuns: 300 },
    )
  })
})
