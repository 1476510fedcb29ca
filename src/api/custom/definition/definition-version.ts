import { deepEqual } from '../../../base/equal.ts'
import type { Steps } from '../../../base/steps.ts'
import { type FieldError, invalidField, requiredField } from '../../field-error.ts'
import { validateLabel1035 } from '../../names.ts'
import type { CustomResourceDefinitionVersion } from '../../types/apiextensions-v1.ts'
import { schemaErrorSteps } from '../checks/check-schema.ts'
import type { SchemaEffort } from '../schema-effort.ts'
import { deprecationProblems } from './definition-deprecation.ts'
import { columnsErrors, scaleErrors } from './definition-paths.ts'
import { selectableFieldsErrors } from './selectable-fields.ts'

type Version = CustomResourceDefinitionVersion

/** A part of a version with separate errors. Kubernetes names and checks it once if all versions have the same. */
interface Part {
  readonly of: (version: Version) => unknown
  /** `path` is that of the version, or of the definition if the part is shared. */
  readonly errors: (
    version: Version,
    path: string,
    whole: Whole,
  ) => readonly FieldError[] | Steps<readonly FieldError[]>
}

interface Whole {
  readonly effort: SchemaEffort
  readonly isShared: boolean
  readonly versions: readonly Version[]
}

const parts: readonly Part[] = [
  { of: ({ schema }) => schema ?? {}, errors: schemaPartErrors },
  { of: ({ subresources }) => subresources ?? {}, errors: scaleErrors },
  { of: ({ additionalPrinterColumns }) => additionalPrinterColumns ?? [], errors: columnsErrors },
  { of: ({ selectableFields }) => selectableFields ?? [], errors: selectableFieldsErrors },
]

export interface VersionsErrors {
  readonly ofEach: readonly FieldError[]
  readonly ofShared: readonly FieldError[]
}

export function* versionsErrors(versions: readonly Version[], effort: SchemaEffort): Steps<VersionsErrors> {
  const [first] = versions
  if (first === undefined) return { ofEach: [], ofShared: [] }
  const isShared = ({ of }: Part) => versions.every((version) => deepEqual(of(version), of(first)))
  const shared = parts.filter(isShared)
  const own = parts.filter((part) => !shared.includes(part))
  yield
  const ofEach: FieldError[] = versions.flatMap(missingSchemaErrors)
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`
    ofEach.push(...nameErrors(version, path))
    ofEach.push(...(yield* partsErrors(own, version, path, { effort, versions, isShared: false })))
  }
  return { ofEach, ofShared: yield* partsErrors(shared, first, 'spec', { effort, versions, isShared: true }) }
}

function* partsErrors(
  chosen: readonly Part[],
  version: Version,
  path: string,
  whole: Whole,
): Steps<readonly FieldError[]> {
  const all: FieldError[] = []
  for (const { errors } of chosen) {
    const found = errors(version, path, whole)
    all.push(...('next' in found ? yield* found : found))
    yield
  }
  return all
}

function nameErrors({ name, deprecated, deprecationWarning }: Version, path: string): readonly FieldError[] {
  const problems = validateLabel1035(name)
  return [
    ...(problems.length === 0 ? [] : [invalidField(`${path}.name`, name, problems.join(','))]),
    ...deprecationProblems(deprecated === true, deprecationWarning).map((problem) =>
      invalidField(`${path}.deprecationWarning`, deprecationWarning, problem),
    ),
  ]
}

function missingSchemaErrors({ schema }: Version, index: number): readonly FieldError[] {
  if (schema?.openAPIV3Schema !== undefined) return []
  return [requiredField(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')]
}

function schemaPartErrors(version: Version, path: string, { effort, isShared, versions }: Whole) {
  const root = version.schema?.openAPIV3Schema
  if (root === undefined) return []
  const field = isShared ? `${path}.validation.openAPIV3Schema` : `${path}.schema.openAPIV3Schema`
  const hasStatus = (isShared ? versions : [version]).some(({ subresources }) => subresources?.status !== undefined)
  return schemaErrorSteps(root, field, { effort, hasStatus })
}
