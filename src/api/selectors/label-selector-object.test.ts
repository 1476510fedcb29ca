import { describe, expect, it } from 'vitest'
import { type LabelSelectorObject, labelSelectorFrom, validateLabelSelector } from './label-selector-object.ts'

describe('label selectors inside objects', () => {
  it('absent select nothing, empty select everything', () => {
    expect(labelSelectorFrom(undefined).matches({ a: 'b' })).toBe(false)
    expect(labelSelectorFrom({}).matches({ a: 'b' })).toBe(true)
    expect(labelSelectorFrom({}).matchesEverything).toBe(true)
  })

  const cases: readonly (readonly [LabelSelectorObject, Record<string, string>, boolean])[] = [
    [{ matchLabels: { a: 'b' } }, { a: 'b' }, true],
    [{ matchLabels: { a: 'b', c: 'd' } }, { a: 'b' }, false],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] }, { a: 'c' }, true],
    [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }, {}, true],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, {}, false],
    [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, {}, true],
    [{ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] }, { a: 'b' }, false],
  ]
  it.each(cases)('%j on %j', (object, labels, expected) => {
    expect(labelSelectorFrom(object).matches(labels)).toBe(expected)
  })

  it('are validated field by field', () => {
    const errors = validateLabelSelector('spec.selector', {
      matchLabels: { 'a b': 'c' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'Gt', values: ['1'] },
        { key: '', operator: 'In', values: ['-'] },
      ],
    })
    expect(errors.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'spec.selector.matchLabels FieldValueInvalid',
      'spec.selector.matchExpressions[0].values FieldValueRequired',
      'spec.selector.matchExpressions[1].values FieldValueForbidden',
      'spec.selector.matchExpressions[2].operator FieldValueInvalid',
      'spec.selector.matchExpressions[3].key FieldValueInvalid',
      'spec.selector.matchExpressions[3].key FieldValueInvalid',
      'spec.selector.matchExpressions[3].values[0] FieldValueInvalid',
    ])
  })

  it.each([
    [199, []],
    [200, ['spec.selector: Too many: 201: must have at most 200 items']],
  ])('have 200 requirements at most: a label and %d expressions', (count, texts) => {
    const matchExpressions = Array.from({ length: count }, (_, at) => ({ key: `k${at}`, operator: 'DoesNotExist' }))
    const errors = validateLabelSelector('spec.selector', { matchLabels: { a: 'b' }, matchExpressions })
    expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(texts)
  })
})
