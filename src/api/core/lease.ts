import { type FieldError, invalidField } from '../field-error.ts'
import type { Lease } from '../types/coordination-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn } from './columns.ts'

export const lease = builtinKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.coordination.v1.Lease',
  columns: [nameColumn, column('Holder', 'Holder of the lease.', ({ spec }) => spec.holderIdentity ?? ''), ageColumn],
  strategy: {
    prepareForCreate: withoutCoordination,
    prepareForUpdate: withoutCoordination,
    validate: validateLease,
  },
})

/** Leases whose holder the server elects are not served; Kubernetes drops their fields in the same way. */
function withoutCoordination(object: Lease): Lease {
  const { strategy, preferredHolder, ...spec } = object.spec
  return strategy === undefined && preferredHolder === undefined ? object : { ...object, spec }
}

function validateLease({ spec }: Lease): readonly FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0 } = spec
  return [
    ...(leaseDurationSeconds > 0
      ? []
      : [invalidField('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]),
    ...(leaseTransitions >= 0
      ? []
      : [invalidField('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]),
  ]
}
