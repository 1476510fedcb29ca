import { isJsonObject } from '../../base/json/member.ts'
import { type FieldSet, type FieldSetDraft, isEmptySet, leaf } from './field-set.ts'
import { asOrdered, isOrdered } from './ordered-sets.ts'
import { readElement, sortedElements } from './path-element.ts'

/** Deeper than any served schema and any legitimate set. */
const maximumDepth = 200

/** A set as sent by a client; undefined if it is invalid. Unknown element types are omitted. */
export function readFieldsV1(value: unknown): FieldSet | undefined {
  if (value === undefined || value === null) return leaf
  return isJsonObject(value) ? readNode(value, 0) : undefined
}

/** The set with its elements in display order. */
export function printFieldsV1(set: FieldSet): FieldSet {
  if (isOrdered(set)) return set
  const elements = Object.keys(set)
  const result = inOrder(set, elements, sortedElements(elements))
  return elements.length > 8 ? asOrdered(result) : result
}

function inOrder(set: FieldSet, elements: readonly string[], sorted: readonly string[]): FieldSet {
  let result: FieldSetDraft | undefined = sorted === elements ? undefined : {}
  for (const element of sorted) {
    const child = set[element] ?? leaf
    const printed = child === leaf || isEmptySet(child) ? child : printFieldsV1(child)
    if (printed !== child) result ??= { ...set }
    if (result !== undefined) result[element] = printed
  }
  return result ?? set
}

function readNode(value: Readonly<Record<string, unknown>>, depth: number): FieldSet | undefined {
  if (depth > maximumDepth) return undefined
  const result: FieldSetDraft = {}
  let member = false
  for (const text of Object.keys(value)) {
    if (text === '.') {
      member = true
      continue
    }
    const read = readElement(text)
    if (read.outcome === 'invalid') return undefined
    if (read.outcome === 'unknown') continue
    const below = value[text]
    const child = isJsonObject(below) ? readNode(below, depth + 1) : undefined
    if (child === undefined) return undefined
    result[read.element] = child
  }
  if (isEmptySet(result)) return leaf
  return member && depth > 0 ? { '.': leaf, ...result } : result
}
