import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atob, btoa } from './base64.js'

const latin1 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })

function isLatin1(text: string): boolean {
  return [...text].every((character) => character.charCodeAt(0) <= 0xff)
}

describe('btoa and atob', () => {
  it.each([
    ['my-value', 'bXktdmFsdWU='],
    ['', ''],
    ['größe', 'Z3L232U='],
    ['größe ✓', 'Z3LDtsOfZSDinJM='],
    ['𝒳', '8J2Ssw=='],
    ['\0\x01\xff', 'AAH/'],
  ])('%j is encoded as %j and comes back', (text, encoded) => {
    expect(btoa(text)).toBe(encoded)
    expect(atob(encoded)).toBe(text)
  })

  it('encode Latin-1 as browsers do', () => {
    fc.assert(fc.property(latin1, (text) => btoa(text) === globalThis.btoa(text)))
  })

  it('encode everything else as UTF-8', () => {
    fc.assert(fc.property(anyText, (text) => isLatin1(text) || btoa(text) === Buffer.from(text).toString('base64')))
  })

  it('undo each other for any text', () => {
    fc.assert(fc.property(anyText, (text) => atob(btoa(text)) === text))
  })

  it('decode bytes as browsers do unless they are UTF-8 for text beyond Latin-1', () => {
    fc.assert(
      fc.property(latin1, (binary) => {
        const encoded = globalThis.btoa(binary)
        const text = Buffer.from(binary, 'latin1').toString()
        const isUtf8 = Buffer.from(text).toString('latin1') === binary
        expect(atob(encoded)).toBe(isUtf8 && !isLatin1(text) ? text : binary)
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
    expect([btoa(42), btoa(true), atob(1234)]).toEqual(['NDI=', 'dHJ1ZQ==', globalThis.atob('1234')])
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
