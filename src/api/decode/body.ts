import { JsonSyntaxError, TooMuchError } from '../../base/json/error.ts'
import { maxValues } from '../../base/json/limits.ts'
import { type ParsedJson, parseSteps } from '../../base/json/parse.ts'
import { fractionsIn, parseMerged } from '../../base/json/precise.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import { type Doubles, withoutLarge } from '../../base/json/without-large.ts'
import { parseLargeYaml } from '../../base/json/yaml.ts'
import { atOnce } from '../../base/steps.ts'
import { type ApiError, badRequest, tooLarge } from '../error.ts'
import type { ParsedBody } from './contract.ts'
import { goDecoderValue } from './go-words.ts'
import { decodeProtobuf } from './protobuf.ts'
import { noTypeMeta, unrecognized } from './type-meta.ts'

export type BodyFormat = 'json' | 'yaml' | 'protobuf'

/** How the text of a body is read. A long one may already have been read, in steps. */
export interface BodyReading {
  /** See `parseLargeYaml`. */
  readonly yaml: (text: string) => ParsedJson
  /** See `parseSteps`. */
  readonly json: (text: string, mostValues: number, keepsLarge: boolean) => ParsedJson
}

export const readAtOnce: BodyReading = {
  yaml: parseLargeYaml,
  json: (text, mostValues, keepsLarge) => atOnce(parseSteps(text, mostValues, keepsLarge)),
}

/**
 * Custom kinds support 64-bit integers: those that a double cannot hold are bigints in their objects, and nowhere else.
 * All other kinds refuse them.
 */
export interface IntegerRange {
  readonly structure?: unknown
  readonly doubles?: Doubles
}

function holdsLargeIntegers({ structure }: IntegerRange): boolean {
  return structure !== undefined
}

/** Whether its JSON is read with large integers, even if only to round them where that is allowed. */
export function readsLargeIntegers(kind: IntegerRange): boolean {
  return holdsLargeIntegers(kind) || kind.doubles !== undefined
}

/** The content of a POST, PUT or DELETE body. `kind` is the expected kind, for error messages. */
export function parseBody(
  bytes: Uint8Array,
  format: BodyFormat,
  kind: IntegerRange & { readonly kind: string; readonly flavor?: string; readonly olderVersions?: readonly string[] },
  reading: BodyReading = readAtOnce,
): ParsedBody {
  if (format === 'protobuf') return decodeProtobuf(bytes, kind)
  const text = bodyText(bytes)
  try {
    if (format === 'yaml') return yamlBody(fromYaml(reading.yaml(text), kind), text)
    const parsed = fromJson(text, kind, reading)
    return jsonBody(kind.flavor === 'builtin' ? withMergedMembers(parsed, text, kind) : parsed, text)
  } catch (error) {
    if (error instanceof TooMuchError) throw tooMuch(error)
    if (!(error instanceof JsonSyntaxError)) throw error
    if (format === 'json') throw noTypeMeta(kind, error.message, text)
    throw unrecognized(kind, error.message, text)
  }
}

/** The values in ten thousand operations: an operation is only parsed here, and its effect has a separate limit. */
export const maxPatchValues = 100_000

/** The content of a PATCH body. The patch itself is validated when it is applied. */
export function parsePatchBody(
  bytes: Uint8Array,
  type: 'json' | 'merge' | 'strategic' | 'apply',
  reading: BodyReading = readAtOnce,
  kind: IntegerRange = {},
): ParsedBody {
  const text = bodyText(bytes)
  try {
    if (type === 'apply') return yamlBody(fromYaml(reading.yaml(text), kind), text)
    const parsed = fromJson(text, kind, reading, type === 'json' ? maxPatchValues : maxValues)
    checkPatchShape(parsed.value, type)
    if (type !== 'json') return jsonBody(parsed, text)
    const { value, duplicateFields } = parsed
    const repetitions = duplicateFields.map((path) => `json patch duplicate field ${JSON.stringify(path)}`)
    return { value, duplicateFields, repetitions, text }
  } catch (error) {
    if (error instanceof TooMuchError) throw tooMuch(error)
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(`${unreadPatch[type]}${error.message}`)
  }
}

function fromJson(text: string, kind: IntegerRange, { json }: BodyReading, mostValues = maxValues): ParsedJson {
  const parsed = json(text, mostValues, readsLargeIntegers(kind))
  return holdsLargeIntegers(kind) || kind.doubles === undefined ? parsed : withoutLarge(parsed, kind.doubles)
}

/** Go reads a built-in kind into a struct, where a member that is repeated adds to what the former one said. */
function withMergedMembers(parsed: ParsedJson, text: string, kind: IntegerRange): ParsedJson {
  if (parsed.duplicateFields.length === 0) return parsed
  const merged = { ...parsed, ...parseMerged(text, readsLargeIntegers(kind)) }
  return holdsLargeIntegers(kind) || kind.doubles === undefined ? merged : withoutLarge(merged, kind.doubles)
}

function fromYaml(parsed: ParsedJson, kind: IntegerRange): ParsedJson {
  return holdsLargeIntegers(kind) ? parsed : withoutLarge(parsed, kind.doubles)
}

function jsonBody({ value, duplicateFields, hasFraction }: ParsedJson, text: string): ParsedBody {
  return { value, duplicateFields, text, ...(hasFraction && { fractions: () => fractionsIn(text) }) }
}

function yamlBody({ value, duplicateFields, repeatedKeys }: ParsedJson, text: string): ParsedBody {
  return { value, duplicateFields, isYaml: true, text, ...(repeatedKeys && { repetitions: repeatedKeys }) }
}

export function tooMuch({ message }: TooMuchError): ApiError {
  return tooLarge(`Request entity too large: ${message}`)
}

/** The start of the message when a patch cannot be read. */
const unreadPatch = {
  apply: 'error decoding YAML: error converting YAML to JSON: ',
  json: 'error decoding patch: ',
  merge: 'error decoding patch: ',
  strategic: '',
}

function checkPatchShape(value: unknown, type: 'json' | 'merge' | 'strategic'): void {
  const found = goDecoderValue(value)
  const wanted = type === 'json' ? 'array' : 'object'
  if (found === wanted || found === 'null') return
  const goType = type === 'json' ? '[]handlers.jsonPatchOp' : 'map[string]interface {}'
  throw new JsonSyntaxError(`json: cannot unmarshal ${found} into Go value of type ${goType}`)
}

function bodyText(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`the body of the request cannot be read: ${error.message}`)
    throw error
  }
}
