import type { ConfigField } from './field.ts'
import { documentField } from './fields.ts'
import type { ConfigPath } from './problem.ts'

/** The field at a path of the document. */
export function fieldAt(path: ConfigPath): ConfigField | undefined {
  let field: ConfigField | undefined = documentField
  for (const step of path) field = field === undefined ? undefined : childField(field, step)
  return field
}

export function isOnByDefault(path: ConfigPath): boolean {
  const field = fieldAt(path)
  return field?.type === 'boolean' && field.default === true
}

function childField(field: ConfigField, step: string | number): ConfigField | undefined {
  if (field.type === 'list') return field.items
  if (field.type === 'map') return field.values
  return field.type === 'object' && Object.hasOwn(field.members, step) ? field.members[step] : undefined
}
