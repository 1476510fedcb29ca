import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { createdAtColumn, nameColumn } from '../core/columns.ts'
import { checkSubdomain } from '../core/field-checks.ts'
import { nodeSelectorWarnings } from '../core/nodes/node-label-warnings.ts'
import { type FieldError, invalidField } from '../field-error.ts'
import { parseQuantity } from '../quantity.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { CSIStorageCapacity } from '../types/storage-v1.ts'

export const csiStorageCapacity = builtinKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  allowsUnconditionalUpdate: false,
  hasNullRows: true,
  message: 'k8s.io.api.storage.v1.CSIStorageCapacity',
  columns: [nameColumn, createdAtColumn],
  strategy: {
    validate: validateCapacity,
    validateUpdate: validateCapacityUpdate,
    warnings: ({ nodeTopology = {} }) => nodeSelectorWarnings('nodeTopology', nodeTopology),
  },
})

function validateCapacity(object: CSIStorageCapacity): readonly FieldError[] {
  const { storageClassName, nodeTopology, capacity } = object
  return [
    ...(nodeTopology === undefined ? [] : validateLabelSelector('nodeTopology', nodeTopology)),
    ...checkSubdomain('storageClassName', storageClassName),
    ...checkAmount('capacity', capacity),
  ]
}

function checkAmount(field: string, amount: string | number | undefined): readonly FieldError[] {
  if (amount === undefined) return []
  const quantity = parseQuantity(String(amount))
  if ('problem' in quantity || quantity.nanos >= 0n) return []
  return [invalidField(field, String(amount), 'must be greater than or equal to 0')]
}

function validateCapacityUpdate(after: CSIStorageCapacity, before: CSIStorageCapacity): readonly FieldError[] {
  return (['nodeTopology', 'storageClassName'] as const).flatMap((member) =>
    deepEqual(after[member], before[member]) ? [] : [invalidField(member, after[member], 'field is immutable')],
  )
}
