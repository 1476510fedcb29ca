import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32OfStart } from './crc32.ts'

it('equals that of zlib for every prefix of an ASCII text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.nat(), (text, number) => {
      const length = number % (text.length + 1)
      expect(crc32OfStart(text, length)).toBe(crc32(text.slice(0, length)))
    }),
  )
})
