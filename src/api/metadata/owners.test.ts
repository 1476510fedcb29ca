import { describe, expect, it } from 'vitest'
import type { ObjectMeta } from '../object.ts'
import { finalizerWarnings } from './finalizers.ts'
import { distinctOwners } from './owners.ts'

const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: '1' }

describe('owners', () => {
  it('that are duplicates are merged with a warning', () => {
    const { metadata, warnings } = distinctOwners({ name: 'o', ownerReferences: [owner, { ...owner }, owner] })
    expect(metadata).toEqual({ name: 'o', ownerReferences: [owner] })
    expect(warnings).toEqual([
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1, 1',
    ])
  })

  it('that differ in any field are kept', () => {
    const metadata: ObjectMeta = { name: 'o', ownerReferences: [owner, { ...owner, controller: false }] }
    expect(distinctOwners(metadata)).toEqual({ metadata, warnings: [] })
    expect(distinctOwners(metadata).metadata).toBe(metadata)
  })
})

describe('finalizers of custom kinds', () => {
  const advice = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers'

  it('without a domain draw a warning', () => {
    expect(finalizerWarnings({ finalizers: ['noslash', 'example.com/a', 'orphan'] })).toEqual([
      `metadata.finalizers: "noslash": ${advice}`,
    ])
  })

  it('are warned about only when they are added', () => {
    expect(finalizerWarnings({ finalizers: ['noslash'] }, { finalizers: ['noslash'] })).toEqual([])
    expect(finalizerWarnings({ finalizers: ['b', 'a', 'noslash'] }, { finalizers: ['noslash'] })).toEqual([
      `metadata.finalizers: "a": ${advice}`,
      `metadata.finalizers: "b": ${advice}`,
    ])
    expect(finalizerWarnings({})).toEqual([])
  })
})
