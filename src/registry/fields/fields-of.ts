import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { asMember, type FieldSet, type FieldSetDraft, isEmptySet, leaf } from './field-set.ts'
import { itemsByElement } from './list-items.ts'
import { memberElement } from './path-element.ts'
import { isDeclared, itemSchema, itemsOf, memberSchema, ownershipShape, ownMembers } from './schema-shape.ts'

/** The node of a value that came or went as a whole: the value and everything in it. */
export function fieldsBelow(schema: Schema, value: unknown): FieldSet {
  const shape = ownershipShape(schema, value)
  if (shape === 'leaf') return leaf
  return shape === 'map' ? everyMember(schema, ownMembers(value)) : everyItem(schema, itemsOf(value))
}

function everyMember(schema: Schema, members: Readonly<Record<string, unknown>>): FieldSet {
  const names = Object.keys(members)
  if (names.length === 0) return leaf
  const node: FieldSetDraft = { '.': leaf }
  for (const name of names) {
    if (members[name] !== undefined) node[memberElement(name)] = fieldsBelow(memberSchema(schema, name), members[name])
  }
  return node
}

function everyItem(schema: Schema, items: readonly unknown[]): FieldSet {
  if (items.length === 0) return leaf
  const node: FieldSetDraft = { '.': leaf }
  for (const [element, [item, ...others]] of itemsByElement(schema, items)) {
    node[element] = others.length === 0 ? fieldsBelow(itemSchema(schema), item) : leaf
  }
  return node
}

/**
 * The node of what an applied configuration says something about: its leaves, the items of its lists and the keys of
 * its maps, but not the objects that merely lead there. Undefined when it says nothing.
 */
export function appliedFields(schema: Schema, value: unknown): FieldSet | undefined {
  const shape = ownershipShape(schema, value)
  if (shape === 'leaf' || value === null) return leaf
  return shape === 'map' ? appliedMembers(schema, ownMembers(value)) : appliedItems(schema, itemsOf(value))
}

function appliedMembers(schema: Schema, members: Readonly<Record<string, unknown>>): FieldSet | undefined {
  const names = Object.keys(members)
  if (names.length === 0) return leaf
  const node: FieldSetDraft = {}
  for (const name of names) {
    const value = members[name]
    const below = value === undefined ? undefined : appliedFields(memberSchema(schema, name), value)
    if (value === undefined) continue
    if (!isDeclared(schema, name)) node[memberElement(name)] = asMember(below ?? leaf)
    else if (below !== undefined) node[memberElement(name)] = below
  }
  return isEmptySet(node) ? undefined : node
}

function appliedItems(schema: Schema, items: readonly unknown[]): FieldSet | undefined {
  const node: FieldSetDraft = {}
  for (const [element, [item, ...others]] of itemsByElement(schema, items)) {
    const below = others.length === 0 ? appliedFields(itemSchema(schema), item) : undefined
    node[element] = asMember(below ?? leaf)
  }
  return isEmptySet(node) ? undefined : node
}

/** Adds the objects that lead to a field, so that removing all fields of an object removes the object as well. */
export function withLeadingMembers(set: FieldSet, schema: Schema): FieldSet {
  const result: FieldSetDraft = {}
  for (const element in set) {
    const child = set[element] ?? leaf
    if (isEmptySet(child)) {
      result[element] = child
      continue
    }
    const name = element.slice(2)
    const isField = element.startsWith('f:')
    const below = withLeadingMembers(child, isField ? memberSchema(schema, name) : itemSchema(schema))
    result[element] = isField && isDeclared(schema, name) ? asMember(below) : below
  }
  return result
}

/** The fields of a whole object, as a set. */
export function appliedSet(schema: Schema, object: unknown): FieldSet {
  return isJsonObject(object) ? (appliedMembers(schema, object) ?? leaf) : leaf
}
