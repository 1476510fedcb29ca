import { describe, expect, it } from 'vitest'
import type { OwnerReference } from '../../api/object.ts'
import type { StatefulSet } from '../../api/types/apps-v1.ts'
import { claimOwners, isOfEarlierPod, volumeClaims } from './volume-claims.ts'

const [keep, drop] = ['Retain', 'Delete']

function setWith(whenDeleted = keep, whenScaled = keep): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'a', uid: 'set' },
    spec: {
      serviceName: '',
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: {}, spec: { containers: [] } },
      updateStrategy: {},
      persistentVolumeClaimRetentionPolicy: { whenDeleted: whenDeleted ?? '', whenScaled: whenScaled ?? '' },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data', labels: { tier: 'db', app: 'x' }, annotations: { note: 'y' } },
          spec: { resources: {} },
          status: {},
        },
      ],
    },
    status: { replicas: 0, availableReplicas: 0 },
  }
}

const bySet: OwnerReference = reference('apps/v1', 'StatefulSet', 'web', 'set')
const byPod: OwnerReference = reference('v1', 'Pod', 'web-1', 'pod')
const byOther: OwnerReference = { ...reference('example.com/v1', 'Other', 'o', 'o'), controller: true }
const byFriend: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' }

function reference(apiVersion: string, kind: string, name: string, uid: string): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

const here = { name: 'web-1', uid: 'pod', isScaledDown: false }
const leaving = { ...here, isScaledDown: true }

describe('the owners of a claim', () => {
  it.each([
    ['outlives all', setWith(), here, [], undefined],
    ['is no longer deleted with the set', setWith(), here, [bySet], []],
    ['is no longer deleted with the Pod', setWith(), leaving, [byPod], []],
    ['keeps other owners', setWith(), here, [byFriend, bySet], [byFriend]],
    ['is deleted with the set', setWith(drop, keep), here, [], [bySet]],
    ['is deleted with the set, and written once', setWith(drop, keep), here, [bySet], undefined],
    ['is deleted with the set even after a scale down', setWith(drop, keep), leaving, [byPod], [bySet]],
    ['outlives the set', setWith(keep, drop), here, [bySet], []],
    ['is deleted with a Pod on scale down', setWith(keep, drop), leaving, [], [byPod]],
    ['is deleted with either, now with the set', setWith(drop, drop), here, [byPod], [bySet]],
    ['is deleted with either, now with the Pod', setWith(drop, drop), leaving, [bySet], [byPod]],
    ['is the controller, and not only an owner', setWith(drop, keep), here, [{ ...bySet, controller: false }], [bySet]],
    ['has another controller, and keeps it', setWith(drop, drop), here, [byOther], undefined],
    ['has another controller besides, and keeps it alone', setWith(drop, drop), here, [byOther, bySet], [byOther]],
    ['belongs to an earlier set of the name', setWith(drop, drop), here, [{ ...bySet, uid: 'old' }], undefined],
    ['belongs to an earlier Pod of the name', setWith(), here, [{ ...byPod, uid: 'old' }], undefined],
  ])('%s', (_, set, user, owners, expected) => {
    expect(claimOwners(set, user, owners)).toEqual(expected)
  })

  it('of a Pod that does not exist yet are the StatefulSet only', () => {
    const user = { name: 'web-1', uid: undefined, isScaledDown: false }
    expect(claimOwners(setWith(drop, drop), user, [])).toEqual([bySet])
    expect([isOfEarlierPod(user, [byPod]), isOfEarlierPod(here, [byPod])]).toEqual([true, false])
  })
})

it('a claim has the labels of its template and of the selector, which takes precedence', () => {
  expect(volumeClaims(setWith(), 3)).toMatchObject([
    {
      metadata: { name: 'data-web-3', namespace: 'a', labels: { tier: 'db', app: 'web' }, annotations: { note: 'y' } },
    },
  ])
})
