import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { itemsPerStep, type Steps } from '../../base/steps.ts'
import { keyElement, textKeyElement, valueElement } from './path-element.ts'
import { itemSchema, ownMember } from './schema-shape.ts'

export type ItemElement =
  | { readonly element: string; readonly problem?: undefined }
  | { readonly element?: undefined; readonly problem: string }

/** Identifies an item of a set, or of a list with keys. */
export function elementOf(schema: Schema, item: unknown): ItemElement {
  return schema.listType === 'map' ? keyedElement(schema, item) : setElement(item)
}

/**
 * The items of a list by their elements, in order. Items with the same element share an entry; items without an element
 * are omitted.
 */
export function* itemsByElement(
  schema: Schema,
  items: readonly unknown[],
): Steps<ReadonlyMap<string, readonly unknown[]>> {
  const result = new Map<string, unknown[]>()
  let count = 0
  for (const item of items) {
    if (++count % itemsPerStep === 0) yield
    const { element } = elementOf(schema, item)
    if (element === undefined) continue
    const known = result.get(element)
    if (known === undefined) result.set(element, [item])
    else known.push(item)
  }
  return result
}

function keyedElement(schema: Schema, item: unknown): ItemElement {
  if (item === null) return { problem: 'associative list with keys may not have a null element' }
  if (!isJsonObject(item)) return { problem: 'associative list with keys may not have non-map elements' }
  const names = schema.listMapKeys ?? []
  const [onlyKey = ''] = names
  const onlyValue = names.length === 1 ? ownMember(item, onlyKey) : undefined
  if (typeof onlyValue === 'string') return { element: textKeyElement(onlyKey, onlyValue) }
  const keys: [string, unknown][] = []
  for (const name of names) {
    const value = ownMember(item, name) ?? absentKey(itemSchema(schema), name)
    if (value === undefined) return { problem: withoutKey(name) }
    keys.push([name, value])
  }
  return { element: keyElement(keys.sort(([left], [right]) => (left < right ? -1 : 1))) }
}

const zeros: Partial<Record<Schema['type'], unknown>> = { string: '', integer: 0, boolean: false }

/** The value of a key that an item omits: its default, or the zero value for a required member of a builtin type. */
function absentKey({ name: typeName, properties, required }: Schema, key: string): unknown {
  const member = properties?.[key]
  if (member?.default !== undefined) return member.default
  const isBuiltin = typeName !== undefined
  return isBuiltin && member !== undefined && required?.includes(key) === true ? zeros[member.type] : undefined
}

function withoutKey(name: string): string {
  return `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`
}

function setElement(item: unknown): ItemElement {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" }
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' }
  if (typeof item === 'object') return { problem: "associative list without keys has an element that's a map type" }
  return { element: valueElement(item) }
}
