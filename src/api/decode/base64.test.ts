import { expect, it } from 'vitest'
import { base64OfBytes, bytesOfBase64 } from './base64.ts'

it.each(['', 'a', 'ab', 'abc', 'abcd', '\u00ff\ufffd+/'])('%j survives a round trip', (text) => {
  const bytes = new TextEncoder().encode(text)
  expect(bytesOfBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes)
})

it.each([0, 1, 2, 3, 4, 5, 254, 255, 256, 3_001])('%d bytes are encoded correctly', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 89 + (at >> 8)) & 0xff)
  expect(base64OfBytes(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})

it('megabytes are encoded correctly', () => {
  const bytes = Uint8Array.from({ length: 2_900_000 }, (_, at) => (at * 89 + (at >> 8)) & 0xff)
  expect(base64OfBytes(bytes) === Buffer.from(bytes).toString('base64')).toBe(true)
})
