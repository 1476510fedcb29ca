import { describe, expect, it } from 'vitest'
import { deployment, inWords, planned, replicaSet } from '../../../tests/support/examples/deployment.ts'

describe('revisions', () => {
  it('count up, and a rollback keeps the former revision in its history', () => {
    const sets = [
      replicaSet('v1', 0, { annotations: { 'deployment.kubernetes.io/revision-history': '0' } }),
      replicaSet('v2', 3),
    ]
    const { change, revision } = planned(deployment({ image: 'v1' }), sets)
    expect(revision).toBe('3')
    expect(change[0]?.after.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '0,1',
    })
  })

  it.each([
    ['is shortened from the front, however long it is', `1,${'2,'.repeat(131_000)}3`, `${'2,'.repeat(998)}3,1`],
    ['drops a single entry that is too long', '7'.repeat(262_000), '1'],
  ])('a history %s', (_, history, expected) => {
    const annotations = { 'deployment.kubernetes.io/revision-history': history }
    const { change } = planned(deployment(), [replicaSet('v1', 0, { annotations }), replicaSet('v2', 3)])
    expect(change[0]?.after.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe(expected)
  })

  it.each([
    ['9'.repeat(22), '1'],
    ['9'.repeat(400), '1'],
    ['-', '1'],
  ])('%s does not count as a revision', (revision, expected) => {
    const annotations = { 'deployment.kubernetes.io/revision': revision }
    expect(planned(deployment({ image: 'v2' }), [replicaSet('v1', 3, { annotations })]).revision).toBe(expected)
  })

  it('a revision of 64 bits counts', () => {
    const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' }
    const { revision } = planned(deployment({ image: 'v2' }), [replicaSet('v1', 3, { annotations })])
    expect(revision).toBe('3546343826724305833')
  })

  it('copy annotations, except those of the Deployment itself', () => {
    const annotations = {
      'kubernetes.io/change-cause': 'new image',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deployment.kubernetes.io/revision': '7',
    }
    expect(planned(deployment({ annotations }), []).create?.metadata.annotations).toEqual({
      'kubernetes.io/change-cause': 'new image',
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    })
  })

  it.each([
    ['beyond the limit are deleted, the oldest first', 1, [replicaSet('v1', 0), replicaSet('v2', 0)], ['v1 goes']],
    ['stay while they have Pods', 0, [replicaSet('v1', 0, { there: 1 }), replicaSet('v2', 0)], []],
    ['stay within the limit', 2, [replicaSet('v1', 0), replicaSet('v2', 0)], []],
  ])('%s', (_, revisionHistoryLimit, older, expected) => {
    const wanted = deployment({ image: 'v3', revisionHistoryLimit })
    expect(inWords(wanted, [...older, replicaSet('v3', 3)])).toEqual(expected)
  })
})
