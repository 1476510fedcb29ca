import { isJsonObject } from '../../../base/json/member.ts'
import type { ObjectFields } from '../../contract.ts'

/** The decision about one field. */
export type FieldDecision =
  /** Unchanged: it has no fields of its own. */
  | { readonly type: 'value' }
  | { readonly type: 'object'; readonly fields: FieldDecisions }
  | { readonly type: 'list'; readonly fields: FieldDecisions }
  /** Without it the object would behave differently, so the whole object is refused. */
  | { readonly type: 'refused'; readonly reason: string }
  /** The object behaves the same without it. */
  | { readonly type: 'dropped'; readonly reason: string }

/** By field name. Fields not named are refused. */
export type FieldDecisions = Readonly<Record<string, FieldDecision>>

export interface UnknownField {
  readonly field: string
  readonly reason: string
  readonly isHeld: boolean
}

export interface KnownFields {
  readonly fields: ObjectFields
  readonly problems: readonly UnknownField[]
}

/** The decision for several fields without fields of their own. */
export function plainFields(...names: readonly string[]): FieldDecisions {
  return Object.fromEntries(names.map((name) => [name, { type: 'value' }]))
}

export function fieldsIn(fields: FieldDecisions): FieldDecision {
  return { type: 'object', fields }
}

export function eachWith(fields: FieldDecisions): FieldDecision {
  return { type: 'list', fields }
}

export function refusedField(reason: string): FieldDecision {
  return { type: 'refused', reason }
}

export function droppedField(reason: string): FieldDecision {
  return { type: 'dropped', reason }
}

/** A new object with only the allowed fields, and the fields that were not allowed. */
export function knownFields(value: ObjectFields, decisions: FieldDecisions, path: string): KnownFields {
  const fields: Record<string, unknown> = {}
  const problems: UnknownField[] = []
  for (const [name, member] of Object.entries(value)) {
    const decision = Object.hasOwn(decisions, name) ? decisions[name] : undefined
    if (decision?.type !== 'value' && saysNothing(member)) continue
    const known = knownField(member, decision, `${path}.${name}`)
    problems.push(...known.problems)
    if (known.value !== undefined) fields[name] = known.value
  }
  return { fields, problems }
}

interface KnownField {
  readonly value?: unknown
  readonly problems: readonly UnknownField[]
}

function knownField(value: unknown, decision: FieldDecision | undefined, field: string): KnownField {
  switch (decision?.type) {
    case undefined:
      return { problems: [{ field, reason: 'its effect on a host is unknown', isHeld: true }] }
    case 'refused':
      return { problems: [{ field, reason: decision.reason, isHeld: true }] }
    case 'dropped':
      return { problems: [{ field, reason: decision.reason, isHeld: false }] }
    case 'value':
      return { value, problems: [] }
    case 'object':
      return isJsonObject(value) ? knownObject(value, decision.fields, field) : { problems: [wrongForm(field)] }
    case 'list':
      return Array.isArray(value) ? knownList(value, decision.fields, field) : { problems: [wrongForm(field)] }
  }
}

function knownObject(value: ObjectFields, decisions: FieldDecisions, path: string): KnownField {
  const { fields, problems } = knownFields(value, decisions, path)
  return { value: fields, problems }
}

function knownList(items: readonly unknown[], decisions: FieldDecisions, path: string): KnownField {
  const known = items.map((item, index) => {
    const field = `${path}[${index}]`
    return isJsonObject(item) ? knownObject(item, decisions, field) : { problems: [wrongForm(field)] }
  })
  return {
    value: known.flatMap(({ value }) => (value === undefined ? [] : [value])),
    problems: known.flatMap(({ problems }) => problems),
  }
}

/** The tenant's own server may return anything. */
function wrongForm(field: string): UnknownField {
  return { field, reason: 'it has another form than Kubernetes gives it', isHeld: true }
}

/**
 * Whether a forbidden field is unused. An empty object counts as used, because its presence has a meaning, as with
 * `emptyDir`.
 */
function saysNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 0 || value === '' || isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
