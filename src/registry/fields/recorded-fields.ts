import { normalForm } from '../../api/facts/normal-form.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Schema } from '../../api/schema.ts'
import type { Steps } from '../../base/steps.ts'
import {
  addDifference,
  type Comparison,
  compareValues,
  type Difference,
  type DifferenceDraft,
  differenceIn,
} from './compare.ts'
import { difference, emptySet, type FieldSet, recursiveDifference } from './field-set.ts'
import { memberElement } from './path-element.ts'
import { memberSchema, ownMember, ownMembers } from './schema-shape.ts'

type Members = Readonly<Record<string, unknown>>

/** The endpoint of a write, which determines which fields are recorded. */
export interface WriteEndpoint {
  readonly kind: Kind
  readonly subresource: string
}

/** These fields have no owner: they belong to the server or identify the object. */
const unownedMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]
const unownedMetadataNames = new Set(unownedMetadata)

/** How a write changes the fields recorded at that endpoint. A create has nothing before it. */
export function* compareRecorded(
  endpoint: WriteEndpoint,
  before: KubeObject | undefined,
  after: KubeObject,
): Steps<Comparison> {
  const draft: DifferenceDraft = { changed: undefined, removed: undefined }
  const old = ownMembers(before ?? emptyObject(endpoint.kind))
  for (const name of Object.keys(after)) yield* compareTopMember(draft, endpoint, name, old, after)
  for (const name of Object.keys(old)) {
    if (ownMember(after, name) === undefined) yield* compareTopMember(draft, endpoint, name, old, after)
  }
  return { changed: draft.changed ?? emptySet, removed: draft.removed ?? emptySet }
}

const emptyObjects = new Map<string, Members>()

/**
 * Some members of kube-apiserver's own kinds are always present, if only empty: they are never added, so no manager
 * owns them.
 */
function emptyObject({ protobufMessage: message }: Kind): Members {
  if (message === undefined) return {}
  const known = emptyObjects.get(message)
  if (known !== undefined) return known
  const { metadata: _, ...members } = normalForm(message, { apiVersion: '', kind: '', metadata: {} })
  emptyObjects.set(message, members)
  return members
}

/** The part of an applied configuration's fields that is recorded at that endpoint. */
export function recordedOf(endpoint: WriteEndpoint, config: KubeObject, applied: FieldSet): FieldSet {
  const unrecorded: Record<string, FieldSet> = {}
  for (const name of Object.keys(config)) {
    if (name !== 'metadata' && !isRecorded(endpoint, name)) unrecorded[memberElement(name)] = emptySet
  }
  const kept = keptAt(endpoint).map((name) => [memberElement(name), emptySet])
  if (kept.length > 0) unrecorded['f:metadata'] = Object.fromEntries(kept)
  return difference(recursiveDifference(applied, unrecorded), unownedMetadataSet)
}

/** Metadata that the verb restores at this endpoint. */
function keptAt({ kind, subresource }: WriteEndpoint): readonly string[] {
  return subresource === 'status' ? (kind.statusKeeps ?? []) : []
}

const unownedMetadataSet: FieldSet = {
  'f:metadata': {
    '.': emptySet,
    ...Object.fromEntries(unownedMetadata.map((name) => [memberElement(name), emptySet])),
  },
}

/** On /status the verb restores everything but metadata and status; elsewhere it restores the status. */
function isRecorded({ kind, subresource }: WriteEndpoint, name: string): boolean {
  if (name === 'apiVersion' || name === 'kind') return false
  if (name === 'spec' && kind.hasFixedSpec === true) return false
  if (subresource === 'status') return name === 'status' || name === 'metadata'
  return name !== 'status' || !kind.hasStatus
}

function* compareTopMember(
  draft: DifferenceDraft,
  endpoint: WriteEndpoint,
  name: string,
  old: Members,
  now: Members,
): Steps<void> {
  const before = ownMember(old, name)
  const after = ownMember(now, name)
  if (before === after || !isRecorded(endpoint, name)) return
  addDifference(draft, memberElement(name), yield* compareTop(endpoint, name, before, after))
}

function* compareTop(
  endpoint: WriteEndpoint,
  name: string,
  before: unknown,
  after: unknown,
): Steps<Difference | undefined> {
  const { kind } = endpoint
  const schema = memberSchema(kind.schema, name)
  if (name === 'metadata') {
    const kept = keptAt(endpoint)
    return yield* compareMetadata(schema, without(ownMembers(before), kept), without(ownMembers(after), kept))
  }
  if (kind.flavor === 'custom') return yield* compareValues(schema, before, after)
  return isUnset(before) && isUnset(after) ? undefined : yield* compareValues(schema, before, after)
}

function without(members: Members, names: readonly string[]): Members {
  if (names.length === 0) return members
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function* compareMetadata(schema: Schema, before: Members, after: Members): Steps<Difference | undefined> {
  const draft: DifferenceDraft = { changed: undefined, removed: undefined }
  for (const name of Object.keys(after)) yield* compareMetadataMember(draft, schema, name, before, after)
  for (const name of Object.keys(before)) {
    if (ownMember(after, name) === undefined) yield* compareMetadataMember(draft, schema, name, before, after)
  }
  return differenceIn(draft)
}

function* compareMetadataMember(
  draft: DifferenceDraft,
  schema: Schema,
  name: string,
  old: Members,
  now: Members,
): Steps<void> {
  const before = ownMember(old, name)
  const after = ownMember(now, name)
  if (before === after || unownedMetadataNames.has(name)) return
  addDifference(draft, memberElement(name), yield* compareValues(memberSchema(schema, name), before, after))
}

/** kube-apiserver shows some empty fields of its own kinds that no client has set. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
