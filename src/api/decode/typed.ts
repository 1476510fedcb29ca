import { firstMembers, isJsonObject, setMember } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { ApiError } from '../error.ts'
import { messageSchema } from '../facts/message-schema.ts'
import type { Schema } from '../schema.ts'
import { conversionProblem } from './conversion-words.ts'
import { goDecoderType, goDecoderValue, goStruct } from './go-words.ts'
import { type DecodedMember, decodedMembersOf, isLeftOut } from './typed-plan.ts'
import { isPlainScalar, readScalar } from './typed-scalar.ts'

/** The position of a decoding, and the errors it has found. */
export interface TypedContext {
  readonly path: PathElement[]
  /** The path as Go's decoder names it: without positions and map keys. */
  readonly names: string[]
  readonly unknownFields: string[]
  readonly refuse: (reason: string) => ApiError
  /** Whether a wrong type is named as by Go's conversion of untyped values instead of its JSON decoder. */
  readonly isConversion?: boolean
  /** The member whose type parses itself: Go reports no position further down. */
  readonly within?: Place
  /** Whether a member or an item of the wrong type is omitted instead of refused. */
  readonly isLenient?: boolean
  /** Collects the refusals of values of the wrong type, which are then omitted. Absent: the first one is thrown. */
  readonly mismatches?: ApiError[]
}

interface Place {
  readonly struct: string
  readonly field: string
}

const mostUnknownFields = 100

/**
 * Applies the schema of a builtin message to a value, as Go's decoder and encoder together would: removes unknown
 * members, and null and empty members that Go omits; converts times, bytes and quantities to canonical form. A value
 * that needs no change is returned itself, not a copy. Throws for a value of the wrong type.
 */
export function decodeStruct(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  if (!isJsonObject(value)) return unfit(context, mismatch(value, schema, context, outer))
  const members = decodedMembersOf(schema)
  const keys = Object.keys(value)
  let changed: Record<string, unknown> | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    const found = value[key]
    const member = members.get(key)
    const kept =
      member === undefined
        ? unknownMember(schema, key, found, context)
        : decodeMember(schema, member, key, found, context)
    if (changed === undefined && kept === found) continue
    changed ??= firstMembers(value, keys, at)
    if (kept !== undefined) setMember(changed, key, kept)
  }
  return changed ?? value
}

function decodeMember(
  schema: Schema,
  member: DecodedMember,
  key: string,
  value: unknown,
  context: TypedContext,
): unknown {
  if (value === null) return undefined
  context.path.push(key)
  context.names.push(key)
  const decode = context.isLenient === true ? decodedOrLeftOut : decodeValue
  const decoded = decode(member.schema, value, context, schema)
  context.path.pop()
  context.names.pop()
  return decoded === null || isLeftOut(member, decoded) ? undefined : decoded
}

/** Undefined: omitted. */
function decodedOrLeftOut(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  const { path, names } = context
  const [depth, count] = [path.length, names.length]
  try {
    return decodeValue(schema, value, context, outer)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    path.length = depth
    names.length = count
    return undefined
  }
}

function unknownMember(schema: Schema, key: string, value: unknown, context: TypedContext): unknown {
  if (schema.preserveUnknownFields === true) return value
  if (context.unknownFields.length < mostUnknownFields) {
    context.unknownFields.push(printPath([...context.path, key]))
  }
  return undefined
}

function decodeValue(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  if (isPlainScalar(schema, value)) return value
  if (schema.type === 'array') return decodeList(schema, value, context, outer)
  if (schema.type === 'any') return decodeSchemaForm(schema, value, context, outer)
  if (schema.type !== 'object') return decodeScalar(schema, value, context, outer)
  if (schema.additionalProperties !== undefined)
    return decodeMap(schema, schema.additionalProperties, value, context, outer)
  return decodeStruct(schema, value, context, outer)
}

function decodeScalar(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  const scalar = readScalar(schema, value)
  if ('value' in scalar) return scalar.value
  const refusal =
    'refused' in scalar
      ? context.refuse(refusalOf(scalar.refused, schema, context))
      : mismatch(value, schema, context, outer, scalar)
  if (parsesItself(schema)) throw refusal
  return unfit(context, refusal)
}

