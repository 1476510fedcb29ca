import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
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
    ['waits for one that has yet to be made', 'missing', { copy: undefined }],
    ['does not wait for one that the host does not take', undefined, { copy: undefined, isFailing: true }],
    ['does not wait for one of what is not there', undefined, { ...none, copy: undefined }],
    ['waits for the end of one of what was deleted', 'outdated', none],
    ['waits for the end of one of what is being deleted', 'outdated', { isCarried: false }],
    ['waits for the end of one of what was made anew', 'outdated', { copy: copyOf('old') }],
    ['also if it cannot be removed', 'outdated', { copy: copyOf('old'), isFailing: true }],
    ['waits for the end of one that ends', 'outdated', { copy: copyOf('new', ending) }],
    ['waits for one that is behind', 'behind', { isSettled: false }],
    ['waits for its own to be made', 'missing', { ...none, copy: undefined, controllerUid: 'pod' }],
    ['waits until that of another is gone', 'outdated', { controllerUid: 'pod' }],
    ['does not wait for its own in step', undefined, { virtual: ownedClaim, controllerUid: 'pod' }],
    ['does not wait for one that stays behind', undefined, { isSettled: false, isFailing: true }],
  ])('%s', (_, why, differing) => {
    expect(whyAwaited({ ...inStep, ...differing })).toBe(why)
  })
})
