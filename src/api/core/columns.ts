import { formatAge } from '../human/age.ts'
import type { Column } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import type { TypedColumn } from './builtin-kind.ts'

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object.',
  value: (object) => object.metadata.name ?? '',
}

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  value: (object, nowMs) => formatAge(object.metadata.creationTimestamp, nowMs),
}

export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'Time at which the object was created.',
  value: ({ metadata }) => metadata.creationTimestamp ?? null,
}

/** A column of text that is always shown. */
export function column<T extends KubeObject>(
  name: string,
  description: string,
  value: TypedColumn<T>['value'],
): TypedColumn<T> {
  return { name, type: 'string', description, value }
}

/** A column of text that is shown only with `-o wide`. */
export function wideColumn<T extends KubeObject>(
  name: string,
  description: string,
  value: TypedColumn<T>['value'],
): TypedColumn<T> {
  return { name, type: 'string', description, priority: 1, value }
}

/** A column of integers that is always shown. */
export function integerColumn<T extends KubeObject>(
  name: string,
  description: string,
  value: TypedColumn<T>['value'],
): TypedColumn<T> {
  return { name, type: 'integer', description, value }
}

/** How many items of a list a column shows. */
export const shownItems = 3

/**
 * The first few of many, and how many more there are: `a,b,c + 2 more...`. `count`: the total, if `items` is
 * incomplete.
 */
export function firstFew(items: readonly string[], count = items.length): string {
  const shown = items.slice(0, shownItems).join(',')
  return count > shownItems ? `${shown} + ${count - shownItems} more...` : shown
}

export function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? '<none>' : text
}

/** `a=b,c=d`, ordered by key. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return orNone(pairs.sort().join(','))
}
