import { firstMembers, isJsonObject, setMember } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { decodeStruct } from '../decode/typed.ts'
import { ApiError, badRequest, tooLarge } from '../error.ts'
import { goSource } from '../human/go-print.ts'
import { objectMetaSchema } from '../metadata/schema.ts'
import { memberStructure, type Structure } from './structure.ts'

export interface Completed {
  readonly value: unknown
  /** The removed fields, in the order in which they are reported. */
  readonly unknownFields: readonly string[]
}

interface Context {
  readonly path: PathElement[]
  readonly unknownFields: string[]
  /** For the metadata of embedded objects. */
  readonly unknownMetadata: string[]
  readonly refuse: (reason: string) => ApiError
  /** For invalid metadata inside; absent: it is reported as one sentence. */
  readonly refuseMetadata?: (field: string, value: unknown, reason: string) => ApiError
  /** Whether embedded objects whose type is no text are refused here; otherwise validation finds them. */
  readonly needsTypes?: boolean
  /** Whether nulls without a default stay, for validation to find: what is applied may be null only where that is allowed. */
  readonly keepsNulls?: boolean
  /** How much more the defaults may add. */
  room: number
}

const mostUnknownFields = 100

/** As much as a body may hold: a few bytes must not become many megabytes of defaults. */
const mostDefaults = 3 * 1024 * 1024

/**
 * Stored objects already have their defaults, except those added to the schema later, which must not multiply their
 * size.
 */
export const mostLaterDefaults = 16 * 1024

/**
 * Prunes a value and fills in its defaults: removes members that the schema does not name, and nulls where null is not
 * allowed. A value that needs no change is returned itself, not a copy. `except` names members of the value to skip.
 * `validateValue` finds what is wrong with the value.
 */
export function completed(
  structure: Structure,
  value: unknown,
  except: ReadonlySet<string> = none,
  {
    refuse = badRequest,
    room = mostDefaults,
    ...more
  }: Partial<Pick<Context, 'refuse' | 'refuseMetadata' | 'needsTypes' | 'keepsNulls' | 'room'>> = {},
): Completed {
  const context: Context = { path: [], unknownFields: [], unknownMetadata: [], refuse, room, ...more }
  const complete = isJsonObject(value)
    ? completeObject(structure, value, context, except)
    : completeValue(structure, value, context)
  return { value: complete, unknownFields: [...context.unknownFields.sort(), ...context.unknownMetadata.sort()] }
}

const none: ReadonlySet<string> = new Set()

function completeValue(structure: Structure, value: unknown, context: Context): unknown {
  if (isJsonObject(value)) {
    const isObject = structure.type === undefined || structure.type === 'object'
    return isObject ? completeObject(structure, value, context) : value
  }
  if (!Array.isArray(value) || structure.items === undefined) return value
  return completeItems(structure.items, value, context)
}

function completeObject(
  structure: Structure,
  value: Record<string, unknown>,
  context: Context,
  except: ReadonlySet<string> = none,
): Record<string, unknown> {
  const keys = Object.keys(value)
  let changed: Record<string, unknown> | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    const found = value[key]
    const kept = except.has(key) ? found : completeMember(structure, key, found, context)
    if (changed === undefined && kept === found) continue
    changed ??= firstMembers(value, keys, at)
    if (kept !== undefined) setMember(changed, key, kept)
  }
  return withDefaults(structure, changed ?? value, context)
}

function completeMember(structure: Structure, key: string, value: unknown, context: Context): unknown {
  if (structure.isResource && key === 'metadata') return completeMetadata(value, context)
  const member = memberStructure(structure, key)
  if (member === undefined) return unknownMember(structure, key, value, context)
  if (value === null && !member.isNullable) {
    if (context.keepsNulls === true && member.default === undefined) return null
    return structure.properties.has(key) ? undefined : ownDefault(member, context)
  }
  context.path.push(key)
  const complete = completeValue(member, value, context)
  context.path.pop()
  return complete
}

/** The replacement for a null. Members that a schema names get theirs where all defaults are added. */
function ownDefault({ default: fallback }: Structure, context: Context): unknown {
  if (fallback === undefined) return undefined
  context.room -= fallback.length
  if (context.room < 0) throw tooMuchAdded()
  return fallback.value
}

function unknownMember(structure: Structure, key: string, value: unknown, context: Context): unknown {
  if (structure.isResource && (key === 'apiVersion' || key === 'kind')) {
    if (context.needsTypes !== true || typeof value === 'string') return value
    throw context.refuse(`${printPath([...context.path, key])}: Invalid value: ${goSource(value)}: must be a string`)
  }
  if (structure.keepsUnknown) return value
  if (context.unknownFields.length < mostUnknownFields) context.unknownFields.push(printPath([...context.path, key]))
  return undefined
}

/** Decoded with the same message as the metadata of the object itself. */
function completeMetadata(value: unknown, context: Context): unknown {
  if (value === null) return undefined
  const path = [...context.path, 'metadata']
  const field = printPath(path)
  return decodeStruct(objectMetaSchema, value, {
    path,
    names: [],
    unknownFields: context.unknownMetadata,
    refuse: (reason) =>
      context.refuseMetadata?.(field, value, reason) ??
      context.refuse(`${field}: Invalid value: ${goSource(value)}: ${reason}`),
  })
}

function completeItems(items: Structure, value: readonly unknown[], context: Context): readonly unknown[] {
  let changed: unknown[] | undefined
  value.forEach((item, at) => {
    context.path.push(at)
    const given = item === null && !items.isNullable ? (ownDefault(items, context) ?? item) : item
    const complete = completeValue(items, given, context)
    context.path.pop()
    if (changed === undefined && complete === item) return
    changed ??= value.slice(0, at)
    changed.push(complete)
  })
  return changed ?? value
}

/** Objects share defaults, which are never modified. */
function withDefaults(structure: Structure, value: Record<string, unknown>, context: Context): Record<string, unknown> {
  let complete = value
  for (const [key, fallback] of structure.defaults) {
    if (Object.hasOwn(complete, key)) continue
    context.room -= key.length + fallback.length
    if (context.room < 0) throw tooMuchAdded()
    if (complete === value) complete = { ...value }
    setMember(complete, key, fallback.value)
  }
  return complete
}

function tooMuchAdded(): ApiError {
  return tooLarge(
    `Request entity too large: the defaults of its schema would add more than ${mostDefaults} bytes; send fewer items, or give the schema smaller defaults`,
  )
}

/** The same for stored objects, which are shown unchanged if they cannot be completed. */
export function completedIfPossible(
  structure: Structure,
  value: unknown,
  except: ReadonlySet<string> = none,
  room = mostDefaults,
): unknown {
  try {
    return completed(structure, value, except, { room }).value
  } catch (error) {
    if (error instanceof ApiError) return value
    throw error
  }
}
