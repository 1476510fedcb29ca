import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { namespace } from './namespace.ts'

const { strategy } = namespace
const created = (body: object = {}) => previewCreate(namespace, { metadata: { name: 'n1' }, ...body }).object

describe('Namespace', () => {
  it('starts active, held by its content and labeled with its name', () => {
    expect(created()).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n1', labels: { 'kubernetes.io/metadata.name': 'n1' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    expect(created({ spec: { finalizers: ['example.com/a'] } }).spec).toEqual({
      finalizers: ['example.com/a', 'kubernetes'],
    })
  })

  it('leaves its finalizers to the finalize endpoint', () => {
    const updated = previewUpdate(namespace, { metadata: { name: 'n1' }, spec: { finalizers: [] } }, created())
    expect(updated.object.spec).toEqual({ finalizers: ['kubernetes'] })
    const finalized = namespace.partialUpdates?.finalize?.apply({ ...created(), spec: {} }, created())
    expect(finalized).toEqual({ ...created(), spec: {} })
  })

  it('refuses finalizers that are not fully qualified', () => {
    expect(errorTexts(previewCreate(namespace, { metadata: { name: 'a' }, spec: { finalizers: ['mine'] } }))).toEqual([
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ])
  })

  it('stays while it has finalizers, and says so', () => {
    expect(strategy.holdsDeletion?.(created())).toBe(true)
    expect(strategy.holdsDeletion?.({ ...created(), spec: {} })).toBe(false)
    expect(strategy.markDeleted?.(created()).status).toEqual({ phase: 'Terminating' })
  })

  it('has the phase Terminating only while it is being deleted', () => {
    const wrong = { ...created(), status: { phase: 'Terminating' } }
    expect(strategy.validateStatusUpdate?.(wrong, created())).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'status.Phase',
        message: 'Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
      },
    ])
    const deleting = { ...wrong, metadata: { name: 'n1', deletionTimestamp: '2026-01-01T00:00:00Z' } }
    expect(strategy.validateStatusUpdate?.(deleting, deleting)).toEqual([])
  })

  it('does not support deletion of a whole collection', () => {
    expect(namespace.withoutVerbs).toEqual(['deletecollection'])
  })
})
