import { deepEqual } from '../../base/equal.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import type { ControllerRevision } from '../types/apps-v1.ts'

export const controllerRevision = builtinKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  message: 'k8s.io.api.apps.v1.ControllerRevision',
  columns: [
    nameColumn,
    column('Controller', 'Object that the revision belongs to.', controllerText),
    column('Revision', 'Number of the revision.', ({ revision }) => revision),
    ageColumn,
  ],
  strategy: {
    validate: ({ data, revision }, old) => [
      ...checkNotNegative('revision', revision),
      ...(old === undefined ? newDataErrors(data) : []),
    ],
    validateUpdate: (after, before) =>
      deepEqual(after.data, before.data) ? [] : [invalidField('data', after.data ?? {}, 'field is immutable')],
  },
})

function newDataErrors(data: unknown): readonly FieldError[] {
  if (data === null || data === undefined) return [requiredField('data', 'data is mandatory')]
  return isJsonObject(data) ? [] : [requiredField('data', 'data must be a valid JSON object')]
}

function controllerText({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return orNone(undefined)
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`
}