/** Undefined: omitted. */
function unfit({ mismatches }: TypedContext, refusal: ApiError): undefined {
  if (mismatches === undefined) throw refusal
  mismatches.push(refusal)
}

/** Its errors end the decoding. */
function parsesItself({ type, format }: Schema): boolean {
  return type === 'string' && format !== undefined && format !== 'byte'
}

/** A conversion from untyped values says which of its steps failed. */
function refusalOf(problem: string, { format }: Schema, { isConversion }: TypedContext): string {
  return isConversion === true && format === 'byte' ? `error decoding from json: ${problem}` : problem
}

function decodeList(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  if (!Array.isArray(value)) return unfit(context, mismatch(value, schema, context, outer))
  const items = schema.items
  if (items === undefined) return value
  let changed: unknown[] | undefined
  for (let at = 0; at < value.length; at++) {
    context.path.push(at)
    const decoded = decodeItem(items, value[at], context, outer)
    context.path.pop()
    if (changed === undefined && decoded !== value[at]) changed = value.slice(0, at)
    if (decoded !== undefined) changed?.push(decoded)
  }
  return changed ?? value
}

function decodeMap(schema: Schema, values: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  if (!isJsonObject(value)) return unfit(context, mismatch(value, schema, context, outer))
  const keys = Object.keys(value)
  let changed: Record<string, unknown> | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    const found = value[key]
    if (changed === undefined && isPlainScalar(values, found)) continue
    context.path.push(key)
    const decoded = decodeItem(values, found, context, outer)
    context.path.pop()
    if (changed === undefined && decoded === found) continue
    changed ??= firstMembers(value, keys, at)
    if (decoded !== undefined) setMember(changed, key, decoded)
  }
  return changed ?? value
}

const definitionSchema = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'

/** A schema in a definition, or one of its alternative forms. Null for what Go reads as neither. */
function decodeSchemaForm({ format }: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  const inner = insideOwnReader(context, outer)
  const schema = messageSchema(definitionSchema)
  if (isJsonObject(value)) return decodeStruct(schema, value, inner)
  if (format === 'schema-or-boolean') {
    if (typeof value === 'boolean') return value
    throw context.refuse('boolean or JSON schema expected')
  }
  if (!Array.isArray(value) || value.length === 0) return null
  const items: Schema = format === 'schema-or-list' ? schema : { type: 'string' }
  return decodeList({ type: 'array', items }, value, inner)
}

/** Types that parse themselves use a separate decoder, which is not strict. */
function insideOwnReader(context: TypedContext, outer: Schema | undefined): TypedContext {
  const { refuse, isConversion, isLenient } = context
  const within = context.within ?? (isConversion === true ? undefined : placeOf(outer, context))
  return {
    path: [],
    names: [],
    unknownFields: [],
    refuse,
    ...(within === undefined ? {} : { within }),
    ...(isLenient === undefined ? {} : { isLenient }),
  }
}

function placeOf(outer: Schema | undefined, { names }: TypedContext): Place | undefined {
  return outer && { struct: goStruct(outer), field: names.join('.') }
}

/** Go has no null in lists and maps: it stores the type's zero value there. */
function decodeItem(schema: Schema, value: unknown, context: TypedContext, outer?: Schema): unknown {
  if (value === null) return zeroOf(schema)
  const decode = context.isLenient === true ? decodedOrLeftOut : decodeValue
  return decode(schema, value, context, outer)
}

function zeroOf(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return {}
    case 'array':
      return []
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'string':
      return schema.format === 'quantity' || schema.format === 'int-or-string' ? '0' : ''
    case 'any':
      return null
  }
}

function mismatch(
  value: unknown,
  schema: Schema,
  context: TypedContext,
  outer: Schema | undefined,
  {
    found = goDecoderValue(value),
    wanted = goDecoderType(schema),
  }: { readonly found?: string; readonly wanted?: string } = {},
): ApiError {
  const problem = context.isConversion === true ? conversionProblem(value, schema) : undefined
  const place = context.within ?? placeOf(outer, context)
  const target =
    place === undefined || context.isConversion === true ? 'Go value' : `Go struct field ${place.struct}.${place.field}`
  return context.refuse(problem ?? `json: cannot unmarshal ${found} into ${target} of type ${wanted}`)
}
