import type { Schema } from '../../api/schema.ts'
import { deepEqual } from '../../base/equal.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce, itemsPerStep, type Steps } from '../../base/steps.ts'
import { emptySet, type FieldSet, type FieldSetDraft, leaf } from './field-set.ts'
import { fieldsBelow } from './fields-of.ts'
import { itemsByElement } from './list-items.ts'
import { isStepDue } from './node-steps.ts'
import { memberElement } from './path-element.ts'
import { itemSchema, itemsOf, memberSchema, ownershipShape, ownMember, ownMembers } from './schema-shape.ts'

export interface Comparison {
  /** Fields that were added or have a new value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

/** The difference of two values at one place. Undefined if they are equal; an undefined part is empty. */
export interface Difference {
  readonly changed: FieldSet | undefined
  readonly removed: FieldSet | undefined
}

const replaced: Difference = { changed: leaf, removed: undefined }

/** Collects the differences of a node's children, and allocates nothing while there are none. */
export interface DifferenceDraft {
  changed: FieldSetDraft | undefined
  removed: FieldSetDraft | undefined
}

/** How whole objects differ, regardless of which fields are recorded. */
export function compareObjects(schema: Schema, before: unknown, after: unknown): Comparison {
  const found = atOnce(compareMembers(schema, ownMembers(before), ownMembers(after)))
  return { changed: found?.changed ?? emptySet, removed: found?.removed ?? emptySet }
}

/** An undefined side means that the value is absent. */
export function* compareValues(schema: Schema, before: unknown, after: unknown): Steps<Difference | undefined> {
  if (before === after) return undefined
  if (isStepDue()) yield
  if (before === undefined) return { changed: yield* fieldsBelow(schema, after), removed: undefined }
  if (after === undefined) return { changed: undefined, removed: yield* fieldsBelow(schema, before) }
  const shape = ownershipShape(schema, after)
  if (shape !== ownershipShape(schema, before)) return yield* compareUnlike(schema, before, after)
  if (shape === 'map' && (hasMembers(before) || hasMembers(after))) {
    return yield* compareMembers(schema, ownMembers(before), ownMembers(after))
  }
  if (shape === 'list' && (itemsOf(before).length > 0 || itemsOf(after).length > 0)) {
    return yield* compareItems(schema, itemsOf(before), itemsOf(after))
  }
  return deepEqual(before, after) ? undefined : replaced
}

export function addDifference(draft: DifferenceDraft, element: string, found: Difference | undefined): void {
  if (found?.changed !== undefined) {
    draft.changed ??= {}
    draft.changed[element] = found.changed
  }
  if (found?.removed !== undefined) {
    draft.removed ??= {}
    draft.removed[element] = found.removed
  }
}

export function differenceIn(draft: DifferenceDraft): Difference | undefined {
  return draft.changed === undefined && draft.removed === undefined ? undefined : draft
}

function* compareMembers(
  schema: Schema,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Steps<Difference | undefined> {
  const draft: DifferenceDraft = { changed: undefined, removed: undefined }
  let count = 0
  for (const name of Object.keys(after)) {
    if (++count % itemsPerStep === 0) yield
    const was = ownMember(before, name)
    const now = after[name]
    if (was === now) continue
    const isPlain = typeof was !== 'object' && typeof now !== 'object' && now !== undefined
    const found = isPlain ? replaced : yield* compareValues(memberSchema(schema, name), was, now)
    addDifference(draft, memberElement(name), found)
  }
  for (const name of Object.keys(before)) {
    if (++count % itemsPerStep === 0) yield
    if (ownMember(after, name) !== undefined || before[name] === undefined) continue
    addDifference(draft, memberElement(name), yield* compareValues(memberSchema(schema, name), before[name], undefined))
  }
  return differenceIn(draft)
}

function* compareItems(
  schema: Schema,
  before: readonly unknown[],
  after: readonly unknown[],
): Steps<Difference | undefined> {
  const draft: DifferenceDraft = { changed: undefined, removed: undefined }
  const old = yield* itemsByElement(schema, before)
  const now = yield* itemsByElement(schema, after)
  for (const [element, items] of now) addDifference(draft, element, yield* compareItem(schema, old.get(element), items))
  for (const [element, items] of old) {
    if (!now.has(element)) addDifference(draft, element, yield* compareItem(schema, items, undefined))
  }
  return differenceIn(draft)
}

/** Items that share a key are compared as a whole, because it is unknown which of them became which. */
function* compareItem(
  schema: Schema,
  before: readonly unknown[] | undefined,
  after: readonly unknown[] | undefined,
): Steps<Difference | undefined> {
  const wasRepeated = before !== undefined && before.length > 1
  const isRepeated = after !== undefined && after.length > 1
  const items = itemSchema(schema)
  if (!wasRepeated && !isRepeated) return yield* compareValues(items, before?.[0], after?.[0])
  if (wasRepeated && isRepeated) return deepEqual(before, after) ? undefined : replaced
  if (wasRepeated) {
    return { changed: after === undefined ? undefined : yield* fieldsBelow(items, after[0]), removed: leaf }
  }
  return { changed: leaf, removed: before === undefined ? undefined : yield* fieldsBelow(items, before[0]) }
}

/** An object was replaced by a scalar or vice versa; its former content is removed. */
function* compareUnlike(schema: Schema, before: unknown, after: unknown): Steps<Difference> {
  const inside = isJsonObject(before) ? yield* compareMembers(schema, before, {}) : undefined
  return { changed: yield* fieldsBelow(schema, after), removed: inside?.removed }
}

function hasMembers(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0
}
