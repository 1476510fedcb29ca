import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LabelOperator, LabelRequirement } from './label-requirement.ts'
import { labelSelectorOf, parseLabelSelector, printLabelSelector } from './label-selector.ts'

describe('label selectors select', () => {
  const cases: readonly (readonly [string, Record<string, string> | undefined, boolean])[] = [
    ['', undefined, true],
    ['  ', { a: 'b' }, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=b', undefined, false],
    ['a=', { a: '' }, true],
    ['a=,b=c', { a: '', b: 'c' }, true],
    ['a!=b', { a: 'c' }, true],
    ['a!=b', undefined, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (x,y)', { a: 'y' }, true],
    ['a in (x, y),a!=y', { a: 'y' }, false],
    ['a in (x,y)', {}, false],
    ['a in ()', { a: '' }, true],
    ['a in ()', { a: 'x' }, false],
    ['a in (,x)', { a: '' }, true],
    ['a in (x,)', { a: '' }, true],
    ['a in (x,,y)', { a: '' }, true],
    ['a notin (x)', {}, true],
    ['a notin (x)', { a: 'x' }, false],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['! a', { a: '' }, false],
    ['!a,zz', { zz: '1' }, true],
    ['a>1', { a: '10' }, true],
    ['a<1', { a: '-10' }, true],
    ['a>1', { a: 'x' }, false],
    ['a>1', {}, false],
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['in in (in,notin)', { in: 'notin' }, true],
    ['example.com/tier=web', { 'example.com/tier': 'web' }, true],
    ['constructor', {}, false],
    ['toString!=x', {}, true],
  ]
  it.each(cases)('%j on %j', (text, labels, expected) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(expected)
  })
})

describe('invalid label selectors are refused as in Kubernetes', () => {
  const name =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
  const value =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
  const cases: readonly (readonly [string, string])[] = [
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (,,)', "unable to parse requirement: found ')', expected: ',', or identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['-a=b', `unable to parse requirement: <nil>: Invalid value: "-a": ${name}`],
    ['a=-b', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${value}`],
    ['a\u00a0=b', `unable to parse requirement: <nil>: Invalid value: "a\\u00a0": ${name}`],
  ]
  it.each(cases)('%j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400, reason: 'BadRequest', message }) }),
    )
  })

  it('never fails in another way', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'in', ' ', '(', ')', ',', '=', '!', '<', '-') }), (text) => {
        expect(isSelector(text)).toBeTypeOf('boolean')
      }),
    )
  })
})

describe('label selectors printed and parsed again', () => {
  const key = fc.constantFrom('a', 'example.com/b', 'in')
  const value = fc.constantFrom('x', 'y', 'Z_1', '7')
  const one = fc.record({ key, operator: fc.constantFrom<LabelOperator>('=', '==', '!='), values: fc.tuple(value) })
  const many = fc.record({
    key,
    operator: fc.constantFrom<LabelOperator>('in', 'notin'),
    values: fc.array(value, { minLength: 1 }),
  })
  const none = fc.record({ key, operator: fc.constantFrom<LabelOperator>('exists', '!'), values: fc.constant([]) })
  const requirement = fc
    .oneof(one, many, none)
    .map(({ values, ...rest }): LabelRequirement => ({ ...rest, values: new Set<string>(values) }))

  it('are the same', () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const text = printLabelSelector(labelSelectorOf(requirements))
        expect(parseLabelSelector(text).requirements).toEqual(requirements)
      }),
    )
  })
})

function isSelector(text: string): boolean {
  try {
    parseLabelSelector(text)
    return true
  } catch (error) {
    expect(error).toHaveProperty('status.code', 400)
    return false
  }
}
