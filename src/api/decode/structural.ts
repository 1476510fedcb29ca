import { firstMembers, isJsonObject, setMember } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { type FieldError, requiredField } from '../field-error.ts'
import type { Schema } from '../schema.ts'
import { repeatedItemErrors } from './structural-list.ts'
import { scalarErrors, typeError } from './structural-scalar.ts'

/** The position of a decoding, and the errors it has found. */
export interface StructuralContext {
  readonly path: PathElement[]
  readonly unknownFields: string[]
  readonly errors: FieldError[]
}

const mostUnknownFields = 100
const mostErrors = 100

/**
 * Applies the schema of a custom kind to a value: removes members that the schema does not name and nulls where null is
 * not allowed, adds defaults, and puts everything else that is wrong into `errors`. A value that needs no change is
 * returned itself, not a copy.
 */
function decodeStructural(schema: Schema, value: unknown, context: StructuralContext): unknown {
  if (value === null && schema.nullable === true) return value
  switch (schema.type) {
    case 'any':
      return value
    case 'object':
      return isJsonObject(value) ? decodeObjectNode(schema, value, context) : wrong(schema, value, context)
    case 'array':
      return Array.isArray(value) ? decodeArrayNode(schema, value, context) : wrong(schema, value, context)
    default:
      report(scalarErrors(schema, value, context.path), context)
      return value
  }
}

/** The members of an object, without those in `except`, which the caller handles. */
export function decodeObjectNode(
  schema: Schema,
  value: Record<string, unknown>,
  context: StructuralContext,
  except: ReadonlySet<string> = none,
): Record<string, unknown> {
  const keys = Object.keys(value)
  let changed: Record<string, unknown> | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    const found = value[key]
    const kept = except.has(key) ? found : decodeMember(schema, key, found, context)
    if (changed === undefined && kept === found) continue
    changed ??= firstMembers(value, keys, at)
    if (kept !== undefined) setMember(changed, key, kept)
  }
  return withDefaults(schema, changed ?? value, context)
}

const none: ReadonlySet<string> = new Set()

function decodeMember(schema: Schema, key: string, value: unknown, context: StructuralContext): unknown {
  const member = memberSchema(schema, key)
  if (member === undefined) return unknownMember(schema, key, value, context)
  if (value === null && member.nullable !== true && member.type !== 'any') return undefined
  context.path.push(key)
  const decoded = decodeStructural(member, value, context)
  context.path.pop()
  return decoded
}

function memberSchema(schema: Schema, key: string): Schema | undefined {
  const properties = schema.properties
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
  return schema.additionalProperties
}

function unknownMember(schema: Schema, key: string, value: unknown, context: StructuralContext): unknown {
  if (schema.preserveUnknownFields === true) return value
  if (context.unknownFields.length < mostUnknownFields) {
    context.unknownFields.push(printPath([...context.path, key]))
  }
  return undefined
}

/** Adds the defaults of absent members, and reports required members without one. */
function withDefaults(
  schema: Schema,
  value: Record<string, unknown>,
  context: StructuralContext,
): Record<string, unknown> {
  let completed = value
  for (const [key, fallback] of defaultsOf(schema)) {
    if (Object.hasOwn(completed, key)) continue
    if (completed === value) completed = { ...value }
    setMember(completed, key, fallback)
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(completed, key)) report([requiredField(printPath([...context.path, key]))], context)
  }
  return completed
}

const knownDefaults = new WeakMap<Schema, readonly (readonly [string, unknown])[]>()

function defaultsOf(schema: Schema): readonly (readonly [string, unknown])[] {
  const known = knownDefaults.get(schema)
  if (known !== undefined) return known
  const members = Object.entries(schema.properties ?? {})
  const defaults = members.flatMap(([key, member]) =>
    member.default === undefined ? [] : [[key, member.default] as const],
  )
  knownDefaults.set(schema, defaults)
  return defaults
}

function decodeArrayNode(schema: Schema, value: readonly unknown[], context: StructuralContext): unknown {
  const items = schema.items
  if (items === undefined) return value
  let changed: unknown[] | undefined
  for (let at = 0; at < value.length; at++) {
    context.path.push(at)
    const decoded = decodeStructural(items, value[at], context)
    context.path.pop()
    if (changed === undefined && decoded !== value[at]) changed = value.slice(0, at)
    changed?.push(decoded)
  }
  const decoded = changed ?? value
  report(repeatedItemErrors(schema, decoded, context.path), context)
  return decoded
}

function wrong(schema: Schema, value: unknown, context: StructuralContext): unknown {
  report([typeError(schema.type, value, context.path)], context)
  return value
}

function report(errors: readonly FieldError[], context: StructuralContext): void {
  for (const error of errors) if (context.errors.length < mostErrors) context.errors.push(error)
}
