import { describe, expect, it } from 'vitest'
import {
  conditionsOf,
  deployment,
  inWords,
  nowMs,
  planned,
  replicaSet,
} from '../../../tests/support/examples/deployment.ts'
import type { DeploymentCondition } from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { newReplicaSet } from './template.ts'

function progressing(reason: string, agoSeconds: number): DeploymentCondition {
  const time = timestamp(nowMs - agoSeconds * 1000)
  return { type: 'Progressing', status: 'True', reason, message: '', lastUpdateTime: time, lastTransitionTime: time }
}

describe('the status', () => {
  const name = newReplicaSet(deployment()).metadata.name

  it.each([
    ['of a new one', {}, [], [`True NewReplicaSetCreated: Created new replica set "${name}"`]],
    [
      'of one with an existing ReplicaSet',
      {},
      [replicaSet('v1', 3, { there: 0, available: 0 })],
      [`True FoundNewReplicaSet: Found new replica set "${name}"`],
    ],
    [
      'of one that moves',
      { updatedReplicas: 1, replicas: 1 },
      [replicaSet('v1', 3, { available: 0 })],
      [`True ReplicaSetUpdated: ReplicaSet "${name}" is progressing.`],
    ],
    [
      'of a complete one',
      { updatedReplicas: 3, replicas: 3 },
      [replicaSet('v1', 3)],
      [`True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`],
    ],
    [
      'of one that exceeds its deadline',
      { updatedReplicas: 3, replicas: 3, conditions: [progressing('ReplicaSetUpdated', 601)] },
      [replicaSet('v1', 3, { available: 0 })],
      [`False ProgressDeadlineExceeded: ReplicaSet "${name}" has timed out progressing.`],
    ],
    [
      'of one that lost Pods after it was complete',
      { updatedReplicas: 3, replicas: 3, conditions: [progressing('NewReplicaSetAvailable', 601)] },
      [replicaSet('v1', 3, { available: 0 })],
      ['True NewReplicaSetAvailable: '],
    ],
  ])('%s', (_, before, sets, expected) => {
    const { status } = planned(deployment({}, before), sets)
    const said = conditionsOf(status).filter((each) => each.startsWith('Progressing'))
    expect(said).toEqual(expected.map((each) => `Progressing=${each}`))
  })

  it('has no Progressing condition without a deadline', () => {
    const { status } = planned(deployment({ progressDeadlineSeconds: 2_147_483_647 }), [replicaSet('v1', 3)])
    expect(conditionsOf(status).some((each) => each.startsWith('Progressing'))).toBe(false)
  })

  it('sums up the counts of the ReplicaSets', () => {
    const sets = [replicaSet('v1', 2), replicaSet('v2', 2, { available: 1 })]
    const { status } = planned(deployment({ image: 'v2' }), sets)
    expect(status).toMatchObject({
      replicas: 4,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
    })
    expect(conditionsOf(status)).toContain(
      'Available=True MinimumReplicasAvailable: Deployment has minimum availability.',
    )
  })

  it('shows the failure of a ReplicaSet', () => {
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: timestamp(nowMs),
      reason: 'FailedCreate',
      message: 'no room',
    }
    const set = replicaSet('v1', 3, { there: 0, available: 0 })
    const { status } = planned(deployment(), [{ ...set, status: { ...set.status, conditions: [failure] } }])
    expect(conditionsOf(status)).toContain('ReplicaFailure=True FailedCreate: no room')
  })

  it('is reconciled again at the progress deadline, unless the rollout is complete', () => {
    const waits = { updatedReplicas: 3, replicas: 3, conditions: [progressing('ReplicaSetUpdated', 500)] }
    expect(planned(deployment({}, waits), [replicaSet('v1', 3, { available: 0 })]).requeueAfterMs).toBe(101_000)
    expect(planned(deployment({}, waits), [replicaSet('v1', 3)]).requeueAfterMs).toBeUndefined()
  })

  it('has no further deadline if Pods fail after the rollout is complete', () => {
    const complete = { updatedReplicas: 3, replicas: 3, conditions: [progressing('NewReplicaSetAvailable', 601)] }
    expect(planned(deployment({}, complete), [replicaSet('v1', 3, { available: 2 })]).requeueAfterMs).toBeUndefined()
  })

  it('is all that is written for a Deployment that is being deleted', () => {
    const wanted = deployment({ image: 'v2', replicas: 9 })
    const going = { ...wanted, metadata: { ...wanted.metadata, deletionTimestamp: timestamp(nowMs) } }
    expect(inWords(going, [replicaSet('v1', 3)])).toEqual([])
  })
})
