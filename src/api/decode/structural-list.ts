import { isJsonObject } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { duplicateField, type FieldError } from '../field-error.ts'
import type { Schema } from '../schema.ts'

const noErrors: readonly FieldError[] = []

/** Items of sets, and the keys of keyed lists, must be unique. */
export function repeatedItemErrors(
  schema: Schema,
  items: readonly unknown[],
  path: readonly PathElement[],
): readonly FieldError[] {
  if (items.length < 2 || (schema.listType !== 'set' && schema.listType !== 'map')) return noErrors
  const identity = schema.listType === 'set' ? wholeItem : keysOf(schema)
  const seen = new Set<string>()
  const errors: FieldError[] = []
  items.forEach((item, at) => {
    const shown = identity(item)
    const text = JSON.stringify(shown)
    if (seen.has(text)) errors.push(duplicateField(printPath([...path, at]), shown))
    seen.add(text)
  })
  return errors
}

function wholeItem(item: unknown): unknown {
  return item
}

function keysOf(schema: Schema): (item: unknown) => unknown {
  const names = schema.listMapKeys ?? []
  return (item) => {
    if (!isJsonObject(item)) return item
    return Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]))
  }
}
