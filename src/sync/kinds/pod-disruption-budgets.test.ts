import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { podDisruptionBudgetsSync as kind } from './pod-disruption-budgets.ts'

const { setting } = rulesFor(kind, 'poddisruptionbudgets.policy')

function budget(spec: object, status: object = {}): KubeObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'shop' },
    spec,
    status,
  }
}

describe('the number of Pods that a budget keeps on the host', () => {
  it.each<[string, object, object, number]>([
    ['is the one that its owner wrote', { minAvailable: 2 }, {}, 2],
    ['may be none', { minAvailable: 0 }, {}, 0],
    ['is worked out of a share', { minAvailable: '50%' }, { observedGeneration: 1, desiredHealthy: 3 }, 3],
    [
      'is worked out of how many may be missing',
      { maxUnavailable: 1 },
      { observedGeneration: 1, desiredHealthy: 4 },
      4,
    ],
  ])('%s', (_, spec, status, minAvailable) => {
    expect(kind.leavesOut?.(budget(spec, status), setting)).toBeUndefined()
    expect(kind.toHost(budget(spec, status), setting)).toEqual({ spec: { minAvailable } })
  })

  it('is waited for', () => {
    expect(kind.leavesOut?.(budget({ maxUnavailable: 1 }, { desiredHealthy: 0 }), setting)).toMatch(/yet to work out/)
  })

  it('has no meaning if Pods run elsewhere', () => {
    const apart = { ...setting, podsRunOnHost: false }
    expect(kind.leavesOut?.(budget({ minAvailable: 1 }), apart)).toMatch(/no Pods/)
  })
})
