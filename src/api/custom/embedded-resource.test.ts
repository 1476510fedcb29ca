import { expect, it } from 'vitest'
import { embeddedErrors } from './embedded-resource.ts'

const pod = { apiVersion: 'v1', kind: 'Pod' }

it.each([
  [pod, []],
  [{ ...pod, metadata: { labels: { a: 'b' } } }, []],
  [{}, ['f.apiVersion: Required value: must not be empty', 'f.kind: Required value: must not be empty']],
  [
    { apiVersion: '', kind: '' },
    ['f.apiVersion: Invalid value: "": must not be empty', 'f.kind: Invalid value: "": must not be empty'],
  ],
  [
    { apiVersion: 'a/b/c', kind: 'P!' },
    [
      'f.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      expect.stringContaining(
        'f.kind: Invalid value: "P!": may have mixed case, but should otherwise match: a DNS-1035',
      ),
    ],
  ],
  [
    { ...pod, metadata: { name: 'a/b', namespace: 'N!', labels: { 'b!': 'c' } } },
    [
      `f.metadata.name: Invalid value: "a/b": may not contain '/'`,
      expect.stringContaining('f.metadata.namespace: Invalid value: "N!"'),
      expect.stringContaining('f.metadata.labels: Invalid value: "b!"'),
    ],
  ],
])('an object inside another: %j', (value, expected) => {
  expect(embeddedErrors(value, 'f').map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
})

it('a path is reported literally, even with replacement patterns', () => {
  const found = embeddedErrors({ ...pod, metadata: { name: 'a/b' } }, '$&')
  expect(found.map(({ field }) => field)).toEqual([expect.stringContaining('$&')])
})
