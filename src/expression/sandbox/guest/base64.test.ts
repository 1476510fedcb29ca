import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atob, btoa } from './base64.js'

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })
const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))

describe('btoa and atob', () => {
  it.each([
    ['my-value', 'bXktdmFsdWU='],
    ['', ''],
    ['größe', 'Z3LDtsOfZQ=='],
    ['größe ✓', 'Z3LDtsOfZSDinJM='],
    ['𝒳', '8J2Ssw=='],
    ['\0\x01\xff', 'AAHDvw=='],
  ])('%j is encoded as %j and comes back', (text, encoded) => {
    expect(btoa(text)).toBe(encoded)
    expect(atob(encoded)).toBe(text)
  })

  it('encode any text as UTF-8, and undo each other', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(btoa(text)).toBe(Buffer.from(text).toString('base64'))
        expect(atob(btoa(text))).toBe(text)
      }),
    )
  })

  it('decode a text the same whatever stands beside it', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        expect(btoa(atob(btoa(text)) + more)).toBe(Buffer.from(text + more).toString('base64'))
      }),
    )
  })

  it('refuse bytes that are not UTF-8, and change none', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const encoded = bytes.toString('base64')
        if (isUtf8(bytes)) expect(btoa(atob(encoded))).toBe(encoded)
        else expect(() => atob(encoded)).toThrow('bytes that are not UTF-8 text')
      }),
    )
  })

  it.each([
    ['blanks', ' bXkt\ndmFs dWU= '],
    ['no padding', 'bXktdmFsdWU'],
  ])('decode base64 with %s', (_what, encoded) => {
    expect(atob(encoded)).toBe('my-value')
  })

  it('take numbers and booleans for text', () => {
    expect([btoa(42), btoa(true), atob(btoa(1234))]).toEqual(['NDI=', 'dHJ1ZQ==', '1234'])
  })

  it.each([
    [() => btoa(undefined), 'btoa needs text, it was given undefined'],
    [() => btoa(null), 'btoa needs text, it was given null'],
    [() => atob({}), 'atob needs text, it was given object'],
    [() => atob('*'), 'atob was given text that is not base64'],
    [() => btoa('✓\ud800'), 'btoa cannot encode half a surrogate pair'],
  ])('%s is refused', (attempt, message) => {
    expect(attempt).toThrow(message)
  })
})
