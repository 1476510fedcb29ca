import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { lease } from './lease.ts'

const metadata = { name: 'l', namespace: 'default' }

describe('Lease', () => {
  it('may have an empty spec, and always shows one', () => {
    expect(previewCreate(lease, { metadata }).object).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: {},
    })
  })

  it('needs a positive duration and no negative number of transitions', () => {
    const spec = { leaseDurationSeconds: 0, leaseTransitions: -1 }
    expect(errorTexts(previewCreate(lease, { metadata, spec }))).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ])
  })

  it('distinguishes an empty holder from a missing one', () => {
    const { object } = previewCreate(lease, { metadata, spec: { holderIdentity: '', leaseTransitions: 0 } })
    expect(object.spec).toEqual({ holderIdentity: '', leaseTransitions: 0 })
  })

  it('is updated only with a resourceVersion', () => {
    expect(lease).toMatchObject({ allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true })
  })
})
