import type { Schema } from '../../api/schema.ts'
import type { PatchPathElement, Path } from '../path/path.ts'

/** What a kind says about a field; nothing if it does not know the field. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let current: Schema | undefined = schema
  for (const element of path) {
    if (current === undefined) return undefined
    current = below(current, element)
  }
  return current
}

function below(schema: Schema, element: PatchPathElement): Schema | undefined {
  if (schema.type === 'array') return element.type === 'member' ? undefined : schema.items
  if (element.type === 'wildcard') return schema.additionalProperties
  const name = element.type === 'index' ? String(element.index) : element.name
  const named = schema.properties
  return named !== undefined && Object.hasOwn(named, name) ? named[name] : schema.additionalProperties
}
