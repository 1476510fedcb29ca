import type { KubeObject } from '../object.ts'
import type { FieldFact, JsonForm } from './message.ts'
import { findMessage } from './messages.ts'

/**
 * The one form in which an object of a builtin kind is stored and shown, however it was written: empty members are
 * omitted, and members that Kubernetes always shows are present. Parts that are already in that form are shared, not
 * copied.
 */
export function normalForm<T extends KubeObject>(message: string, object: T): T {
  return normalMessage(message, object)
}

/** A member's value in normal form. Undefined: the member is omitted. */
type Normal = (value: unknown) => unknown

interface Plan {
  readonly byName: ReadonlyMap<string, Normal>
  /** Members that may be shown although they were not written. */
  readonly unwritten: readonly (readonly [name: string, normal: Normal])[]
}

type Fields = Readonly<Record<string, unknown>>

const objectMeta = 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const plans = new Map<string, Plan>()
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

/** The same for a part of an object, whose message is `message`. A message has many more members than most objects use. */
export function normalMessage<T extends Fields>(message: string, object: T): T {
  const { byName, unwritten } = planOf(message)
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(object)) {
    const value = object[name]
    const normal = value === undefined ? undefined : byName.get(name)
    const kept = normal === undefined ? value : normal(value)
    if (kept === value) continue
    changed ??= { ...object }
    if (kept === undefined) delete changed[name]
    else changed[name] = kept
  }
  for (const [name, normal] of unwritten) {
    const shown = object[name] === undefined ? normal(undefined) : undefined
    if (shown === undefined) continue
    changed ??= { ...object }
    changed[name] = shown
  }
  return changed === undefined ? object : sameShape(changed)
}

/** A copy of a T, made member by member in normal form, is still a T. */
function sameShape<T extends Fields>(copy: Fields): T {
  return copy as T
}

function planOf(message: string): Plan {
  const known = plans.get(message)
  if (known !== undefined) return known
  const fields = fieldsOf(message)
  const plan: Plan = {
    byName: new Map(fields.map((field) => [field.name, normalOf(field)])),
    unwritten: fields.filter(isShownUnwritten).map((field) => [field.name, normalOf(field)]),
  }
  plans.set(message, plan)
  return plan
}

function fieldsOf(message: string): readonly FieldFact[] {
  const fields = findMessage(message)?.fields ?? []
  return fields.flatMap((field) => (field.isInlined ? fieldsOf(field.type) : [field]))
}

function isShownUnwritten({ presence, type, shape }: FieldFact): boolean {
  return shape !== 'map' && (presence === 'always' || presence === 'nullable' || type === objectMeta)
}

function normalOf(field: FieldFact): Normal {
  const { presence, type, shape } = field
  if (shape === 'list') return normalList(field)
  if (shape === 'map') return normalMap(field)
  const form = formOf(type)
  if (form !== undefined) return (value) => value ?? (presence === 'always' ? zerosOfForms[form] : undefined)
  if (type === objectMeta) return presence === 'always' ? templateMetadata : normalMetadata
  return zeros.has(type) ? normalScalar(field) : normalObject(field)
}

function formOf(type: string): JsonForm | undefined {
  return findMessage(type)?.form
}

function normalScalar({ type, presence }: FieldFact): Normal {
  const zero = zeros.get(type)
  const unwritten = presence === 'always' ? zero : presence === 'nullable' ? null : undefined
  if (presence !== 'optional') return (value) => value ?? unwritten
  return (value) => (value === zero || value === null ? undefined : value)
}

function normalObject({ type, presence }: FieldFact): Normal {
  return (value) => {
    if (isFields(value)) return normalMessage(type, value)
    return presence === 'always' ? normalMessage(type, {}) : undefined
  }
}

function normalList({ type, presence }: FieldFact): Normal {
  const empty = presence === 'always' ? null : undefined
  const normal = normalItem(type)
  return (value) => (Array.isArray(value) && value.length > 0 ? normalItems(value, normal) : empty)
}

function normalMap({ type, presence }: FieldFact): Normal {
  const isPlain = zeros.has(type) || formOf(type) !== undefined
  const normal = normalItem(type)
  return (value) => {
    if (!isFields(value)) return undefined
    if (Object.keys(value).length === 0) return presence === 'explicit' ? value : undefined
    return isPlain ? value : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normal(item)]))
  }
}

function normalItem(type: string): Normal {
  if (zeros.has(type)) return (item) => item ?? zeros.get(type)
  if (formOf(type) !== undefined) return (item) => item
  return (item) => normalMessage(type, isFields(item) ? item : {})
}

function normalItems(items: readonly unknown[], normal: Normal): readonly unknown[] {
  let changed: unknown[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = normal(items[at])
    if (changed === undefined && item === items[at]) continue
    changed ??= items.slice(0, at)
    changed.push(item)
  }
  return changed ?? items
}

/** managedFields are left alone: an empty list of them is a request to reset them. */
const emptiable = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

function normalMetadata(value: unknown): unknown {
  if (!isFields(value)) return {}
  const empty = emptiable.filter((name) => isEmpty(value[name]))
  return empty.length === 0 ? value : omit(value, empty)
}

/** An object made from a template has a creation time; the template itself shows a null. */
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
