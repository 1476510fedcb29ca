import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { lease } from './lease.ts'

const metadata = { name: 'l', namespace: 'default' }

describe('Lease', () => {
  it('may say nothing, and shows its spec all the same', () => {
    expect(previewCreate(lease, { metadata }).object).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: {},
    })
  })

  it('cannot end before it began, nor change hands less than never', () => {
    const spec = { leaseDurationSeconds: 0, leaseTransitions: -1 }
    expect(errorTexts(previewCreate(lease, { metadata, spec }))).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ])
  })

  it('tells a holder that left from one that never was', () => {
    const { object } = previewCreate(lease, { metadata, spec: { holderIdentity: '', leaseTransitions: 0 } })
    expect(object.spec).toEqual({ holderIdentity: '', leaseTransitions: 0 })
  })

  it('is only written by those who read it first', () => {
    expect(lease).toMatchObject({ allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true })
  })
})
