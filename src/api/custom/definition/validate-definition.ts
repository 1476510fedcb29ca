import { deepEqual } from '../../../base/equal.ts'
import { atOnce, type Steps } from '../../../base/steps.ts'
import {
  type FieldError,
  invalidField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../../field-error.ts'
import { quoted } from '../../human/go-syntax.ts'
import { shortened } from '../../human/shortened.ts'
import { validateLabel1035, validateSubdomain } from '../../names.ts'
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../types/apiextensions-v1.ts'
import { schemaEffort } from '../schema-effort.ts'
import { innerNodes, type SchemaNode, schemaMember } from '../schema-node.ts'
import { apiApproval, approvalAnnotation } from './api-approval.ts'
import { isTrue } from './definition-conditions.ts'
import { conversionErrors } from './definition-conversion.ts'
import { missingNameErrors, validateNames } from './definition-names.ts'
import { versionsErrors } from './definition-version.ts'

/**
 * What is wrong with a definition. Existing parts of its spec are not reported: the rules may have become stricter
 * since, and it must still be possible to change and delete it. `old` is absent for a new one.
 */
export function validateDefinition(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  return atOnce(definitionErrorSteps(definition, old))
}

/** `validateDefinition` in steps. */
export function* definitionErrorSteps(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): Steps<readonly FieldError[]> {
  const { metadata, spec, status } = definition
  const name = metadata.name ?? ''
  const expected = `${spec.names.plural}.${spec.group}`
  return [
    ...(name === '' || name === expected || old !== undefined
      ? []
      : [invalidField('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(yield* newSpecErrors(spec, old?.spec)),
    ...validateNames(status.acceptedNames, 'status.acceptedNames'),
    // Whatever has migrated the objects sets the remaining versions, in a write to the status alone.
    ...(old !== undefined && deepEqual(spec, old.spec)
      ? []
      : storedVersionsErrors(spec.versions ?? [], status.storedVersions)),
    ...(old !== undefined && deepEqual(apiApproval(definition), apiApproval(old)) ? [] : approvalErrors(definition)),
  ]
}

function* newSpecErrors(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): Steps<readonly FieldError[]> {
  if (old !== undefined && deepEqual(spec, old)) return []
  const errors = yield* specErrors(spec)
  if (old === undefined || errors.length === 0) return errors
  const known = new Set((yield* specErrors(old)).map(({ field, message }) => `${field} ${message}`))
  return errors.filter(({ field, message }) => !known.has(`${field} ${message}`))
}

function* specErrors(spec: CustomResourceDefinitionSpec): Steps<readonly FieldError[]> {
  const versions = spec.versions ?? []
  if (versions.length > mostVersions) return [tooManyField('spec.versions', versions.length, mostVersions)]
  const { ofEach, ofShared } = yield* versionsErrors(versions, schemaEffort())
  return [
    ...groupErrors(spec),
    ...scopeErrors(spec.scope),
    ...keptDefaultsErrors(spec),
    ...ofEach,
    ...versionListErrors(versions),
    ...missingNameErrors(spec.names, 'spec.names'),
    ...validateNames(spec.names, 'spec.names'),
    ...ofShared,
    ...sharedSelectionErrors(versions),
    ...keptConversionErrors(spec),
    ...conversionErrors(spec.conversion),
    ...keepingErrors(spec),
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
  if (problems.length > 0) return [invalidField('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [invalidField('spec.group', group, 'should be a domain with at least one dot')]
}

/** In v1 the schema determines this; the field would be ignored. */
function keepingErrors({ preserveUnknownFields }: CustomResourceDefinitionSpec): readonly FieldError[] {
  if (preserveUnknownFields !== true) return []
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidField('spec.preserveUnknownFields', true, detail)]
}

function keptDefaultsErrors({ preserveUnknownFields, versions }: CustomResourceDefinitionSpec): readonly FieldError[] {
  const hasDefaults = (node: SchemaNode): boolean =>
    schemaMember(node, 'default') !== undefined || innerNodes(node).some(([, inner]) => hasDefaults(inner))
  const isGiven = (versions ?? []).some(({ schema }) => hasDefaults(schema?.openAPIV3Schema ?? {}))
  if (preserveUnknownFields !== true || !isGiven) return []
  return [invalidField('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
}

function keptConversionErrors({ preserveUnknownFields, conversion }: CustomResourceDefinitionSpec) {
  if (preserveUnknownFields !== true || conversion === undefined || conversion.strategy === 'None') return []
  const detail = 'must be None if spec.preserveUnknownFields is true'
  return [invalidField('spec.conversion.strategy', conversion.strategy, detail)]
}

const scopes = ['Cluster', 'Namespaced']

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [requiredField('spec.scope')]
  return scopes.includes(scope) ? [] : [notSupportedField('spec.scope', scope, scopes)]
}

/** Each served version keeps its objects in memory once more. */
const mostVersions = 20

/** As Go prints them, with only their names. */
function printedVersions(names: readonly string[]): string {
  const type = 'apiextensions.CustomResourceDefinitionVersion'
  if (names.length === 0) return `[]${type}(nil)`
  return shortened(`[]${type}{${names.map((name) => `${type}{Name:${quoted(shortened(name))}}`).join(', ')}}`)
}

function versionListErrors(versions: readonly CustomResourceDefinitionVersion[]): readonly FieldError[] {
  const names = versions.map(({ name }) => name)
  const problems = validateLabel1035(names[0] ?? '')
  return [
    ...(new Set(names).size === names.length
      ? []
      : [invalidFieldAs('spec.versions', printedVersions(names), 'must contain unique version names')]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [
          invalidFieldAs(
            'spec.versions',
            printedVersions(names),
            'must have exactly one version marked as storage version',
          ),
        ]),
    ...((names[0] ?? '') === '' || problems.length === 0
      ? []
      : [invalidField('spec.version', names[0], problems.join(','))]),
  ]
}

/** What all versions have in common is checked once, and without a schema if theirs differ. */
function sharedSelectionErrors(versions: readonly CustomResourceDefinitionVersion[]): readonly FieldError[] {
  const [first, ...others] = versions
  const isShared = others.every(({ selectableFields }) => deepEqual(selectableFields, first?.selectableFields))
  if (others.length === 0 || (first?.selectableFields ?? []).length === 0 || !isShared) return []
  if (others.every(({ schema }) => deepEqual(schema, first?.schema))) return []
  const detail = 'selectableFields may only be set when validations.schema is included'
  return [invalidField('spec.selectableFields', '', detail)]
}

function storedVersionsErrors(
  versions: readonly CustomResourceDefinitionVersion[],
  storedVersions: readonly string[] | null,
): readonly FieldError[] {
  const field = 'status.storedVersions'
  const stored = storedVersions ?? []
  if (stored.length === 0) return [invalidFieldAs(field, '[]string(nil)', 'must have at least one stored version')]
  const left = new Map(stored.map((name, index) => [name, index]))
  const errors: FieldError[] = []
  for (const { name, storage } of versions) {
    // A version that was named before no longer counts, as in Kubernetes.
    if (!left.delete(name) && storage) errors.push(invalidField(field, stored, `must have the storage version ${name}`))
  }
  return [
    ...errors,
    ...[...left].map(([name, index]) => invalidField(`${field}[${index}]`, name, 'must appear in spec.versions')),
  ]
}

/** Kubernetes' own groups are protected. */
function approvalErrors(definition: CustomResourceDefinition): readonly FieldError[] {
  const { state, message = '' } = apiApproval(definition) ?? {}
  const field = `metadata.annotations[${approvalAnnotation}]`
  if (state === 'missing') return [requiredField(field, message)]
  if (state !== 'invalid') return []
  return [invalidField(field, definition.metadata.annotations?.[approvalAnnotation] ?? '', message)]
}
