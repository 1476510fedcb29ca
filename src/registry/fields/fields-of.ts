import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce, itemsPerStep, type Steps } from '../../base/pace.ts'
import { asMember, type FieldSet, type FieldSetDraft, isEmptySet, leaf } from './field-set.ts'
import { itemsByElement } from './list-items.ts'
import { memberElement } from './path-element.ts'
import { isDeclared, itemSchema, itemsOf, memberSchema, ownershipShape, ownMembers } from './schema-shape.ts'

/** The node of a value that came or went as a whole: the value and everything in it. */
export function* fieldsBelow(schema: Schema, value: unknown): Steps<FieldSet> {
  if (typeof value !== 'object') return leaf
  const shape = ownershipShape(schema, value)
  if (shape === 'leaf') return leaf
  yield
  return shape === 'map' ? yield* everyMember(schema, ownMembers(value)) : yield* everyItem(schema, itemsOf(value))
}

function* everyMember(schema: Schema, members: Readonly<Record<string, unknown>>): Steps<FieldSet> {
  const names = Object.keys(members)
  if (names.length === 0) return leaf
  const node: FieldSetDraft = { '.': leaf }
  let count = 0
  for (const name of names) {
    if (++count % itemsPerStep === 0) yield
    const value = members[name]
    if (value === undefined) continue
    node[memberElement(name)] = typeof value === 'object' ? yield* fieldsBelow(memberSchema(schema, name), value) : leaf
  }
  return node
}

function* everyItem(schema: Schema, items: readonly unknown[]): Steps<FieldSet> {
  if (items.length === 0) return leaf
  const node: FieldSetDraft = { '.': leaf }
  const byElement = yield* itemsByElement(schema, items)
  let count = 0
  for (const [element, [item, ...others]] of byElement) {
    if (++count % itemsPerStep === 0) yield
    node[element] = others.length === 0 ? yield* fieldsBelow(itemSchema(schema), item) : leaf
  }
  return node
}

/**
 * The node of what an applied configuration says something about: its leaves, the items of its lists and the keys of
 * its maps, but not the objects that merely lead there. Undefined when it says nothing.
 */
function* appliedFields(schema: Schema, value: unknown): Steps<FieldSet | undefined> {
  const shape = ownershipShape(schema, value)
  if (shape === 'leaf' || value === null) return leaf
  yield
  return shape === 'map'
    ? yield* appliedMembers(schema, ownMembers(value))
    : yield* appliedItems(schema, itemsOf(value))
}

function* appliedMembers(schema: Schema, members: Readonly<Record<string, unknown>>): Steps<FieldSet | undefined> {
  const names = Object.keys(members)
  if (names.length === 0) return leaf
  const node: FieldSetDraft = {}
  let isEmpty = true
  let count = 0
  for (const name of names) {
    if (++count % itemsPerStep === 0) yield
    const value = members[name]
    if (value === undefined) continue
    const below = typeof value === 'object' ? yield* appliedFields(memberSchema(schema, name), value) : leaf
    if (below === undefined && isDeclared(schema, name)) continue
    node[memberElement(name)] = isDeclared(schema, name) ? (below ?? leaf) : asMember(below ?? leaf)
    isEmpty = false
  }
  return isEmpty ? undefined : node
}

function* appliedItems(schema: Schema, items: readonly unknown[]): Steps<FieldSet | undefined> {
  const node: FieldSetDraft = {}
  const byElement = yield* itemsByElement(schema, items)
  let count = 0
  for (const [element, [item, ...others]] of byElement) {
    if (++count % itemsPerStep === 0) yield
    const below = others.length === 0 ? yield* appliedFields(itemSchema(schema), item) : undefined
    node[element] = asMember(below ?? leaf)
  }
  return count === 0 ? undefined : node
}

/** Adds the objects that lead to a field, so that removing all fields of an object removes the object as well. */
export function* withLeadingMembers(set: FieldSet, schema: Schema): Steps<FieldSet> {
  const result: FieldSetDraft = {}
  let count = 0
  for (const element in set) {
    if (++count % itemsPerStep === 0) yield
    const child = set[element] ?? leaf
    if (isEmptySet(child)) {
      result[element] = child
      continue
    }
    const name = element.slice(2)
    const isField = element.startsWith('f:')
    const below = yield* withLeadingMembers(child, isField ? memberSchema(schema, name) : itemSchema(schema))
    result[element] = isField && isDeclared(schema, name) ? asMember(below) : below
  }
  yield
  return result
}

/** The fields of a whole object, as a set. */
export function appliedSet(schema: Schema, object: unknown): FieldSet {
  return atOnce(appliedSetSteps(schema, object))
}

export function* appliedSetSteps(schema: Schema, object: unknown): Steps<FieldSet> {
  return isJsonObject(object) ? ((yield* appliedMembers(schema, object)) ?? leaf) : leaf
}
