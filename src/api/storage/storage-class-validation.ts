import { deepEqual } from '../../base/equal.ts'
import { checkEach } from '../core/field-checks.ts'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import type { StorageClass } from '../types/storage-v1.ts'
import { utf8Length } from '../utf8-length.ts'
import { validateTopologies } from './topology-validation.ts'

const maxParameters = 512
const maxParameterBytes = 256 * 1024
const reclaimPolicies = ['Delete', 'Retain']
const bindingModes = ['Immediate', 'WaitForFirstConsumer']

export function validateStorageClass(object: StorageClass): readonly FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy = '', volumeBindingMode } = object
  const { allowedTopologies = [] } = object
  return [
    ...validateProvisioner('provisioner', provisioner),
    ...validateParameters('parameters', parameters),
    ...(reclaimPolicy === '' || reclaimPolicies.includes(reclaimPolicy)
      ? []
      : [notSupportedField('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
    ...validateBindingMode('volumeBindingMode', volumeBindingMode),
    ...validateTopologies('allowedTopologies', allowedTopologies),
  ]
}

export function validateStorageClassUpdate(after: StorageClass, before: StorageClass): readonly FieldError[] {
  return [
    ...(deepEqual(after.parameters, before.parameters)
      ? []
      : [forbiddenField('parameters', 'updates to parameters are forbidden.')]),
    ...(after.provisioner === before.provisioner
      ? []
      : [forbiddenField('provisioner', 'updates to provisioner are forbidden.')]),
    ...(after.reclaimPolicy === before.reclaimPolicy
      ? []
      : [forbiddenField('reclaimPolicy', 'updates to reclaimPolicy are forbidden.')]),
    ...(after.volumeBindingMode === before.volumeBindingMode
      ? []
      : [invalidField('volumeBindingMode', after.volumeBindingMode, 'field is immutable')]),
  ]
}

function validateBindingMode(field: string, mode: string | undefined): readonly FieldError[] {
  if (mode === undefined) return [requiredField(field)]
  return bindingModes.includes(mode) ? [] : [notSupportedField(field, mode, bindingModes)]
}

function validateProvisioner(field: string, provisioner: string): readonly FieldError[] {
  if (provisioner === '') return [requiredField(field)]
  const lower = provisioner.toLowerCase()
  return checkEach(field, lower, validateQualifiedName(lower))
}

function validateParameters(field: string, parameters: Readonly<Record<string, string>>): readonly FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [tooLongField(field, maxParameters)]
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0)
  return [
    ...entries.flatMap(([key]) => (key === '' ? [invalidField(field, key, 'field can not be empty.')] : [])),
    ...(bytes > maxParameterBytes ? [tooLongField(field, maxParameterBytes)] : []),
  ]
}
