import { expect, it } from 'vitest'
import { nodeAsker } from './node-affinity.ts'

it('the values of an affinity are parsed once, however many nodes there are', () => {
  let reads = 0
  const requirement = {
    key: 'zone',
    operator: 'In',
    get values() {
      reads++
      return ['a', 'b']
    },
  }
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] },
  }
  const isAskedFor = nodeAsker({ affinity: { nodeAffinity } })
  const nodes = Array.from({ length: 100 }, (_, index) => ({
    name: `n${index}`,
    labels: { zone: index % 2 === 0 ? 'a' : 'c' },
  }))
  expect(nodes.filter(isAskedFor)).toHaveLength(50)
  expect(reads).toBe(1)
})

it.each([
  ['no terms', []],
  ['a term without conditions', [{}]],
  ['an operator that is not known', [{ matchExpressions: [{ key: 'zone', operator: 'Is', values: ['a'] }] }]],
])('no node matches %s', (_, nodeSelectorTerms) => {
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
  expect(nodeAsker({ affinity: { nodeAffinity } })({ name: 'n', labels: { zone: 'a' } })).toBe(false)
})
