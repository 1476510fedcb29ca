import { describe, expect, it } from 'vitest'
import { nextAvailableMs } from '../pods/next-available.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { replicatedBySet } from './replicated.ts'
import { replicaStatus } from './status.ts'

const nowMs = Date.UTC(2030, 0, 1)

const owner = replicatedBySet({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', generation: 3 },
  spec: {
    replicas: 3,
    minReadySeconds: 10,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web', tier: 'front' } }, spec: {} },
  },
  status: { replicas: 0 },
})

function pod(name: string, facts: Partial<PodFacts> = {}): PodFacts {
  return {
    namespace: 'a',
    name,
    uid: name,
    labels: { app: 'web' },
    controller: undefined,
    isBeingDeleted: false,
    phase: 'Running',
    nodeName: 'one',
    onlyNode: '',
    isReady: false,
    readyChangedMs: undefined,
    createdMs: 0,
    restarts: 0,
    sidecarRestarts: 0,
    deletionCost: 0,
    network: { addresses: [], hostname: '', subdomain: '', ports: [] },
    claims: [],
    ephemeralClaims: [],
    isShutDown: false,
    ...facts,
  }
}

const labeled = pod('labeled', { labels: { app: 'web', tier: 'front' } })
const fresh = pod('fresh', { isReady: true, readyChangedMs: nowMs - 4_000 })
const settled = pod('settled', { isReady: true, readyChangedMs: nowMs - 10_000 })

describe('the status of a ReplicaSet', () => {
  it('counts Pods by template labels, readiness and minReadySeconds', () => {
    expect(replicaStatus(owner, [labeled, fresh, settled], undefined, nowMs)).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 3,
    })
  })

  it('omits zeros, as Kubernetes does', () => {
    expect(replicaStatus(owner, [], undefined, nowMs)).toEqual({ replicas: 0, observedGeneration: 3 })
  })

  it('shows a failure with its first message until it is resolved', () => {
    const refused = { reason: 'FailedCreate', message: 'no room' } as const
    const failed = replicaStatus(owner, [], refused, nowMs)
    expect(failed.conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z', ...refused },
    ])
    const later = { ...owner, status: failed }
    expect(replicaStatus(later, [], { ...refused, message: 'still none' }, nowMs + 1_000).conditions).toEqual(
      failed.conditions,
    )
    expect(replicaStatus(later, [], undefined, nowMs).conditions).toBeUndefined()
  })

  it('is reconciled again when the next Pod becomes available', () => {
    expect(nextAvailableMs([labeled, fresh, settled], owner.minReadySeconds, nowMs)).toBe(nowMs + 6_000)
    expect(nextAvailableMs([labeled, settled], owner.minReadySeconds, nowMs)).toBeUndefined()
  })
})
