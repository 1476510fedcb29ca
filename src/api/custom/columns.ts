import { isJsonObject } from '../../base/json/member.ts'
import { printJson } from '../../base/json/print.ts'
import { nameColumn } from '../core/columns.ts'
import { parseTime } from '../decode/time.ts'
import { formatAge } from '../human/age.ts'
import type { Cell, Column } from '../kind.ts'
import type { CustomResourceColumnDefinition } from '../types/apiextensions-v1.ts'
import { firstAt, parseSimplePath } from './simple-path.ts'

const age: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

export function printerColumnsOf(columns: readonly CustomResourceColumnDefinition[] = []): readonly Column[] {
  return [nameColumn, ...(columns.length === 0 ? [age] : columns).map(columnOf)]
}

const columnTypes: ReadonlyMap<string, Column['type']> = new Map<string, Column['type']>([
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
])

/** A column with an invalid path is empty. */
function columnOf({ name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition): Column {
  const steps = parseSimplePath(jsonPath)
  const columnType = columnTypes.get(type) ?? 'string'
  return {
    name,
    type: columnType,
    ...(format !== undefined && { format }),
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority !== undefined && { priority }),
    value: (object, nowMs) => (steps === undefined ? null : cell(columnType, firstAt(object, steps), nowMs)),
  }
}

/** A value of another type is not shown. */
function cell(type: Column['type'], value: unknown, nowMs: number): Cell {
  if (value === undefined || value === null) return null
  switch (type) {
    case 'integer':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? shownAge(value, nowMs) : null
    case 'string':
      return shownText(value)
  }
}

function shownAge(time: string, nowMs: number): string {
  return time === '' || parseTime(time).valid ? formatAge(time, nowMs) : '<invalid>'
}

/** The maximum length of a cell: an object may be megabytes long, and a hundred columns may show all of it. */
const longestCell = 1_000

function shownText(value: unknown): string {
  const text = typeof value === 'string' ? value : beginning(value, longestCell)
  return text.length <= longestCell ? text : `${text.slice(0, longestCell)}…`
}

/** The beginning of a value as JSON, using no more of it than necessary. */
function beginning(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (Array.isArray(value)) return `[${joined(value, (item) => beginning(item, most), most)}]`
  if (!isJsonObject(value)) return value === undefined ? '' : printJson(value)
  return `{${joined(sortedEntries(value), ([name, each]) => `${JSON.stringify(name)}:${beginning(each, most)}`, most)}}`
}

function sortedEntries(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.keys(value)
    .sort()
    .map((name) => [name, value[name]])
}

function joined<T>(items: readonly T[], print: (item: T) => string, most: number): string {
  let text = ''
  for (const item of items) {
    if (text.length > most) break
    text += text === '' ? print(item) : `,${print(item)}`
  }
  return text
}
