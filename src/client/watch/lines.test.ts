import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Line, LineReader } from './lines.ts'

const textsOf = (lines: readonly Line[]) => lines.map(({ bytes }) => bytes.toString())

it.each([
  { chunks: ['one\ntwo\n'], lines: ['one', 'two'] },
  { chunks: ['on', 'e\ntw', 'o\n'], lines: ['one', 'two'] },
  { chunks: ['one\n\n\ntwo\n'], lines: ['one', 'two'] },
  { chunks: ['one\ntw'], lines: ['one'] },
  { chunks: ['', '\n', ''], lines: [] },
])('reads $lines out of $chunks', ({ chunks, lines }) => {
  const reader = new LineReader(100)
  expect(chunks.flatMap((chunk) => textsOf(reader.read(Buffer.from(chunk))))).toEqual(lines)
})

it('returns the same lines however the chunks are split, even inside a character', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll('\n', '_')))
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const reader = new LineReader(10_000)
      const read: string[] = []
      for (let at = 0; at < bytes.length; at += size) read.push(...textsOf(reader.read(bytes.subarray(at, at + size))))
      expect(read).toEqual(lines)
    }),
  )
})

it('keeps only the start of an endless line, and reads the next line', () => {
  const reader = new LineReader(10)
  for (const chunk of ['12345678\n12345', '678901', '2345']) reader.read(Buffer.from(chunk))
  const [long, next] = reader.read(Buffer.from('6\nnext\n'))
  expect(long).toEqual({ bytes: Buffer.from('1234567890'), isWhole: false })
  expect(next).toEqual({ bytes: Buffer.from('next'), isWhole: true })
})

it('reads a long line in linear time', () => {
  const reader = new LineReader(64 * 1024 * 1024)
  // To copy what there is with each chunk would move terabytes.
  const chunk = Buffer.alloc(512, 'x')
  const count = 100_000
  for (let index = 0; index < count; index++) reader.read(chunk)
  expect(reader.read(Buffer.from('\n'))[0]?.bytes).toHaveLength(count * chunk.length)
})
