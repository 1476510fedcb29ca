import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, integerColumn, nameColumn } from '../core/columns.ts'
import { checkDriverName } from '../core/driver-name.ts'
import { checkQualifiedName } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField } from '../field-error.ts'
import type { CSINode, CSINodeDriver } from '../types/storage-v1.ts'

const maxNodeIdBytes = 256

export const csiNode = builtinKind<CSINode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  deleteAnswer: 'object',
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.api.storage.v1.CSINode',
  columns: [
    nameColumn,
    integerColumn('Drivers', 'Drivers that run on the node.', ({ spec }) => (spec.drivers ?? []).length),
    ageColumn,
  ],
  strategy: {
    defaults: withoutEmptyList,
    validate: ({ spec }) => validateDrivers('spec.drivers', spec.drivers ?? []),
    validateUpdate: validateNodeUpdate,
  },
})

function withoutEmptyList(object: CSINode): CSINode {
  return object.spec.drivers?.length === 0 ? { ...object, spec: { ...object.spec, drivers: null } } : object
}

function validateDrivers(field: string, drivers: readonly CSINodeDriver[]): readonly FieldError[] {
  const isTaken = repeated(drivers.map(({ name }) => name))
  return drivers.flatMap((driver, index) => [
    ...validateDriver(`${field}[${index}]`, driver),
    ...(isTaken[index] ? [duplicateField(`${field}[${index}].name`, driver.name)] : []),
    ...validateTopologyKeys(`${field}[${index}]`, driver.topologyKeys ?? []),
  ])
}

function validateDriver(field: string, driver: CSINodeDriver): readonly FieldError[] {
  const { name, nodeID, allocatable } = driver
  return [
    ...checkDriverName(`${field}.name`, name),
    ...(nodeID === '' ? [requiredField(`${field}.nodeID`)] : []),
    ...(nodeID.length > maxNodeIdBytes
      ? [invalidField(`${field}.nodeID`, nodeID, `must be ${maxNodeIdBytes} characters or less`)]
      : []),
    ...(allocatable?.count !== undefined && allocatable.count < 0
      ? [invalidField(`${field}.allocatable.count`, allocatable.count, 'must be greater than or equal to 0')]
      : []),
  ]
}

/** As in Kubernetes, an error about a key is reported for its driver. */
function validateTopologyKeys(field: string, keys: readonly string[]): readonly FieldError[] {
  const isTaken = repeated(keys)
  return keys.flatMap((key, index) => [
    ...(key === '' ? [requiredField(field)] : []),
    ...(isTaken[index] ? [duplicateField(field, key)] : []),
    ...checkQualifiedName(field, key),
  ])
}

/** A driver can be removed and added again, but not changed. */
function validateNodeUpdate(after: CSINode, before: CSINode): readonly FieldError[] {
  const old = new Map((before.spec.drivers ?? []).map((driver) => [driver.name, driver]))
  return (after.spec.drivers ?? []).flatMap((driver) => {
    const known = old.get(driver.name)
    return known === undefined || deepEqual(known, driver)
      ? []
      : [invalidField('CSINodeDriver', driver, 'field is immutable')]
  })
}
