import { describe, expect, it } from 'vitest'
import { codePointName, goSyntax, goTime, isPrintable, quoted } from './go-syntax.ts'

describe('texts are quoted as Go quotes them', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain text', '"plain text"'],
    ['', '""'],
    ['say "hi" \\ bye', '"say \\"hi\\" \\\\ bye"'],
    ['a\nb\tc', '"a\\nb\\tc"'],
    ['\x00\x7f', '"\\x00\\x7f"'],
    ['é 漢 😀', '"é 漢 😀"'],
    ['\u00a0\u200b', '"\\u00a0\\u200b"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ["it's <b>", '"it\'s <b>"'],
  ]
  it.each(cases)('%j', (text, expected) => {
    expect(quoted(text)).toBe(expected)
  })
})

describe('values are printed as Go prints them', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [null, '"null"'],
    [undefined, '"null"'],
    [5, '5'],
    [false, 'false'],
    [[], '[]string{}'],
    [['a'], '[]string{"a"}'],
    [[1], '[1]'],
    [{ a: 'b' }, '{"a":"b"}'],
  ]
  it.each(cases)('%j', (value, expected) => {
    expect(goSyntax(value)).toBe(expected)
  })

  it('times are printed in UTC', () => {
    expect(goTime('2001-01-01T00:00:00Z')).toBe('2001-01-01 00:00:00 +0000 UTC')
    expect(goTime('2001-01-01T02:00:00+02:00')).toBe('2001-01-01 00:00:00 +0000 UTC')
    expect(goTime('yesterday')).toBe('"yesterday"')
  })

  it('characters that cannot be printed are known by their number', () => {
    expect(isPrintable('\n')).toBe(false)
    expect(isPrintable('é')).toBe(true)
    expect(codePointName(10)).toBe('U+000A')
  })
})
