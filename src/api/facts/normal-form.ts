import type { KubeObject } from '../object.ts'
import type { FieldFact, JsonForm } from './message.ts'
import { findMessage } from './messages.ts'

/**
 * The one form in which an object of a builtin kind is kept and shown, however it was written: what is empty is left out,
 * and what Kubernetes always shows is there. Parts that are in that form already are shared, not copied.
 */
export function normalForm<T extends KubeObject>(message: string, object: T): T {
  return normalMessage(message, object)
}

interface Member {
  readonly name: string
  /** Undefined means that the member is left out. */
  readonly normal: (value: unknown) => unknown
}

type Fields = Readonly<Record<string, unknown>>

const objectMeta = 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const members = new Map<string, readonly Member[]>()
const zeros: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['string', ''],
  ['bytes', ''],
  ['bool', false],
  ['int32', 0],
  ['int64', 0],
  ['double', 0],
])
const zerosOfForms: Readonly<Record<JsonForm, unknown>> = {
  time: null,
  'micro-time': null,
  quantity: '0',
  'int-or-string': 0,
  'bare-list': null,
  'raw-json': null,
  'schema-or-list': null,
  'schema-or-boolean': null,
  'schema-or-strings': null,
}

/** The same for a part of an object, whose message is `message`. */
export function normalMessage<T extends Fields>(message: string, object: T): T {
  let changed: Record<string, unknown> | undefined
  for (const member of membersOf(message)) {
    const value = object[member.name]
    const normal = member.normal(value)
    if (normal === value) continue
    changed ??= { ...object }
    if (normal === undefined) delete changed[member.name]
    else changed[member.name] = normal
  }
  return changed === undefined ? object : sameShape(changed)
}

/** What was copied from a T member by member, each in its own normal form, is still one. */
function sameShape<T extends Fields>(copy: Fields): T {
  return copy as T
}

function membersOf(message: string): readonly Member[] {
  const known = members.get(message)
  if (known !== undefined) return known
  const found = (findMessage(message)?.fields ?? []).flatMap((field) =>
    field.isInlined ? membersOf(field.type) : [{ name: field.name, normal: normalOf(field) }],
  )
  members.set(message, found)
  return found
}

function normalOf(field: FieldFact): Member['normal'] {
  if (field.shape === 'list') return (value) => normalList(field, value)
  if (field.shape === 'map') return (value) => normalMap(field, value)
  const form = formOf(field.type)
  if (form !== undefined) return (value) => value ?? (field.presence === 'always' ? zerosOfForms[form] : undefined)
  if (field.type === objectMeta) return field.presence === 'always' ? templateMetadata : normalMetadata
  if (zeros.has(field.type)) return (value) => normalScalar(field, value)
  return (value) => normalObject(field, value)
}

function formOf(type: string): JsonForm | undefined {
  return findMessage(type)?.form
}

function normalScalar(field: FieldFact, value: unknown): unknown {
  const zero = zeros.get(field.type)
  if (value === undefined || value === null) return field.presence === 'always' ? zero : undefined
  return value === zero && field.presence === 'optional' ? undefined : value
}

function normalObject(field: FieldFact, value: unknown): unknown {
  if (isFields(value)) return normalMessage(field.type, value)
  return field.presence === 'always' ? normalMessage(field.type, {}) : undefined
}

function normalList(field: FieldFact, value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return field.presence === 'always' ? null : undefined
  return normalItems(value, (item) => normalItem(field.type, item))
}

function normalMap(field: FieldFact, value: unknown): unknown {
  if (!isFields(value)) return undefined
  if (Object.keys(value).length === 0) return field.presence === 'explicit' ? value : undefined
  return zeros.has(field.type) || formOf(field.type) !== undefined
    ? value
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalItem(field.type, item)]))
}

function normalItem(type: string, item: unknown): unknown {
  if (zeros.has(type)) return item ?? zeros.get(type)
  if (formOf(type) !== undefined) return item
  return normalMessage(type, isFields(item) ? item : {})
}

function normalItems(items: readonly unknown[], normal: (item: unknown) => unknown): readonly unknown[] {
  const normalized = items.map(normal)
  return normalized.every((item, index) => item === items[index]) ? items : normalized
}

/** managedFields are left alone: an empty list of them is a request to forget them. */
const emptiable = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

function normalMetadata(value: unknown): unknown {
  if (!isFields(value)) return {}
  const empty = emptiable.filter((name) => isEmpty(value[name]))
  return empty.length === 0 ? value : omit(value, empty)
}

/** What is made from a template has a time of creation; the template itself shows that it has none. */
function templateMetadata(value: unknown): unknown {
  const metadata = normalMetadata(value)
  return isFields(metadata) && metadata.creationTimestamp === undefined
    ? { ...metadata, creationTimestamp: null }
    : metadata
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
