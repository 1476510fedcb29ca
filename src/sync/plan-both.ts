import type { KubeObject } from '../api/object.ts'
import { backward, flowBack, mapChange } from './backward.ts'
import type { Fields, Plan, SyncKind, Trouble, VirtualChange } from './contract.ts'
import { copyMaps, lastSyncKeeping, lastSyncOf } from './copy.ts'
import { fieldsOf, holdsWanted } from './fields.ts'
import { valueHash } from './hash.ts'
import { type LastSync, readLastSync } from './last-sync.ts'
import { mergeMap, sameMap } from './merge.ts'
import { nameOf } from './names.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { type Maps, mapNames, travellingMaps } from './travelling.ts'

interface Both {
  readonly virtual: KubeObject
  readonly copy: KubeObject
}

/** What the server last made of fields that it does not show as they were written. */
export interface AcceptedFields {
  readonly written: string
  readonly shown: string
}

/** Both sides exist: merge what goes both ways, then see what each side lacks. */
export async function planBoth(
  both: Both,
  wanted: Counterpart,
  rules: KindRules,
  accepted: AcceptedFields | undefined,
): Promise<Plan> {
  const base = readLastSync(both.copy)
  const merge = mergeMaps(both, wanted, base, rules.kind)
  const flow = await flowOf(both, wanted, merge, rules)
  const memory =
    flow.trouble === undefined ? lastSyncOf(flow.wanted.fields, merge.maps) : memoryOf(flow.wanted, merge, base)
  const host = hostWrite({ virtual: flow.virtual, copy: both.copy }, flow.wanted.fields, merge.maps, memory, rules, {
    base,
    accepted,
  })
  const taken = await takenOver({ virtual: flow.virtual, copy: both.copy }, merge.maps, rules)
  const virtual = virtualWrite(both.virtual, flow.virtual, taken.change)
  const trouble = flow.trouble ?? taken.trouble
  if (host === undefined && virtual === undefined) return { action: 'nothing', ...(trouble && { trouble }) }
  return { action: 'update', ...(virtual && { virtual }), ...(host && { host }), ...(trouble && { trouble }) }
}

interface Merge {
  readonly maps: Maps
  readonly fromHost: { readonly labels: readonly string[]; readonly annotations: readonly string[] }
}

function mergeMaps({ copy }: Both, wanted: Maps, base: LastSync, kind: SyncKind): Merge {
  const found = travellingMaps(copy, kind)
  const [labels, annotations] = mapNames.map((name) =>
    mergeMap({ wanted: wanted[name], found: found[name], base: base[name] }),
  )
  if (labels === undefined || annotations === undefined) throw new Error('There are two maps to merge.')
  return {
    maps: { labels: labels.merged, annotations: annotations.merged },
    fromHost: { labels: labels.fromHost, annotations: annotations.fromHost },
  }
}

interface FlowResult {
  readonly virtual: KubeObject
  readonly wanted: Counterpart
  readonly trouble?: Trouble
}

async function flowOf(
  { virtual, copy }: Both,
  wanted: Counterpart,
  merge: Merge,
  rules: KindRules,
): Promise<FlowResult> {
  const { labels, annotations } = merge.fromHost
  if (labels.length === 0 && annotations.length === 0) return { virtual, wanted }
  const flow = await flowBack(virtual, copy, { wanted, merged: merge.maps }, rules)
  return flow.ok ? flow : { virtual, wanted, trouble: flow.trouble }
}

function memoryOf(wanted: Counterpart, merge: Merge, base: LastSync): LastSync {
  return lastSyncKeeping(lastSyncOf(wanted.fields, merge.maps), base, merge.fromHost)
}

/** The copy as it should be; nothing if it is. */
function hostWrite(
  { virtual, copy }: Both,
  fields: Fields,
  maps: Maps,
  memory: LastSync,
  rules: KindRules,
  known: { readonly base: LastSync; readonly accepted: AcceptedFields | undefined },
): KubeObject | undefined {
  const { kind } = rules
  const { labels = {}, annotations = {} } = copy.metadata
  const metadata = copyMaps(virtual, nameOf(copy), maps, memory, rules, copy)
  const holds =
    known.base.fields === memory.fields && (holdsWanted(copy, fields, kind) || isAccepted(copy, memory, known.accepted))
  if (holds && sameMap(labels, metadata.labels) && sameMap(annotations, metadata.annotations)) return undefined
  const written = holds ? {} : (kind.overCopy?.(fields, copy) ?? fields)
  return { ...copy, ...withRemoved(copy, written, kind, holds), metadata: { ...copy.metadata, ...metadata } }
}

function isAccepted(copy: KubeObject, memory: LastSync, accepted: AcceptedFields | undefined): boolean {
  return accepted !== undefined && accepted.written === memory.fields && accepted.shown === valueHash(fieldsOf(copy))
}

/** Fields that are no longer wanted go. */
function withRemoved(copy: KubeObject, fields: Fields, { closedFields }: SyncKind, holds: boolean): Fields {
  if (holds) return {}
  const owned = closedFields ?? Object.keys(fieldsOf(copy))
  return { ...Object.fromEntries(owned.map((member) => [member, undefined])), ...fields }
}

async function takenOver(
  { virtual, copy }: Both,
  maps: Maps,
  rules: KindRules,
): Promise<{ readonly change?: VirtualChange; readonly trouble?: Trouble }> {
  const { kind, setting } = rules
  if (kind.toVirtual === undefined) return {}
  const seen = await backward(virtual, copy, maps, rules)
  return seen.ok ? { change: kind.toVirtual(seen.object, virtual, setting) } : { trouble: seen.trouble }
}

function virtualWrite(
  before: KubeObject,
  after: KubeObject,
  taken: VirtualChange | undefined,
): VirtualChange | undefined {
  const labels = mapChange(before.metadata.labels ?? {}, after.metadata.labels ?? {})
  const annotations = mapChange(before.metadata.annotations ?? {}, after.metadata.annotations ?? {})
  const metadata = { ...(labels && { labels }), ...(annotations && { annotations }) }
  const body = mergedBody(Object.keys(metadata).length === 0 ? undefined : { metadata }, taken?.body)
  if (body === undefined && taken?.status === undefined) return undefined
  return { ...(body && { body }), ...(taken?.status && { status: taken.status }) }
}

/** Both are merge patches; only annotations can be in both. */
function mergedBody(own: { readonly metadata: Fields } | undefined, taken: Fields | undefined): Fields | undefined {
  if (own === undefined || taken === undefined) return own ?? taken
  const theirs = typeof taken.metadata === 'object' ? taken.metadata : {}
  return {
    ...taken,
    metadata: { ...theirs, ...own.metadata, annotations: { ...annotationsIn(theirs), ...annotationsIn(own.metadata) } },
  }
}

function annotationsIn(metadata: object | null): object {
  return metadata !== null && 'annotations' in metadata && typeof metadata.annotations === 'object'
    ? (metadata.annotations ?? {})
    : {}
}
