import { deepEqual } from '../../base/equal.ts'
import {
  type FieldError,
  invalidField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import { validateLabel1035, validateSubdomain } from '../names.ts'
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../types/apiextensions-v1.ts'
import { apiApproval, approvalAnnotation } from './api-approval.ts'
import { isTrue } from './definition-conditions.ts'
import { conversionErrors } from './definition-conversion.ts'
import { validateNames } from './definition-names.ts'
import { type VersionPaths, versionErrors } from './definition-version.ts'
import { schemaEffort } from './schema-effort.ts'

/**
 * What is wrong with a definition. What stood in its spec before is not held against it: the rules may have become stricter
 * since, and it must still be possible to change it, and to let it go. `old` is absent for a new one.
 */
export function validateDefinition(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  const { metadata, spec, status } = definition
  const name = metadata.name ?? ''
  const expected = `${spec.names.plural}.${spec.group}`
  return [
    ...(name === expected ? [] : [invalidField('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...newSpecErrors(spec, old?.spec),
    ...storedVersionsErrors(spec.versions ?? [], status.storedVersions),
    ...(old !== undefined && deepEqual(apiApproval(definition), apiApproval(old)) ? [] : approvalErrors(definition)),
  ]
}

function newSpecErrors(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): readonly FieldError[] {
  if (old !== undefined && deepEqual(spec, old)) return []
  const errors = specErrors(spec)
  if (old === undefined || errors.length === 0) return errors
  const known = new Set(specErrors(old).map(({ field, message }) => `${field} ${message}`))
  return errors.filter(({ field, message }) => !known.has(`${field} ${message}`))
}

function specErrors(spec: CustomResourceDefinitionSpec): readonly FieldError[] {
  return [
    ...groupErrors(spec),
    ...scopeErrors(spec.scope),
    ...keepingErrors(spec),
    ...versionsErrors(spec),
    ...validateNames(spec.names, 'spec.names'),
    ...conversionErrors(spec.conversion),
  ]
}

export function validateDefinitionUpdate(
  { spec }: CustomResourceDefinition,
  { spec: old, status }: CustomResourceDefinition,
): readonly FieldError[] {
  const isEstablished = isTrue({ status }, 'Established')
  return [
    ...immutable('spec.group', spec.group, old.group),
    ...(isEstablished ? immutable('spec.scope', spec.scope, old.scope) : []),
    ...(isEstablished ? immutable('spec.names.kind', spec.names.kind, old.names.kind) : []),
    ...immutable('spec.names.plural', spec.names.plural, old.names.plural),
  ]
}

function immutable(field: string, value: string, old: string): readonly FieldError[] {
  return value === old ? [] : [invalidField(field, value, 'field is immutable')]
}

function groupErrors({ group }: CustomResourceDefinitionSpec): readonly FieldError[] {
  if (group === '') return [requiredField('spec.group')]
  const problems = validateSubdomain(group)
  if (problems.length > 0) return problems.map((problem) => invalidField('spec.group', group, problem))
  return group.includes('.') ? [] : [invalidField('spec.group', group, 'should be a domain with at least one dot')]
}

/** In v1 the schema says this; here it would be ignored. */
function keepingErrors({ preserveUnknownFields }: CustomResourceDefinitionSpec): readonly FieldError[] {
  if (preserveUnknownFields !== true) return []
  const detail = 'cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidField('spec.preserveUnknownFields', true, detail)]
}

const scopes = ['Cluster', 'Namespaced']

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [requiredField('spec.scope')]
  return scopes.includes(scope) ? [] : [notSupportedField('spec.scope', scope, scopes)]
}

/** Each that is served keeps its objects in memory once more. */
const mostVersions = 20

function versionsErrors(spec: CustomResourceDefinitionSpec): readonly FieldError[] {
  const versions = spec.versions ?? []
  if (versions.length > mostVersions) return [tooManyField('spec.versions', versions.length, mostVersions)]
  const names = versions.map(({ name }) => name)
  const paths = pathsOf(versions)
  const effort = schemaEffort()
  const first = names[0] ?? ''
  return [
    ...versions.flatMap((version, index) => versionErrors(version, index, paths, effort)),
    ...(new Set(names).size === names.length
      ? []
      : [invalidField('spec.versions', names, 'must contain unique version names')]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [invalidField('spec.versions', names, 'must have exactly one version marked as storage version')]),
    ...(first === '' ? [] : validateLabel1035(first).map((problem) => invalidField('spec.version', first, problem))),
  ]
}

/** What all versions have in common is named once, as if it were the definition's. */
function pathsOf(versions: readonly CustomResourceDefinitionVersion[]): VersionPaths {
  const isShared = (part: (version: CustomResourceDefinitionVersion) => unknown) =>
    versions.every((version) => deepEqual(part(version), part(versions[0] ?? version)))
  return {
    sharesSchema: isShared(({ schema }) => schema ?? {}),
    sharesColumns: isShared(({ additionalPrinterColumns }) => additionalPrinterColumns ?? []),
    sharesSubresources: isShared(({ subresources }) => subresources ?? {}),
    sharesSelectableFields: isShared(({ selectableFields }) => selectableFields ?? []),
  }
}

function storedVersionsErrors(
  versions: readonly CustomResourceDefinitionVersion[],
  storedVersions: readonly string[] | null,
): readonly FieldError[] {
  const field = 'status.storedVersions'
  const stored = storedVersions ?? []
  if (stored.length === 0) return [invalidFieldAs(field, '[]string(nil)', 'must have at least one stored version')]
  const names = versions.map(({ name }) => name)
  const storage = versions.find((version) => version.storage)?.name
  return [
    ...stored.flatMap((name, index) =>
      names.includes(name) ? [] : [invalidField(`${field}[${index}]`, name, 'must appear in spec.versions')],
    ),
    ...(storage === undefined || stored.includes(storage)
      ? []
      : [invalidField(field, stored, `must have the storage version ${storage}`)]),
  ]
}

/** Kubernetes' own groups are not for everyone. */
function approvalErrors(definition: CustomResourceDefinition): readonly FieldError[] {
  const { state, message = '' } = apiApproval(definition) ?? {}
  const field = `metadata.annotations[${approvalAnnotation}]`
  if (state === 'missing') return [requiredField(field, message)]
  if (state !== 'invalid') return []
  return [invalidField(field, definition.metadata.annotations?.[approvalAnnotation] ?? '', message)]
}
