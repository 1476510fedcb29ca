import { expect, it } from 'vitest'
import { scaleSpecErrors, scaleStatusErrors } from './scale-values.ts'

const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', labelSelectorPath: '.status.sel' }
const typed = { apiVersion: 'e.com/v1', kind: 'Thing', metadata: {} }

it.each<[unknown, string[]]>([
  [{}, []],
  [{ size: 3 }, []],
  [null, []],
  [
    { size: null },
    ['.spec.size: Invalid value: 0: .spec.size accessor error: <nil> is of the type <nil>, expected int64'],
  ],
  [{ size: -1 }, ['.spec.size: Invalid value: -1: should be a non-negative integer']],
  [{ size: 2 ** 31 }, ['.spec.size: Invalid value: 2147483648: should be less than or equal to 2147483647']],
  [
    { size: 1.5 },
    ['.spec.size: Invalid value: 0: .spec.size accessor error: 1.5 is of the type float64, expected int64'],
  ],
  [
    'x',
    [
      '.spec.size: Invalid value: 0: .spec.size accessor error: x is of the type string, expected map[string]interface{}',
    ],
  ],
])('a wanted size in %j', (spec, expected) => {
  const found = scaleSpecErrors({ ...typed, spec }, scale)
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  expect(scaleSpecErrors({ ...typed, spec }, undefined)).toEqual([])
})

it('a selector is a text', () => {
  const found = scaleStatusErrors({ ...typed, status: { size: '1', sel: { a: 'b' } } }, scale)
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    '.status.size: Invalid value: 0: .status.size accessor error: 1 is of the type string, expected int64',
    '.status.sel: Invalid value: "": .status.sel accessor error: map[a:b] is of the type map[string]interface {}, expected string',
  ])
})
