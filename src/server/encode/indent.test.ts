import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indentJson } from './indent.ts'

describe('indented JSON', () => {
  it('equals the result of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('keeps numbers as written', () => {
    expect(indentJson('{"a":[9223372036854775807,1.0]}')).toBe('{\n  "a": [\n    9223372036854775807,\n    1.0\n  ]\n}')
  })
})
