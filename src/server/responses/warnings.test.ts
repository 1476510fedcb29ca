import { describe, expect, it } from 'vitest'
import { warningHeaders } from './warnings.ts'

describe('Warning headers', () => {
  it.each([
    [['unknown field "spec.bogus"'], ['299 - "unknown field \\"spec.bogus\\""']],
    [['a\\b'], ['299 - "a\\\\b"']],
    [
      ['twice', 'twice', 'once'],
      ['299 - "twice"', '299 - "once"'],
    ],
    [['two\r\nX-Injected: lines'], ['299 - "two X-Injected: lines"']],
    [['', ' '], []],
  ])('%j becomes %j', (texts, headers) => {
    expect(warningHeaders(texts)).toEqual(headers)
  })

  it('carry UTF-8 as header bytes', () => {
    const [header = ''] = warningHeaders(['größe'])
    expect(Buffer.from(header, 'latin1').toString()).toBe('299 - "größe"')
  })

  it('cut texts when they are too long together, and drop what still does not fit', () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(300)}`)
    const headers = warningHeaders(texts)
    expect(headers).toHaveLength(16)
    expect(headers.every((header) => header.length === '299 - ""'.length + 256)).toBe(true)
  })
})
