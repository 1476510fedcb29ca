import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonSyntaxError } from './error.ts'
import { parseJson } from './parse.ts'
import { parsePrecisely } from './precise.ts'
import { decodeUtf8 } from './utf8.ts'

describe('parseJson', () => {
  it.each([
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['{"spec":{"ttl":1,"ttl":2,"ttl":3}}', { spec: { ttl: 3 } }, ['spec.ttl', 'spec.ttl']],
    ['{"ports":[{},{"port":1,"port":2}]}', { ports: [{}, { port: 2 }] }, ['ports[1].port']],
    ['{"a":":80","b\\\\":"\\"c\\":"}', { a: ':80', 'b\\': '"c":' }, []],
    ['{"a":{"b":1},"a":{"c":1}}', { a: { c: 1 } }, ['a']],
  ])('%s keeps the last of repeated members and names them', (text, value, duplicateFields) => {
    expect(parseJson(text)).toEqual({ value, duplicateFields })
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000', 100000000000000000000],
    ['0.50000000000000000', 0.5],
    ['[1e3, -0, 1E-2]', [1000, -0, 0.01]],
    ['"12345678901234567890"', '12345678901234567890'],
  ])('%s is kept', (text, value) => {
    expect(parseJson(text).value).toEqual(value)
  })

  it.each([
    ['{"spec":{"ttl":9007199254740993}}', 'the number 9007199254740993 at spec.ttl cannot be represented'],
    ['[0,9223372036854775807]', 'the number 9223372036854775807 at [1] cannot be represented'],
    ['1e400', 'the number 1e400 cannot be represented'],
  ])('%s would be rounded and is refused', (text, message) => {
    expect(() => parseJson(text)).toThrow(message)
  })

  it.each([
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{bad', "invalid character 'b' looking for beginning of object key string"],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])('%j is refused in the words clients know', (text, message) => {
    expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message))
  })

  it('refuses nesting that could overflow a stack, and accepts less', () => {
    expect(() => parseJson('['.repeat(100_000) + ']'.repeat(100_000))).toThrow('exceeded max depth')
    expect(() => parseJson('['.repeat(100_000))).toThrow('exceeded max depth')
    expect(() => parseJson('{"a":'.repeat(1001) + '1'.padEnd(1002, '}'))).toThrow('exceeded max depth')
    expect(parseJson('['.repeat(1000) + ']'.repeat(1000)).duplicateFields).toEqual([])
  })

  it.each(['{"__proto__":{"polluted":1},"constructor":2}', '{"x":1,"x":1,"__proto__":{"polluted":1}}'])(
    '%s keeps names of the prototype as plain members',
    (text) => {
      const value = parseJson(text).value as object
      expect(Object.keys(value)).toContain('__proto__')
      expect('polluted' in value).toBe(false)
      expect(JSON.stringify(value)).toContain('"__proto__":{"polluted":1}')
    },
  )

  it('agrees with JSON.parse on every JSON text, on both code paths', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parsePrecisely(text)).toEqual({ value: JSON.parse(text), duplicateFields: [] })
        const { value, duplicateFields } = parseJson(text)
        expect({ value, duplicateFields }).toEqual({ value: JSON.parse(text), duplicateFields: [] })
      }),
    )
  })

  it('refuses exactly the texts that JSON.parse refuses, and only with JsonSyntaxError', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\',
      '"',
      '1',
      '-',
      '.5',
      'e9',
      'true',
      'nul',
      ' ',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          expect(outcome(() => parseJson(text))).toBe(outcome(() => JSON.parse(text)))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('decodeUtf8', () => {
  it('returns text and refuses invalid UTF-8', () => {
    expect(decodeUtf8(new TextEncoder().encode('grün'))).toBe('grün')
    expect(() => decodeUtf8(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(JsonSyntaxError)
  })
})

function outcome(parse: () => unknown): 'taken' | 'refused' {
  try {
    parse()
    return 'taken'
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return 'refused'
    throw error
  }
}
