import { isJsonObject } from '../../base/json/member.ts'
import { extendedPath, type PathElement, printPath } from '../../base/json/path.ts'
import { printJson } from '../../base/json/print.ts'
import { duplicateFieldAs, type FieldError, invalidField, maxFieldErrors, tooManyField } from '../field-error.ts'
import { goSource } from '../human/go-print.ts'
import { shortened } from '../human/shortened.ts'
import type { Structure } from './structure.ts'

const noErrors: readonly FieldError[] = []

/** Checks the number of items. */
export function listErrors(
  structure: Structure,
  items: readonly unknown[],
  path: readonly PathElement[],
): readonly FieldError[] {
  const { minItems, maxItems } = structure.checks
  const field = printPath(path)
  return [
    ...(maxItems !== undefined && items.length > maxItems ? [tooManyField(field, items.length, maxItems)] : []),
    ...(minItems !== undefined && items.length < minItems
      ? [invalidField(field, items.length, `${field} in body should have at least ${minItems} items`)]
      : []),
  ]
}

/** The duplicate items of a set or a keyed list, each reported once, or the first item that can have no keys. */
export function repeatedItems(structure: Structure, items: readonly unknown[], path: string): readonly FieldError[] {
  const wrong = structure.listType === 'map' ? items.findIndex((item) => item !== null && !isJsonObject(item)) : -1
  if (wrong >= 0) {
    const problem = 'must be an object for an array of list-type map'
    return [invalidField(extendedPath(path, `[${wrong}]`), items[wrong], problem)]
  }
  if (items.length < 2 || (structure.listType !== 'set' && structure.listType !== 'map')) return noErrors
  const counts = new Map<string, number>()
  const errors: FieldError[] = []
  for (const [at, item] of items.entries()) {
    if (errors.length === maxFieldErrors) break
    const shown = identityOf(structure, item)
    const text = printJson(shown)
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    if (count === 2) errors.push(duplicateFieldAs(extendedPath(path, `[${at}]`), shortened(goSource(shown))))
  }
  return errors
}

/** Identifies an item of a keyed list. */
export function listMapKey(structure: Structure, item: unknown): string {
  return printJson(identityOf(structure, item))
}

function identityOf({ listType, listMapKeys }: Structure, item: unknown): unknown {
  if (listType !== 'map' || !isJsonObject(item)) return item
  return Object.fromEntries(listMapKeys.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]))
}

export function membersErrors(
  { checks: { minProperties, maxProperties } }: Structure,
  count: number,
  path: readonly PathElement[],
): readonly FieldError[] {
  if (minProperties === undefined && maxProperties === undefined) return noErrors
  const field = printPath(path)
  return [
    ...(maxProperties !== undefined && count > maxProperties ? [tooManyField(field, count, maxProperties)] : []),
    ...(minProperties !== undefined && count < minProperties
      ? [invalidField(field, count, `${field} in body should have at least ${minProperties} properties`)]
      : []),
  ]
}

/** The previous state of items: known only if keys identify them. */
export function itemsByKey(structure: Structure, old: unknown): ReadonlyMap<string, unknown> | undefined {
  if (structure.listType !== 'map' || !Array.isArray(old)) return undefined
  return new Map(old.map((item) => [listMapKey(structure, item), item]))
}
