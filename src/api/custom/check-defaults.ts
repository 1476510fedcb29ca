import { type FieldError, invalidFieldAs } from '../field-error.ts'
import { goSource } from '../human/go-print.ts'
import { shortened } from '../human/shortened.ts'
import { compileStructure } from './compile.ts'
import { completed } from './prune-and-default.ts'
import type { SchemaEffort } from './schema-effort.ts'
import { namedNodesAt, nodeAt, type SchemaNode, schemaMember } from './schema-node.ts'
import { validateValue } from './validate.ts'
import { isSpent } from './validation-context.ts'

/** What is wrong with the defaults of a schema that is structural. Those below `additionalProperties` are not looked at. */
export function schemaDefaultErrors(schema: SchemaNode, path: string, effort: SchemaEffort): readonly FieldError[] {
  const errors: FieldError[] = []
  checkDefaults(schema, path, effort, errors)
  return errors
}

function checkDefaults(node: SchemaNode, path: string, effort: SchemaEffort, errors: FieldError[]): void {
  if (isSpent(effort.budget)) return
  errors.push(...ownDefaultErrors(node, path, effort))
  const items = nodeAt(node, 'items')
  if (items !== undefined) checkDefaults(items, `${path}.items`, effort, errors)
  for (const [name, each] of namedNodesAt(node, 'properties')) {
    checkDefaults(each, `${path}.properties[${name}]`, effort, errors)
  }
}

/** A default must be what the schema would accept, with nothing that would be pruned. It may repeat items of a list. */
function ownDefaultErrors(node: SchemaNode, path: string, { compiled, budget }: SchemaEffort): readonly FieldError[] {
  const fallback = schemaMember(node, 'default')
  if (fallback === undefined) return []
  const structure = compileStructure(node, compiled)
  const { value, unknownFields } = completed(structure, fallback)
  const isPruned = unknownFields.length > 0
  const errors = validateValue(structure, isPruned ? fallback : value, undefined, budget)
  return [
    ...(isPruned
      ? [invalidFieldAs(`${path}.default`, shortened(goSource(fallback)), 'must not have unknown fields')]
      : []),
    ...errors
      .filter(({ reason }) => reason !== 'FieldValueDuplicate')
      .map((error) => ({ ...error, field: `${path}.default${below(error.field)}` })),
  ]
}

function below(field: string): string {
  return field === '<nil>' || field === '' ? '' : `.${field}`
}
