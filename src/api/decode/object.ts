import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { withSortedMembers } from '../../base/json/sorted-members.ts'
import { completed } from '../custom/prune-and-default.ts'
import { ApiError, invalid } from '../error.ts'
import type { Kind } from '../kind.ts'
import { apiVersionOf, type KubeObject } from '../object.ts'
import type { Schema } from '../schema.ts'
import { builtinComplaints, complaintsOf, strictWords } from './complaints.ts'
import type { Decoded, ParsedBody } from './contract.ts'
import {
  cannotBeConverted,
  cannotBeHandled,
  patchError,
  shownPatch,
  strictDecodingError,
  strictPatchError,
} from './strict.ts'
import { decodeObjectNode, type StructuralContext } from './structural.ts'
import { checkTypeMeta, readTypeMeta } from './type-meta.ts'
import { decodeStruct, type TypedContext } from './typed.ts'
import { fractionProblem } from './written-numbers.ts'

export interface DecodeOptions {
  /** Whether the body's apiVersion and kind are compared with the kind. Absent means yes. */
  readonly checkTypeMeta?: boolean
  /** What is refused: a body as sent, or the result of a patch. */
  readonly source?: 'object' | 'patch'
  /** The strategic patch that made the object, if any. Such an object has its kind, whatever the patch claims. */
  readonly strategicPatch?: unknown
  /** What was applied, if the object is the result of an apply: refusals name it. */
  readonly applied?: string
  /** Refuses strict decoding errors immediately, before anything else that might be wrong with the object. */
  readonly strict?: boolean
}

/** Decodes a body as an object of the kind. Throws ApiError for what the kind cannot hold. */
export function decodeObject(kind: Kind, body: ParsedBody, options: DecodeOptions = {}): Decoded {
  const refusePatched = (reason: string): ApiError => patchError(shownPatch(body.value, options.strategicPatch), reason)
  const inPatch = options.source === 'patch' ? refusePatched : undefined
  const isTyped = options.strategicPatch !== undefined
  const { meta, members } = isTyped ? ofItsType(body) : readTypeMeta(kind, body, inPatch)
  if (options.checkTypeMeta !== false && !isTyped) checkTypeMeta(kind, meta, body, inPatch)
  const refuse = (reason: string): ApiError => {
    if (options.source === 'patch') return refusePatched(reason)
    if (options.applied !== undefined && kind.flavor === 'builtin')
      return cannotBeConverted(kind, options.applied, reason)
    return cannotBeHandled(kind, meta.kind === '' ? kind.kind : meta.kind, reason)
  }
  return kind.flavor === 'builtin'
    ? decodeBuiltin(kind, members, body, options, refuse)
    : decodeCustom(kind, members, body, options, refuse)
}

type Refuse = (reason: string) => ApiError

function ofItsType({ value }: ParsedBody): ReturnType<typeof readTypeMeta> {
  return { meta: { apiVersion: '', kind: '' }, members: asMembers(value) }
}

function decodeBuiltin(
  kind: Kind,
  members: Record<string, unknown>,
  body: ParsedBody,
  options: DecodeOptions,
  refuse: Refuse,
): Decoded {
  const isConversion = options.strategicPatch !== undefined || options.applied !== undefined
  const context: TypedContext = { path: [], names: [], unknownFields: [], refuse, isConversion }
  const decoded = decodeFirst(kind.schema, members, context, body.isYaml === true || options.source === 'patch')
  const problem = isConversion ? undefined : fractionProblem(kind.schema, body.fractions?.() ?? [])
  if (problem !== undefined) throw refuse(problem)
  const complaints = builtinComplaints(body, context.unknownFields, options.source)
  refuseComplaints(kind, body, complaints, options)
  return { object: asObject(kind, decoded), complaints }
}

/**
 * As Go's decoder, which reads on after a value of the wrong type, and returns the error of the first one only if no
 * type that parses itself has failed. YAML and the results of patches reach it with their members sorted.
 */
function decodeFirst(schema: Schema, members: Record<string, unknown>, context: TypedContext, isSorted: boolean) {
  if (context.isConversion === true) return decodeStruct(schema, members, context)
  try {
    return decodeStruct(schema, members, context)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const mismatches: ApiError[] = []
    const again = { ...context, path: [], names: [], unknownFields: [], mismatches }
    decodeStruct(schema, isSorted ? withSortedMembers(members) : members, again)
    throw mismatches[0] ?? error
  }
}

/** The server's own members, which no schema of a custom kind describes. */
export const typeMetaAndMetadata: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

function decodeCustom(
  kind: Kind,
  members: Record<string, unknown>,
  body: ParsedBody,
  options: DecodeOptions,
  refuse: Refuse,
): Decoded {
  const unknownFields: string[] = []
  const metadata = decodeMetadata(kind, members.metadata, unknownFields, refuse)
  if (kind.structure !== undefined) {
    // Violations of a user's schema are found later, when the previous object is known.
    const keepsNulls = options.applied !== undefined
    const found = completed(kind.structure(), { ...members, metadata }, typeMetaAndMetadata, {
      refuse,
      needsTypes: true,
      keepsNulls,
    })
    const complaints = complaintsOf(body, [...unknownFields.sort(), ...found.unknownFields])
    refuseComplaints(kind, body, complaints, options)
    return { object: asObject(kind, found.value), complaints }
  }
  const context: StructuralContext = { path: [], unknownFields, errors: [] }
  const rest = decodeObjectNode(kind.schema, members, context, typeMetaAndMetadata)
  const complaints = complaintsOf(body, unknownFields.sort())
  refuseComplaints(kind, body, complaints, options)
  const object = asObject(kind, metadata === rest.metadata ? rest : { ...rest, metadata })
  if (context.errors.length > 0) throw invalid(kind, object.metadata.name ?? '', context.errors)
  return { object, complaints }
}

/** Metadata of custom kinds is checked against the same schema as that of all other kinds. */
function decodeMetadata(kind: Kind, metadata: unknown, unknownFields: string[], refuse: Refuse): unknown {
  const schema = kind.schema.properties?.metadata
  if (metadata === undefined || metadata === null || schema === undefined) return {}
  return decodeStruct(schema, metadata, { path: ['metadata'], names: [], unknownFields, refuse })
}

function refuseComplaints(kind: Kind, body: ParsedBody, complaints: readonly string[], options: DecodeOptions): void {
  if (options.strict !== true || complaints.length === 0) return
  const told = strictWords(body, complaints)
  throw options.source === 'patch'
    ? strictPatchError(shownPatch(body.value, options.strategicPatch), told)
    : strictDecodingError(kind, told)
}

function asObject(kind: Kind, decoded: unknown): KubeObject {
  if (isKubeObject(decoded, kind)) return decoded
  const members = asMembers(decoded)
  const metadata = asMembers(members.metadata)
  return { ...members, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata }
}

function isKubeObject(value: unknown, kind: Kind): value is KubeObject {
  return (
    isJsonObject(value) &&
    value.kind === kind.kind &&
    value.apiVersion === apiVersionOf(kind) &&
    isJsonObject(value.metadata)
  )
}
