import { expect, it } from 'vitest'
import { selectedKey } from './host-labels.ts'

/** Existing copies and the simulated node use these keys. */
it.each([
  ['app', 'tenant.internal/l-xvg4pybwt9pvu'],
  ['job-name', 'tenant.internal/l-v5b91inptfz3g'],
])('the label %s is selected by a key that never changes', (key, expected) => {
  expect(selectedKey(key)).toBe(expected)
})
