import type { Schema } from './schema.ts'

/** Functions to write schemas with. Each takes the description first, because `kubectl explain` prints it. */

/** What a node may specify besides type and description. */
export type Extras = Omit<Schema, 'type' | 'description'>

export type Properties = Readonly<Record<string, Schema>>

export function string(description: string, extras: Extras = {}): Schema {
  return { type: 'string', description, ...extras }
}

export function integer(description: string, extras: Extras = {}): Schema {
  return { type: 'integer', format: 'int64', description, ...extras }
}

export function boolean(description: string, extras: Extras = {}): Schema {
  return { type: 'boolean', description, ...extras }
}

/** A time in whole seconds. */
export function time(description: string, extras: Extras = {}): Schema {
  return { type: 'string', format: 'date-time', description, ...extras }
}

export function oneOf(description: string, values: readonly string[], extras: Extras = {}): Schema {
  return { type: 'string', enum: values, description, ...extras }
}

export function object(description: string, properties: Properties, extras: Extras = {}): Schema {
  return { type: 'object', description, properties, ...extras }
}

/** An object whose members are not checked here. */
export function anyObject(description: string, extras: Extras = {}): Schema {
  return { type: 'object', description, preserveUnknownFields: true, ...extras }
}

/** Any key to values of one kind; appliers own single keys. */
export function map(description: string, values: Schema, extras: Extras = {}): Schema {
  return { type: 'object', description, additionalProperties: values, ...extras }
}

/** A list that is replaced and owned as a whole. */
export function list(description: string, items: Schema, extras: Extras = {}): Schema {
  return { type: 'array', description, items, listType: 'atomic', ...extras }
}

export function strings(description: string, extras: Extras = {}): Schema {
  return list(description, { type: 'string' }, extras)
}

/** Distinct strings, each with its own owners. */
export function stringSet(description: string, extras: Extras = {}): Schema {
  return { type: 'array', description, items: { type: 'string' }, listType: 'set', ...extras }
}

/** A list whose items are identified by some of their members, which must be required. */
export function listMap(description: string, keys: readonly string[], items: Schema, extras: Extras = {}): Schema {
  return { type: 'array', description, items, listType: 'map', listMapKeys: keys, ...extras }
}
