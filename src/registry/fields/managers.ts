import { tooLarge } from '../../api/error.ts'
import { apiVersionOf, type ManagedFieldsEntry, parseApiVersion } from '../../api/object.ts'
import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Steps } from '../../base/steps.ts'
import { type FieldSet, isEmptySet, unionOfAll } from './field-set.ts'
import { printFieldsV1, readFieldsV1 } from './fields-v1.ts'

/** Who owns which fields, by which operation, at which endpoint. */
export interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** Empty for the object itself. */
  readonly subresource: string
  readonly time: string | undefined
  readonly fields: FieldSet
  /** The entry from which it was read, while it is unchanged. */
  readonly entry?: ManagedFieldsEntry | undefined
}

export type ManagerIdentity = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>

/** At every write, the fields of each manager are compared with those of every other. */
const mostManagers = 200

export function requireFewManagers(count: number): void {
  if (count <= mostManagers) return
  throw tooLarge(`Request entity too large: metadata.managedFields may name ${mostManagers} managers, not ${count}`)
}

/** Appliers keep their identity when they move to another version. */
export function isSameManager(left: ManagerIdentity, right: ManagerIdentity): boolean {
  return (
    left.name === right.name &&
    left.operation === right.operation &&
    left.subresource === right.subresource &&
    (left.operation === 'Apply' || left.apiVersion === right.apiVersion)
  )
}

/** Entries as sent by a client; undefined if one of them is invalid. */
export function readManagers(entries: readonly unknown[]): readonly Manager[] | undefined {
  requireFewManagers(entries.length)
  const managers: Manager[] = []
  for (const entry of entries) {
    const manager = isJsonObject(entry) ? readManager(entry) : undefined
    if (manager === undefined) return undefined
    const known = managers.findIndex((other) => isSameManager(other, manager))
    if (known < 0) managers.push(manager)
    else managers[known] = manager
  }
  return managers
}

/** Entries as stored by this server: their sets are not checked again. */
export function storedManagers(entries: readonly ManagedFieldsEntry[] | undefined): readonly Manager[] {
  if (entries === undefined || entries.length === 0) return []
  return entries.every(isStoredEntry) ? entries.map(storedManager) : (readManagers(entries) ?? [])
}

export function withFields(manager: Manager, fields: FieldSet): Manager {
  return fields === manager.fields ? manager : { ...manager, fields, entry: undefined }
}

export function withTime(manager: Manager, time: string | undefined): Manager {
  return time === manager.time ? manager : { ...manager, time, entry: undefined }
}

/**
 * Entries sorted by operation, time, manager, version and subresource, one step for each. Managers without fields are
 * omitted.
 */
export function* printSteps(managers: readonly Manager[]): Steps<readonly ManagedFieldsEntry[]> {
  const owners = managers.filter((manager) => !isEmptySet(manager.fields))
  if (owners.length > 1) owners.sort(compareManagers)
  const entries: ManagedFieldsEntry[] = []
  for (const owner of owners) {
    entries.push(printManager(owner))
    yield
  }
  return entries
}

export function compareIdentities(left: ManagerIdentity, right: ManagerIdentity): number {
  return (
    compareTexts(left.name, right.name) ||
    compareTexts(left.operation, right.operation) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource, right.subresource)
  )
}

/** Managers whose version belongs to another group are irrelevant to this kind. */
export function isOfGroup(manager: Manager, group: string): boolean {
  return parseApiVersion(manager.apiVersion).group === group
}

export function unionOfFields(managers: readonly Manager[]): FieldSet {
  return unionOfAll(managers.map(({ fields }) => fields))
}

export function managerIdentity(
  kind: { readonly group: string; readonly version: string },
  { name, operation, subresource }: Omit<ManagerIdentity, 'apiVersion'>,
): ManagerIdentity {
  return { name: name === '' ? 'unknown' : name, operation, apiVersion: apiVersionOf(kind), subresource }
}

export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}

function readManager(entry: Readonly<Record<string, unknown>>): Manager | undefined {
  const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined
  const fields = readFieldsV1(fieldsV1)
  if (fields === undefined) return undefined
  return {
    name: asText(manager),
    operation,
    apiVersion,
    subresource: asText(subresource),
    time: typeof time === 'string' ? time : undefined,
    fields,
  }
}

interface StoredEntry extends ManagedFieldsEntry {
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly fieldsV1: FieldSet
}

function isStoredEntry(entry: ManagedFieldsEntry): entry is StoredEntry {
  return entry.operation !== undefined && entry.apiVersion !== undefined && isFieldSet(entry.fieldsV1)
}

function isFieldSet(value: unknown): value is FieldSet {
  if (!isJsonObject(value)) return false
  for (const element in value) if (!isFieldSet(value[element])) return false
  return true
}

function storedManager(entry: StoredEntry): Manager {
  return {
    name: entry.manager ?? '',
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    fields: entry.fieldsV1,
    entry,
  }
}

type EntryDraft = { -readonly [Member in keyof ManagedFieldsEntry]: ManagedFieldsEntry[Member] }

function printManager(manager: Manager): ManagedFieldsEntry {
  if (manager.entry !== undefined) return manager.entry
  const entry: EntryDraft = {}
  if (manager.name !== '') entry.manager = manager.name
  entry.operation = manager.operation
  entry.apiVersion = manager.apiVersion
  if (manager.time !== undefined) entry.time = manager.time
  entry.fieldsType = 'FieldsV1'
  entry.fieldsV1 = printFieldsV1(manager.fields)
  if (manager.subresource !== '') entry.subresource = manager.subresource
  return entry
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareTexts(left.operation, right.operation) ||
    (left.time === right.time ? 0 : secondsOf(left.time) - secondsOf(right.time)) ||
    compareIdentities(left, right)
  )
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
