import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../api/object.ts'
import { type AwaitedCopy, type ReferredObject, whyAwaited } from './awaited-copy.ts'

const claim = (uid: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid } })
const copyOf = (uid: string, ending: object = {}): KubeObject => ({
  ...claim('h'),
  metadata: { name: 'x', uid: 'h', annotations: { 'tenant.internal/object-uid': uid }, ...ending },
})
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'pod', controller: true }
const ownedClaim: KubeObject = { ...claim('new'), metadata: { name: 'a', uid: 'new', ownerReferences: [owner] } }
const ending = { deletionTimestamp: '2030-01-01T00:00:00Z' }
const none = { virtual: undefined, isCarried: false }

describe('an object that refers to another', () => {
  const inStep = { virtual: claim('new'), copy: copyOf('new'), isCarried: true, isFailing: false, isSettled: true }

  it.each<[string, AwaitedCopy | undefined, Partial<ReferredObject>]>([
    ['does not wait for a copy in step', undefined, {}],
    ['waits for a copy that does not exist yet', 'missing', { copy: undefined }],
    ['does not wait for one that the host does not take', undefined, { copy: undefined, isFailing: true }],
    ['does not wait for the copy of a missing object', undefined, { ...none, copy: undefined }],
    ['waits until the copy of a deleted object is gone', 'outdated', none],
    ['waits until the copy of an object that is being deleted is gone', 'outdated', { isCarried: false }],
    ['waits until the old copy of a recreated object is gone', 'outdated', { copy: copyOf('old') }],
    ['even if it cannot be deleted', 'outdated', { copy: copyOf('old'), isFailing: true }],
    ['waits for the end of one that ends', 'outdated', { copy: copyOf('new', ending) }],
    ['waits for one that is behind', 'behind', { isSettled: false }],
    ['waits for its own copy', 'missing', { ...none, copy: undefined, controllerUid: 'pod' }],
    ['waits until the copy of another owner is gone', 'outdated', { controllerUid: 'pod' }],
    ['does not wait for its own in step', undefined, { virtual: ownedClaim, controllerUid: 'pod' }],
    ['does not wait for one that stays behind', undefined, { isSettled: false, isFailing: true }],
  ])('%s', (_, why, differing) => {
    expect(whyAwaited({ ...inStep, ...differing })).toBe(why)
  })
})
