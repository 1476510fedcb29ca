import { expect, test } from 'vitest'
import { decodeEtcdMessage, encodeMessage, readInteger, writeInteger } from './wire.ts'

function roundTrip(value: number): number {
  let read = 0
  const message = encodeMessage((writer) => writeInteger(writer, 3, value))
  decodeEtcdMessage(message, (field, reader) => {
    if (field !== 3) return false
    read = readInteger(reader)
    return true
  })
  return read
}

test.each([0, 1, 127, 128, 2 ** 31, 2 ** 32, 2 ** 52 + 1, Number.MAX_SAFE_INTEGER, -1])(
  '%i is carried exactly',
  (value) => {
    expect(roundTrip(value)).toBe(value)
  },
)

test('a number that cannot be held exactly is refused, not rounded', () => {
  expect(() => roundTrip(2 ** 53)).toThrow(/cannot be held exactly/)
})

test('unknown fields of every wire type are skipped', () => {
  const message = encodeMessage((writer) => {
    writer.uint32((9 << 3) | 0).int64(7)
    writer.uint32((10 << 3) | 1).fixed64(7)
    writer.uint32((11 << 3) | 2).string('text')
    writer.uint32((12 << 3) | 5).fixed32(7)
    writeInteger(writer, 3, 42)
  })
  let read = 0
  decodeEtcdMessage(message, (field, reader) => {
    if (field !== 3) return false
    read = readInteger(reader)
    return true
  })
  expect(read).toBe(42)
})
