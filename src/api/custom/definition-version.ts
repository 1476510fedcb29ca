import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import { validateLabel1035 } from '../names.ts'
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../types/apiextensions-v1.ts'
import { schemaErrors } from './check-schema.ts'
import type { SchemaEffort } from './schema-effort.ts'
import { nodeAt, type SchemaNode, schemaText } from './schema-node.ts'
import { memberPath } from './simple-path.ts'

/** Whether a part is the same in all versions: Kubernetes then names it once, and checks it once. */
export interface VersionPaths {
  readonly sharesSchema: boolean
  readonly sharesColumns: boolean
  readonly sharesSubresources: boolean
  readonly sharesSelectableFields: boolean
}

export function versionErrors(
  version: CustomResourceDefinitionVersion,
  index: number,
  paths: VersionPaths,
  effort: SchemaEffort,
): readonly FieldError[] {
  const path = `spec.versions[${index}]`
  const { name, deprecated, deprecationWarning } = version
  const isRepeated = (shared: boolean) => shared && index > 0
  return [
    ...validateLabel1035(name).map((problem) => invalidField(`${path}.name`, name, problem)),
    ...(deprecationWarning !== undefined && deprecated !== true
      ? [invalidField(`${path}.deprecationWarning`, deprecationWarning, 'can only be set for deprecated versions')]
      : []),
    ...(isRepeated(paths.sharesSchema) ? [] : versionSchemaErrors(version, path, paths, effort)),
    ...(isRepeated(paths.sharesColumns) ? [] : columnsErrors(version, paths.sharesColumns ? 'spec' : path)),
    ...(isRepeated(paths.sharesSubresources) ? [] : scaleErrors(version, paths.sharesSubresources ? 'spec' : path)),
    ...(isRepeated(paths.sharesSelectableFields)
      ? []
      : selectableErrors(version, paths.sharesSelectableFields ? 'spec' : path)),
  ]
}

function versionSchemaErrors(
  { schema }: CustomResourceDefinitionVersion,
  path: string,
  { sharesSchema }: VersionPaths,
  effort: SchemaEffort,
): readonly FieldError[] {
  const root = schema?.openAPIV3Schema
  if (root === undefined) return [requiredField(`${path}.schema.openAPIV3Schema`, 'schemas are required')]
  const field = sharesSchema ? 'spec.validation.openAPIV3Schema' : `${path}.schema.openAPIV3Schema`
  return schemaErrors(root, field, effort)
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const mostColumns = 100
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function columnsErrors(
  { additionalPrinterColumns }: CustomResourceDefinitionVersion,
  path: string,
): readonly FieldError[] {
  const columns = additionalPrinterColumns ?? []
  const field = `${path}.additionalPrinterColumns`
  if (columns.length > mostColumns) return [tooManyField(field, columns.length, mostColumns)]
  return columns.flatMap((column, index) => columnErrors(column, `${field}[${index}]`))
}

function columnErrors(
  { name, type, format, jsonPath }: CustomResourceColumnDefinition,
  path: string,
): readonly FieldError[] {
  const isFormat = format === undefined || columnFormats.includes(format)
  return [
    ...(name === '' ? [requiredField(`${path}.name`)] : []),
    ...(type === '' ? [requiredField(`${path}.type`, `must be one of ${columnTypes.join(',')}`)] : []),
    ...(type !== '' && !columnTypes.includes(type)
      ? [invalidField(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`)]
      : []),
    ...(isFormat ? [] : [invalidField(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]),
    ...pathErrors(jsonPath, `${path}.JSONPath`),
  ]
}

function pathErrors(jsonPath: string, field: string): readonly FieldError[] {
  if (jsonPath === '') return [requiredField(field)]
  return jsonPath.startsWith('.') ? [] : [invalidField(field, jsonPath, 'must be a simple json path starting with .')]
}

function scaleErrors({ subresources }: CustomResourceDefinitionVersion, path: string): readonly FieldError[] {
  const scale = subresources?.scale
  return scale === undefined ? [] : scalePathsErrors(scale, `${path}.subresources.scale`)
}

function scalePathsErrors(scale: CustomResourceSubresourceScale, path: string): readonly FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...replicasPathErrors(specReplicasPath, `${path}.specReplicasPath`, ['spec']),
    ...replicasPathErrors(statusReplicasPath, `${path}.statusReplicasPath`, ['status']),
    ...(labelSelectorPath === undefined || labelSelectorPath === ''
      ? []
      : replicasPathErrors(labelSelectorPath, `${path}.labelSelectorPath`, ['spec', 'status'])),
  ]
}

function replicasPathErrors(text: string, field: string, roots: readonly string[]): readonly FieldError[] {
  if (text === '') return [requiredField(field)]
  const names = text.startsWith('.') ? memberPath(text) : undefined
  if (names === undefined) return [invalidField(field, text, 'must be a simple json path starting with .')]
  if (names.length > 1 && roots.includes(names[0] ?? '')) return []
  const places = roots.map((root) => `.${root}`).join(' or ')
  return [invalidField(field, text, `should be a json path under ${places}`)]
}

const mostSelectableFields = 8

const selectableTypes = ['string', 'boolean', 'integer']

function selectableErrors(
  { selectableFields, schema }: CustomResourceDefinitionVersion,
  path: string,
): readonly FieldError[] {
  const fields = selectableFields ?? []
  const field = `${path}.selectableFields`
  if (fields.length > mostSelectableFields) return [tooManyField(field, fields.length, mostSelectableFields)]
  const seen = new Set<string>()
  return fields.flatMap(({ jsonPath }, index) => {
    const at = `${field}[${index}].jsonPath`
    const names = jsonPath.startsWith('.') ? memberPath(jsonPath) : undefined
    if (jsonPath === '') return [requiredField(at)]
    if (names === undefined) return [invalidField(at, jsonPath, 'is an invalid path')]
    if (names[0] === 'metadata') return [forbiddenField(at, 'must not point to fields in metadata')]
    if (seen.has(jsonPath)) return [duplicateField(at, jsonPath)]
    seen.add(jsonPath)
    return selectedTypeErrors(schemaAt(schema?.openAPIV3Schema, names), at, jsonPath)
  })
}

function selectedTypeErrors(node: SchemaNode | undefined, field: string, jsonPath: string): readonly FieldError[] {
  if (node === undefined) return [invalidField(field, jsonPath, 'is an invalid path: does not refer to a valid field')]
  if (selectableTypes.includes(schemaText(node, 'type'))) return []
  const detail =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
  return [invalidField(field, jsonPath, detail)]
}

/** Undefined if the schema does not name it. */
function schemaAt(root: SchemaNode | undefined, names: readonly string[]): SchemaNode | undefined {
  return names.reduce<SchemaNode | undefined>((node, name) => {
    const properties = node && nodeAt(node, 'properties')
    return properties && nodeAt(properties, name)
  }, root)
}
