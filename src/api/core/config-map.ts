import { deepEqual } from '../../base/equal.ts'
import { type FieldError, forbiddenField, invalidField, tooLongField } from '../field-error.ts'
import type { ConfigMap } from '../types/core-v1.ts'
import { utf8Length } from '../utf8-length.ts'
import { decodedLength } from './base64.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn } from './columns.ts'
import { checkEach, dataKeyProblems } from './field-checks.ts'

/** Also the limit of a Secret. */
export const maxDataBytes = 1024 * 1024

export const configMap = builtinKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  message: 'k8s.io.api.core.v1.ConfigMap',
  columns: [
    nameColumn,
    column('Data', 'Number of entries.', ({ data, binaryData }) => size(data) + size(binaryData)),
    ageColumn,
  ],
  strategy: { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate },
})

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): readonly FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(data)) {
    const problems = dataKeyProblems(key)
    if (problems.length > 0) errors.push(...checkEach(`data[${key}]`, key, problems))
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    }
    bytes += utf8Length(value)
  }
  for (const [key, value] of Object.entries(binaryData)) {
    const problems = dataKeyProblems(key)
    if (problems.length > 0) errors.push(...checkEach(`binaryData[${key}]`, key, problems))
    bytes += decodedLength(value)
  }
  if (bytes > maxDataBytes) errors.push(tooLongField('[]', maxDataBytes))
  return errors
}

function validateConfigMapUpdate(after: ConfigMap, before: ConfigMap): readonly FieldError[] {
  if (before.immutable !== true) return []
  return [
    ...(after.immutable === true ? [] : [frozenField('immutable')]),
    ...(deepEqual(after.data, before.data) ? [] : [frozenField('data')]),
    ...(deepEqual(after.binaryData, before.binaryData) ? [] : [frozenField('binaryData')]),
  ]
}

/** A field of an object whose data was declared immutable. */
export function frozenField(field: string): FieldError {
  return forbiddenField(field, 'field is immutable when `immutable` is set')
}

function size(entries: Readonly<Record<string, string>> | undefined): number {
  return entries === undefined ? 0 : Object.keys(entries).length
}
