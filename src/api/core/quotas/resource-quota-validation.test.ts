import { expect, it } from 'vitest'
import { validateQuota } from './resource-quota-validation.ts'

const requirement = { scopeName: 'BestEffort', operator: 'Exists' }

it.each([
  ['scopes', { scopes: Array.from({ length: 20_000 }, () => 'x') }],
  ['requirements', { scopeSelector: { matchExpressions: Array.from({ length: 8_000 }, () => requirement) } }],
])('thousands of %s are refused at once', (_, more) => {
  const metadata = { name: 'a', namespace: 'b' }
  const spec = { hard: { cpu: '1' }, ...more }
  const problems = validateQuota({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec, status: {} })
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('must have at most 20 items')])
})
