import { isJsonObject } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { printJson } from '../../base/json/print.ts'
import { duplicateFieldAs, type FieldError, invalidField, maxFieldErrors, tooManyField } from '../field-error.ts'
import { goSource } from '../human/go-print.ts'
import { shortened } from '../human/shortened.ts'
import type { Structure } from './structure.ts'

const noErrors: readonly FieldError[] = []

/** Checks the number of items, and that those of sets and keyed lists are unique. */
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
    ...repeatedItems(structure, items, path),
  ]
}

function repeatedItems(
  structure: Structure,
  items: readonly unknown[],
  path: readonly PathElement[],
): readonly FieldError[] {
  if (items.length < 2 || (structure.listType !== 'set' && structure.listType !== 'map')) return noErrors
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const [at, item] of items.entries()) {
    if (errors.length === maxFieldErrors) break
    const shown = identityOf(structure, item)
    const text = printJson(shown)
    if (seen.has(text)) errors.push(duplicateFieldAs(printPath([...path, at]), shortened(goSource(shown))))
    seen.add(text)
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
