import { describe, expect, it } from 'vitest'
import type { Pod, PodCondition } from '../../../api/types/core-v1.ts'
import { gatesOnHost, withOwnGates } from './readiness-gates.ts'

function condition(type: string, status = 'True'): PodCondition {
  return { type, status, lastProbeTime: null, lastTransitionTime: '2030-01-01T00:00:00Z' }
}

function pod(conditions: readonly PodCondition[], gates: readonly string[] = []): Pod {
  const readinessGates = gates.map((conditionType) => ({ conditionType }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'main', image: 'app:1', resources: {} }], readinessGates },
    status: { conditions },
  }
}

const ready = condition('Ready', 'False')

describe('readiness gates', () => {
  it.each<[string, readonly PodCondition[], readonly PodCondition[], readonly PodCondition[] | undefined]>([
    ['a condition that the tenant has set', [condition('lb')], [ready], [ready, condition('lb')]],
    ['one that it has changed', [condition('lb')], [condition('lb', 'False'), ready], [ready, condition('lb')]],
    ['nothing where the host has it', [condition('lb')], [condition('lb'), ready], undefined],
    ['nothing that is no gate', [condition('other')], [ready], undefined],
    ['nothing that is the word of the kubelet', [condition('Ready')], [ready], undefined],
    ['nothing where the tenant has said nothing', [], [condition('lb'), ready], undefined],
  ])('send %s to the host', (_what, virtual, host, conditions) => {
    expect(gatesOnHost(pod(virtual, ['lb', 'Ready']), pod(host))).toEqual(conditions && { conditions })
  })

  it('are those of the tenant, and of the host where the tenant has none', () => {
    const { spec } = pod([], ['lb', 'cloud'])
    const host = [ready, condition('lb', 'False'), condition('cloud')]
    expect(withOwnGates(host, spec, [condition('lb'), condition('Ready')])).toEqual([
      ready,
      condition('lb'),
      condition('cloud'),
    ])
    expect(withOwnGates([ready], spec, [condition('lb')])).toEqual([ready, condition('lb')])
  })
})
