import { formatAge, formatMoment } from '../human/age.ts'
import type { Column } from '../kind.ts'
import { textAtPath } from './text-at.ts'

export const managementNameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object.',
  value: ({ metadata }) => metadata.name ?? '',
}

export const managementAgeColumn: Column = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  value: ({ metadata }, nowMs) => formatAge(metadata.creationTimestamp, nowMs),
}

/** A text of the object at a path. */
export function textColumn(name: string, path: string, description: string): Column {
  return { name, type: 'string', description, value: textAtPath(path) }
}

/** A time of the object, shown relative to now. */
export function momentColumn(name: string, path: string, description: string): Column {
  const read = textAtPath(path)
  return { name, type: 'string', description, value: (object, nowMs) => formatMoment(read(object), nowMs) }
}

/** Shown only with `-o wide`. */
export function wide(column: Column): Column {
  return { ...column, priority: 1 }
}

export const displayNameColumn = textColumn('Display Name', 'spec.displayName', 'Name for human readers.')
export const phaseColumn = textColumn('Phase', 'status.phase', 'Lifecycle phase of the object.')
