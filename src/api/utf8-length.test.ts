import fc from 'fast-check'
import { expect, it } from 'vitest'
import { utf8Length } from './utf8-length.ts'

it('counts the bytes that an encoder would write, broken surrogates included', () => {
  const encoder = new TextEncoder()
  const unit = fc.constantFrom('a', '\u00e9', '\u20ac', '\ud83d', '\ude00', '\u{1f600}', '\uffff')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
      expect(utf8Length(text)).toBe(encoder.encode(text).length)
    }),
  )
})
