import type { FieldFact } from '../../../src/api/facts/message.ts'
import { findMessage } from '../../../src/api/facts/messages.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Mutation {
  /** The changed field, such as `spec.ports[0].name`. */
  readonly field: string
  readonly value: unknown
  readonly object: Fields
}

/**
 * Fields that are checked alike for all objects, fields that only the server writes, and fields that another kind
 * tests.
 */
const skipped = [
  new Set(['apiVersion', 'kind', 'metadata', 'status']),
  new Set(['metadata', 'template', 'jobTemplate']),
]

/** The same object with one wrong or unusual value after another. */
export function* mutationsOf(message: string, object: Fields, depth = 0): Iterable<Mutation> {
  for (const fact of findMessage(message)?.fields ?? []) {
    if (skipped[depth]?.has(fact.name)) continue
    if (fact.isInlined) {
      yield* mutationsOf(fact.type, object, depth)
      continue
    }
    const { name } = fact
    const placed = ({ field, value, object: member }: Mutation): Mutation => ({
      field: `${name}${field}`,
      value,
      object: { ...object, [name]: member },
    })
    for (const value of candidates(fact, object[name])) {
      yield { field: name, value, object: { ...object, [name]: value } }
    }
    for (const inner of insideOf(fact, object[name], depth)) yield placed(inner)
  }
}

function* insideOf(fact: FieldFact, value: unknown, depth: number): Iterable<Mutation> {
  if (fact.shape === 'single' && isFields(value)) {
    for (const { field, ...rest } of mutationsOf(fact.type, value, depth + 1)) yield { field: `.${field}`, ...rest }
  }
  const [first, ...others] = fact.shape === 'list' && Array.isArray(value) ? value : []
  if (!isFields(first)) return
  for (const { field, value: changed, object } of mutationsOf(fact.type, first, depth + 1)) {
    yield { field: `[0].${field}`, value: changed, object: Object([object, ...others]) }
  }
}

function candidates({ shape, type }: FieldFact, value: unknown): readonly unknown[] {
  const isMessage = findMessage(type) !== undefined && findMessage(type)?.form === undefined
  if (shape === 'map') return type === 'string' ? [{ 'Bad Key!': 'x' }, { a: 'Bad Value!' }] : []
  if (shape === 'list') {
    const doubled = Array.isArray(value) && value.length > 0 ? [[...value, value.at(-1)]] : []
    if (type === 'string') return [[''], ['Bad Value!'], ...doubled]
    return isMessage ? [[{}], ...doubled] : doubled
  }
  if (type === 'string') return ['', 'Bad Value!']
  if (type === 'int32' || type === 'int64') return [-1, 0, 70_000]
  return isMessage && value === undefined ? [{}] : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
