import { describe, expect, it } from 'vitest'
import { withYamlTexts } from './edit-yaml.ts'
import { parseYaml } from './yaml.ts'

const texts = ['10.0.0.0/8', '::1']

describe('a list of texts in a YAML text', () => {
  it.each([
    ['', { a: { b: texts } }],
    ['# nothing but a comment\n', { a: { b: texts } }],
    ['{}\n', { a: { b: texts } }],
    ['a: {c: yes}\n', { a: { c: true, b: texts } }],
    ['a:\n  c: "on"\nd: 010\n', { a: { c: 'on', b: texts }, d: 8 }],
    ['{"a": {"c": [1, null]}}', { a: { c: [1, null], b: texts } }],
    ['x: &x {c: 1}\nw: *x\na:\n  <<: *x\n', { x: { c: 1 }, w: { c: 1 }, a: { c: 1, b: texts } }],
  ])('%j', (text, expected) => {
    expect(parseYaml(withYamlTexts(text, ['a', 'b'], texts)).value).toEqual(expected)
  })

  it('leaves comments where they are', () => {
    const edited = withYamlTexts('# first\nsync: # why\n  toHost: {} # last\n', ['a', 'b'], texts)
    expect(edited).toBe('# first\nsync:\n  # why\n  toHost: {} # last\na:\n  b:\n    - "10.0.0.0/8"\n    - "::1"\n')
  })
})
