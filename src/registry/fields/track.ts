import { normalForm } from '../../api/facts/normal-form.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject, type ManagedFieldsEntry } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { type FieldSet, hasField, union } from './field-set.ts'
import { fitToSchema } from './fit-to-schema.ts'
import { isOfGroup, type Manager, managerIdentity, printSteps, readManagers, storedManagers } from './managers.ts'
import { memberElement } from './path-element.ts'
import { recordSteps } from './record-update.ts'
import { compareRecorded } from './recorded-fields.ts'

export interface TrackInput {
  readonly kind: Kind
  /** Undefined when the object is being created. */
  readonly before: KubeObject | undefined
  /** As sent and defaulted, with the managedFields that the client sent. */
  readonly after: KubeObject
  /** What the writer owns, although it makes no difference. */
  readonly emptied?: FieldSet | undefined
  readonly manager: string
  readonly subresource: string
  readonly nowMs: number
}

/**
 * The object with its managedFields after a create, an update or a patch other than apply. Call it with what the client
 * asked for plus defaults, before the server adds anything else: fields that the server fills in later have no owner.
 * An untracked object (with empty managedFields) stays untracked until an apply.
 */
export function trackUpdate(input: TrackInput): KubeObject {
  return atOnce(trackSteps(input))
}

/** `trackUpdate` in steps: each walks the whole object, which may be large. */
export function* trackSteps(input: TrackInput): Steps<KubeObject> {
  const { kind, before, after, subresource } = input
  const managers = managersBefore(input)
  yield
  if (managers.length === 0 && before !== undefined) return withManagedFields(after, [])
  if (subresource === 'scale' && !hasOwnedReplicas(kind, managers))
    return withManagedFields(after, yield* printSteps(managers))
  const writer = managerIdentity(kind, { name: input.manager, operation: 'Update', subresource })
  const { changed, removed } = yield* compareRecorded({ kind, subresource }, before ?? blankOf(kind), after)
  yield
  const comparison = { changed: input.emptied === undefined ? changed : union(changed, input.emptied), removed }
  const tracked = yield* recordSteps(managers, writer, comparison, timeOfWrite(input))
  yield
  return withManagedFields(after, yield* printSteps(tracked))
}

/** Writes through the scale subresource are recorded without a time. */
export function timeOfWrite({ subresource, nowMs }: Pick<TrackInput, 'subresource' | 'nowMs'>): string | undefined {
  return subresource === 'scale' ? undefined : timestamp(nowMs)
}

/** A scale shows the managers of its one field: without any, the object counts as untracked. */
function hasOwnedReplicas({ scale }: Kind, managers: readonly Manager[]): boolean {
  const path = (scale?.paths?.spec ?? usualReplicas).map(memberElement)
  return managers.some(({ fields }) => hasField(fields, path))
}

const usualReplicas = ['spec', 'replicas']

/** The managers of a stored object. */
export function managersOf(kind: Kind, object: KubeObject | undefined): readonly Manager[] {
  return ofKind(kind, storedManagers(object?.metadata.managedFields))
}

/** Omits the member if there are no entries. */
export function withManagedFields(object: KubeObject, entries: readonly ManagedFieldsEntry[]): KubeObject {
  if (entries.length > 0) return { ...object, metadata: { ...object.metadata, managedFields: entries } }
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** A client may replace or reset managedFields; if it omits them or they are invalid, the stored ones are used. */
function managersBefore({ kind, before, after, subresource }: TrackInput): readonly Manager[] {
  const sent: unknown = after.metadata.managedFields
  if (subresource !== '' || !Array.isArray(sent)) return managersOf(kind, before)
  if (isReset(sent)) return []
  const managers = readManagers(sent)
  return managers === undefined ? managersOf(kind, before) : ofKind(kind, managers)
}

function isReset(sent: readonly unknown[]): boolean {
  const [first] = sent
  return sent.length === 0 || (sent.length === 1 && isJsonObject(first) && Object.keys(first).length === 0)
}

function ofKind(kind: Kind, managers: readonly Manager[]): readonly Manager[] {
  const known = managers.filter((manager) => isOfGroup(manager, kind.group))
  return kind.flavor === 'custom' ? known.map((manager) => fitToSchema(manager, kind.schema)) : known
}

const blanks = new Map<string, KubeObject>()

/**
 * What a new object is compared with. An empty object of a builtin kind still shows some members, such as the `null` of
 * a Pod's containers; filling them makes no manager the owner of the list itself.
 */
function blankOf(kind: Kind): KubeObject | undefined {
  const { protobufMessage: message } = kind
  if (message === undefined) return undefined
  const known = blanks.get(message)
  if (known !== undefined) return known
  const blank = normalForm(message, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} })
  blanks.set(message, blank)
  return blank
}
