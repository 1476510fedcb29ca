import { describe, expect, it } from 'vitest'
import type { ObjectMeta } from '../object.ts'
import { healMetadata } from './heal.ts'

const stored: ObjectMeta = {
  name: 'k1',
  namespace: 'n',
  uid: 'u1',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [{ manager: 'a', operation: 'Update' }],
}
const { resourceVersion: _, ...unversioned } = stored
const deleting: ObjectMeta = {
  ...stored,
  deletionTimestamp: '2026-02-01T00:00:00Z',
  deletionGracePeriodSeconds: 30,
}
const namespaced = { namespaced: true }

describe('an update cannot lose or change what the server owns', () => {
  const cases: readonly (readonly [string, ObjectMeta, ObjectMeta, ObjectMeta])[] = [
    ['omitted fields are restored', { name: 'k1' }, stored, unversioned],
    [
      'forged values are replaced',
      { ...stored, generation: 77, creationTimestamp: '2001-01-01T00:00:00Z' },
      stored,
      stored,
    ],
    ['an empty uid counts as absent', { ...stored, uid: '' }, stored, stored],
    ['another uid is left for validation', { ...stored, uid: 'zz' }, stored, { ...stored, uid: 'zz' }],
    [
      'deletion set by a client is left for validation',
      { ...stored, deletionTimestamp: '2001-01-01T00:00:00Z' },
      stored,
      { ...stored, deletionTimestamp: '2001-01-01T00:00:00Z' },
    ],
    ['deletion cannot be taken back', stored, deleting, deleting],
    ['deletion cannot be moved', { ...deleting, deletionTimestamp: '2030-01-01T00:00:00Z' }, deleting, deleting],
    ['an empty list of managers keeps the stored one', { ...stored, managedFields: [] }, stored, stored],
    [
      'managers may be rewritten',
      { ...stored, managedFields: [{ manager: 'b', operation: 'Apply' }] },
      stored,
      { ...stored, managedFields: [{ manager: 'b', operation: 'Apply' }] },
    ],
    [
      'labels are the business of the client',
      { ...stored, labels: { a: 'b' } },
      stored,
      { ...stored, labels: { a: 'b' } },
    ],
  ]
  it.each(cases)('%s', (_, sent, old, healed) => {
    expect(healMetadata(namespaced, sent, old)).toEqual(healed)
  })

  it('a single empty entry drops managedFields', () => {
    expect(healMetadata(namespaced, { ...stored, managedFields: [{}] }, stored)).not.toHaveProperty('managedFields')
  })

  it('an object without a generation does not get one', () => {
    expect(healMetadata(namespaced, { name: 'c', generation: 4 }, { name: 'c' })).toEqual({ name: 'c' })
  })

  it('a namespace on a cluster-scoped kind and a self link are dropped', () => {
    const sent = { name: 'k1', namespace: 'foo', selfLink: '/x' }
    expect(healMetadata({ namespaced: false }, sent, { name: 'k1', uid: 'u1' })).toEqual({ name: 'k1', uid: 'u1' })
  })
})
