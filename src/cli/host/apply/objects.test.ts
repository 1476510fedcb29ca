import { describe, expect, it } from 'vitest'
import { sameObject } from './objects.ts'

const object = (apiVersion: string, kind: string, name = 'a', namespace = 'b') => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
})

describe('two manifests are of one object', () => {
  const budget = object('policy/v1', 'PodDisruptionBudget')
  it.each([
    ['in the same version', budget, true],
    ['in an older version', object('policy/v1beta1', 'PodDisruptionBudget'), true],
    ['of another group', object('example.com/v1', 'PodDisruptionBudget'), false],
    ['of another kind', object('policy/v1', 'Eviction'), false],
    ['in another namespace', object('policy/v1', 'PodDisruptionBudget', 'a', 'c'), false],
  ])('%s', (_, other, isSame) => {
    expect(sameObject(budget, other)).toBe(isSame)
  })
})
