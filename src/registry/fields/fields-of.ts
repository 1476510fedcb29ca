import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce, itemsPerStep, type Steps } from '../../base/steps.ts'
import { asMember, type FieldSet, type FieldSetDraft, isEmptySet, leaf } from './field-set.ts'
import { elementOf, itemsByElement } from './list-items.ts'
import { isStepDue } from './node-steps.ts'
import { asOrdered } from './ordered-sets.ts'
import { leafBit, type OwnedMember, type OwnedMembers, ownedMembersOf, setOfLeaves } from './owned-members.ts'
import { memberElement, sortedElements } from './path-element.ts'
import { isDeclared, itemSchema, itemsOf, memberSchema, ownershipShape, ownMembers } from './schema-shape.ts'

/**
 * The node of a value that was added or removed as a whole: the value and everything in it. Its elements are in display
 * order.
 */
export function* fieldsBelow(schema: Schema, value: unknown): Steps<FieldSet> {
  const set = fewFields(schema, value) ?? (yield* everyField(schema, value))
  return set === leaf ? leaf : asOrdered(set)
}

type Members = Readonly<Record<string, unknown>>

/** Most values are small, with members that their schema names and that are owned as a whole. Undefined for all others. */
function fewFields(schema: Schema, value: unknown): FieldSet | undefined {
  if (typeof value !== 'object') return leaf
  const shape = ownershipShape(schema, value)
  if (shape === 'leaf') return leaf
  return shape === 'map' ? fewMembers(ownedMembersOf(schema), ownMembers(value)) : undefined
}

function fewMembers(owned: OwnedMembers, members: Members): FieldSet | undefined {
  const names = Object.keys(members)
  if (names.length === 0) return leaf
  let bits = 0
  for (const name of names) {
    const member = owned.byName.get(name)
    const bit = member === undefined ? 0 : leafBit(member)
    if (bit === 0) return undefined
    if (members[name] !== undefined) bits |= bit
  }
  return setOfLeaves(owned, bits)
}

function* everyField(schema: Schema, value: unknown): Steps<FieldSet> {
  if (isStepDue()) yield
  if (ownershipShape(schema, value) === 'list') return yield* everyItem(schema, itemsOf(value))
  const owned = ownedMembersOf(schema)
  const members = ownMembers(value)
  const names = Object.keys(members)
  const areOwned = names.length <= itemsPerStep && names.every((name) => owned.byName.has(name))
  return areOwned ? yield* everyOwnedMember(owned, members, names) : yield* everyNamedMember(schema, members, names)
}

function* everyOwnedMember({ byName }: OwnedMembers, members: Members, names: readonly string[]): Steps<FieldSet> {
  const found: OwnedMember[] = []
  for (const name of names) {
    const member = byName.get(name)
    if (member !== undefined && members[name] !== undefined) insertByRank(found, member)
  }
  const node: FieldSetDraft = { '.': leaf }
  for (const { name, element, schema } of found) {
    node[element] = fewFields(schema, members[name]) ?? (yield* everyField(schema, members[name]))
  }
  return node
}

/** There are few members, and most arrive in order: sorting them at the end takes longer. */
function insertByRank(found: OwnedMember[], member: OwnedMember): void {
  let at = found.length
  for (; at > 0; at--) {
    const before = found[at - 1]
    if (before === undefined || before.rank < member.rank) break
    found[at] = before
  }
  found[at] = member
}

function* everyNamedMember(schema: Schema, members: Members, names: string[]): Steps<FieldSet> {
  const node: FieldSetDraft = { '.': leaf }
  let count = 0
  for (const name of names.sort()) {
    if (++count % itemsPerStep === 0) yield
    const value = members[name]
    if (value === undefined) continue
    const below = memberSchema(schema, name)
    node[memberElement(name)] = fewFields(below, value) ?? (yield* everyField(below, value))
  }
  return node
}

function* everyItem(schema: Schema, items: readonly unknown[]): Steps<FieldSet> {
  if (items.length === 0) return leaf
  const nodes = new Map<string, FieldSet>()
  const below = itemSchema(schema)
  let count = 0
  for (const item of items) {
    if (++count % itemsPerStep === 0) yield
    const { element } = elementOf(schema, item)
    if (element === undefined) continue
    const set = nodes.has(element) ? leaf : (fewFields(below, item) ?? (yield* everyField(below, item)))
    nodes.set(element, set)
  }
  const node: FieldSetDraft = { '.': leaf }
  for (const element of sortedElements([...nodes.keys()])) node[element] = nodes.get(element) ?? leaf
  return node
}

/**
 * The node of everything that an applied configuration specifies: its leaves, list items and map keys, but not the
 * objects that merely lead there. Undefined if it specifies nothing.
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

/** Adds the objects that lead to a field, so that removing all fields of an object also removes the object. */
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

export function appliedSet(schema: Schema, object: unknown): FieldSet {
  return atOnce(appliedSetSteps(schema, object))
}

export function* appliedSetSteps(schema: Schema, object: unknown): Steps<FieldSet> {
  return isJsonObject(object) ? ((yield* appliedMembers(schema, object)) ?? leaf) : leaf
}
