import { describe, expect, it } from 'vitest'
import {
  allErrors,
  duplicateField,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from './field-error.ts'

describe('field errors are worded as Kubernetes words them', () => {
  const cases: readonly (readonly [FieldError, string])[] = [
    [requiredField('a'), 'Required value'],
    [requiredField('a', 'name or generateName is required'), 'Required value: name or generateName is required'],
    [invalidField('a', 'x"y', 'bad'), 'Invalid value: "x\\"y": bad'],
    [invalidField('a', 5, 'field is immutable'), 'Invalid value: 5: field is immutable'],
    [invalidField('a', true, 'bad'), 'Invalid value: true: bad'],
    [invalidField('a', undefined, 'missing'), 'Invalid value: "null": missing'],
    [invalidField('a', ['x', 'y'], 'bad'), 'Invalid value: []string{"x", "y"}: bad'],
    [invalidField('a', { b: 1 }, 'bad'), 'Invalid value: {"b":1}: bad'],
    [notSupportedField('a', ['Foo'], ['All']), 'Unsupported value: []string{"Foo"}: supported values: "All"'],
    [notSupportedField('a', 'Foo', ['A', 'B']), 'Unsupported value: "Foo": supported values: "A", "B"'],
    [duplicateField('a', 'x'), 'Duplicate value: "x"'],
    [forbiddenField('a', 'no'), 'Forbidden: no'],
    [tooLongField('a', 262144), 'Too long: may not be more than 262144 bytes'],
    [tooManyField('a', 3, 2), 'Too many: 3: must have at most 2 items'],
    [notFoundField('a', 'x'), 'Not found: "x"'],
  ]
  it.each(cases)('%j', (error, message) => {
    expect(error.message).toBe(message)
  })
})

describe('errors of several checks', () => {
  const [first, second] = [requiredField('spec.a'), requiredField('spec.b')]

  it('are in the order of the checks', () => {
    expect(allErrors([], [first], [], [second])).toEqual([first, second])
    expect(allErrors([], [])).toEqual([])
  })

  it('are in the order of the items', () => {
    const found = errorsOfEach(['a', '', 'b'], (name, index) =>
      name === '' ? [] : [requiredField(`${name}[${index}]`)],
    )
    expect(found).toEqual([requiredField('a[0]'), requiredField('b[2]')])
  })
})
