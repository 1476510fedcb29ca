import type { Schema } from '../../api/schema.ts'
import { type FieldSet, type FieldSetDraft, isEmptySet, leaf } from './field-set.ts'
import { type Manager, withFields } from './managers.ts'
import { itemSchema, memberSchema } from './schema-shape.ts'

/**
 * The schema of a custom kind may have changed: a manager that owned parts of a value that is now owned as a whole then
 * owns all of it.
 */
export function fitToSchema(manager: Manager, schema: Schema): Manager {
  return withFields(manager, fitNode(manager.fields, schema))
}

function fitNode(node: FieldSet, schema: Schema): FieldSet {
  if (isEmptySet(node)) return node
  if (isOwnedWhole(schema)) return leaf
  let result: FieldSetDraft | undefined
  for (const element in node) {
    const child = node[element] ?? leaf
    const fitted = fitNode(child, schemaBelow(schema, element))
    if (fitted === child) continue
    result ??= { ...node }
    result[element] = fitted
  }
  return result ?? node
}

function schemaBelow(schema: Schema, element: string): Schema {
  return element.startsWith('f:') ? memberSchema(schema, element.slice(2)) : itemSchema(schema)
}

function isOwnedWhole(schema: Schema): boolean {
  if (schema.type === 'array') return schema.listType !== 'map' && schema.listType !== 'set'
  return schema.type === 'object' && schema.mapType === 'atomic'
}
