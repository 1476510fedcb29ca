import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import { adoptedBy, planClaims, releasedBy } from './claims.ts'
import { controllerReference, ownedFrom } from './owned.ts'

const owner: KubeObject = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', uid: 'owner' } }
const other: KubeObject = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'other', uid: 'another' } }
const selector = labelSelectorFrom({ matchLabels: { app: 'web' } })
const deletionTimestamp = '2030-01-01T00:00:00Z'

function pod(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, uid: name, labels: { app: 'web' }, ...metadata } }
}

const own = { ownerReferences: [controllerReference(owner)] }
const theirs = { ownerReferences: [controllerReference(other)] }
const unlike = { labels: { app: 'else' } }

function claimsIn(by: KubeObject, ...pods: readonly KubeObject[]) {
  const { kept, adopted, released } = planClaims(by, selector, pods.map(ownedFrom))
  const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name)
  return { kept: names(kept), adopted: names(adopted), released: names(released) }
}

describe('an owner', () => {
  it('keeps its matching objects, adopts matching orphans, and releases those that no longer match', () => {
    const pods = [
      pod('own', own),
      pod('free'),
      pod('left', { ...own, ...unlike }),
      pod('theirs', theirs),
      pod('stranger', unlike),
    ]
    expect(claimsIn(owner, ...pods)).toEqual({ kept: ['own'], adopted: ['free'], released: ['left'] })
  })

  it('ignores objects that are being deleted', () => {
    const pods = [pod('free', { deletionTimestamp }), pod('left', { ...own, ...unlike, deletionTimestamp })]
    expect(claimsIn(owner, ...pods)).toEqual({ kept: [], adopted: [], released: [] })
  })

  it('that is being deleted neither adopts nor releases objects', () => {
    const going = { ...owner, metadata: { ...owner.metadata, deletionTimestamp } }
    const pods = [pod('own', own), pod('free'), pod('left', { ...own, ...unlike })]
    expect(claimsIn(going, ...pods)).toEqual({ kept: ['own'], adopted: [], released: [] })
  })
})

describe('at the time of the write', () => {
  const free = ownedFrom(pod('free'))

  it.each([
    ['another has it', pod('free', theirs)],
    ['it is another of that name', pod('free', { uid: 'new' })],
    ['it is being deleted', pod('free', { deletionTimestamp })],
  ])('an object is not adopted if %s', (_, now) => {
    expect(adoptedBy(owner, free)(now)).toBeUndefined()
  })

  it('an object that is adopted keeps its other owners', () => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' }
    const adopted = adoptedBy(owner, free)(pod('free', { ownerReferences: [reference] }))
    expect(adopted?.metadata.ownerReferences).toEqual([reference, controllerReference(owner)])
  })

  it('an object that another client has already released is unchanged', () => {
    expect(releasedBy(owner, ownedFrom(pod('left', own)))(pod('left', theirs))).toBeUndefined()
  })
})
