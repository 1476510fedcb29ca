import { isJsonObject } from '../../base/json/member.ts'
import { type FieldSet, type FieldSetDraft, isEmpty, leaf } from './field-set.ts'
import { compareElements, readElement } from './path-element.ts'

/** Deeper than any schema that is served, and than any honest set. */
const maximumDepth = 200

/** Nodes already found to be in order. Large lists are then not looked at again as long as they stay as they are. */
const ordered = new WeakSet<FieldSet>()

/** A set as a client sent it; undefined when it is none. Element types that are not known are left out. */
export function readFieldsV1(value: unknown): FieldSet | undefined {
  if (value === undefined || value === null) return leaf
  return isJsonObject(value) ? readNode(value, 0) : undefined
}

/** The set with its elements in the order in which they are shown. */
export function printFieldsV1(set: FieldSet): FieldSet {
  if (ordered.has(set)) return set
  const elements = Object.keys(set)
  const sorted = isSorted(elements) ? elements : [...elements].sort(compareElements)
  const result = inOrder(set, elements, sorted)
  if (elements.length > 8) ordered.add(result)
  return result
}

function inOrder(set: FieldSet, elements: readonly string[], sorted: readonly string[]): FieldSet {
  let changed = sorted !== elements
  const children: FieldSet[] = []
  for (const element of sorted) {
    const child = set[element] ?? leaf
    const printed = isEmpty(child) ? child : printFieldsV1(child)
    changed ||= printed !== child
    children.push(printed)
  }
  if (!changed) return set
  const result: FieldSetDraft = {}
  sorted.forEach((element, index) => {
    result[element] = children[index] ?? leaf
  })
  return result
}

function isSorted(elements: readonly string[]): boolean {
  for (let index = 1; index < elements.length; index += 1) {
    if (compareElements(elements[index - 1] ?? '', elements[index] ?? '') > 0) return false
  }
  return true
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
  if (isEmpty(result)) return leaf
  return member && depth > 0 ? { '.': leaf, ...result } : result
}
