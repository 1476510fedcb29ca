import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type { CustomResourceDefinitionVersion } from '../../types/apiextensions-v1.ts'
import { nodeAt, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'

const mostSelectableFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

/** What is wrong with the fields of field selectors. */
export function selectableFieldsErrors(
  { selectableFields, schema }: CustomResourceDefinitionVersion,
  path: string,
): readonly FieldError[] {
  const field = `${path}.selectableFields`
  if ((selectableFields ?? []).length > 0 && schema?.openAPIV3Schema === undefined)
    return [
      invalidField('spec.selectableFields', '', 'selectableFields may only be set when validations.schema is included'),
    ]
  const paths = (selectableFields ?? []).map(({ jsonPath }) => jsonPath)
  const seen = new Set<string>()
  const errors = paths.flatMap((jsonPath, index) =>
    fieldErrors(jsonPath, `${field}[${index}].jsonPath`, schema?.openAPIV3Schema ?? {}, seen),
  )
  return seen.size > mostSelectableFields ? [...errors, tooManyField(field, seen.size, mostSelectableFields)] : errors
}

function fieldErrors(jsonPath: string, at: string, schema: SchemaNode, seen: Set<string>): readonly FieldError[] {
  if (jsonPath === '') return [requiredField(at)]
  const found = selected(jsonPath, schema)
  if ('problem' in found) return [invalidField(at, jsonPath, `is an invalid path: ${found.problem}`)]
  const isTaken = seen.has(jsonPath)
  seen.add(jsonPath)
  return [
    ...(/^\.metadata(\.|$)/.test(jsonPath) ? [invalidField(at, jsonPath, 'must not point to fields in metadata')] : []),
    ...(selectableTypes.includes(schemaText(found.node, 'type')) ? [] : [invalidField(at, jsonPath, wrongType)]),
    ...(isTaken ? [duplicateField(at, jsonPath)] : []),
  ]
}

const wrongType =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'

type Selected = { readonly node: SchemaNode } | { readonly problem: string }

/** The schema at a path of names: `.spec.name`. */
function selected(jsonPath: string, schema: SchemaNode): Selected {
  let node = schema
  let rest = jsonPath
  while (rest !== '') {
    const [step, dot = '', name = ''] = /^(\.?)([^.[\]]*)/.exec(rest) ?? []
    if (dot === '') return { problem: unexpected(rest, name) }
    if (rest === '.') return { problem: 'unexpected end of JSON path' }
    const inner = memberOf(node, name)
    if (inner === undefined) return { problem: 'does not refer to a valid field' }
    node = inner
    rest = rest.slice(step?.length ?? 1)
  }
  return { node }
}

function unexpected(rest: string, name: string): string {
  if (rest.startsWith('[')) return 'array notation is not allowed'
  return `expected [ or . but got: ${name === '' ? rest.slice(0, 1) : name}`
}

function memberOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const properties = nodeAt(node, 'properties')
  if (properties !== undefined) return nodeAt(properties, name)
  return schemaMember(node, 'additionalProperties') === undefined ? undefined : nodeAt(node, 'additionalProperties')
}
