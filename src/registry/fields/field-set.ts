import { atOnce, itemsPerStep, type Steps } from '../../base/steps.ts'

/**
 * A set of fields, in the form in which managedFields shows it: a tree whose keys are path elements (`f:name` for a
 * member, `k:{…}` for an item of a list identified by keys, `v:…` for an item of a set). Below the root, an empty node
 * is a field of the set; a node with children belongs to the set only if it also has the key `.`. The root itself is
 * never a member: an empty root is the empty set.
 * Sets are immutable; operations share unchanged parts and return the operand itself if nothing changes.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

export type FieldSetDraft = Record<string, FieldSet>

/** The node of a field in the set with nothing below it; as a root, the empty set. */
export const leaf: FieldSet = Object.freeze({})
export const emptySet: FieldSet = leaf

const self = '.'

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether a node below the root is a field of the set itself. */
export function isMember(node: FieldSet): boolean {
  return node[self] !== undefined || isEmptySet(node)
}

export function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [self]: leaf, ...node }
}

/** Whether the field at the end of the path belongs to the set. */
export function hasField(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) node = node?.[element]
  return node !== undefined && isMember(node)
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left
  return isEmptySet(left) ? right : unionOfChildren(left, right)
}

/**
 * The union of many sets. Each node is copied once, however many sets add to it, so the cost is at most the total
 * number of fields.
 */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  const drafts = new Set<FieldSet>()
  const all = draftOf({}, drafts)
  for (const set of sets) addChildren(all, set, drafts)
  return all
}

/** `drafts`: nodes that may be changed. Only the first can be empty, and checking a large one for that takes long. */
function addChildren(into: FieldSetDraft, from: FieldSet, drafts: Set<FieldSet>): void {
  for (const element in from) {
    const mine = into[element]
    const theirs = from[element]
    if (theirs === undefined || mine === theirs) continue
    if (mine === undefined) into[element] = theirs
    else if (!drafts.has(mine) && isEmptySet(mine)) into[element] = asMember(theirs)
    else {
      const draft = draftOf(mine, drafts)
      into[element] = draft
      if (isEmptySet(theirs)) draft[self] = leaf
      else addChildren(draft, theirs, drafts)
    }
  }
}

function draftOf(node: FieldSet, drafts: Set<FieldSet>): FieldSetDraft {
  if (drafts.has(node)) return node
  const draft = { ...node }
  drafts.add(draft)
  return draft
}

export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return atOnce(differenceSteps(left, right))
}

/** `difference` in steps. */
export function differenceSteps(left: FieldSet, right: FieldSet): Steps<FieldSet> {
  return differenceOfChildren(left, right, differenceOfNodes)
}

/** Also removes everything below a field of the right set. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  return atOnce(recursiveSteps(left, right))
}

function recursiveSteps(left: FieldSet, right: FieldSet): Steps<FieldSet> {
  return differenceOfChildren(left, right, function* (mine, theirs) {
    return isMember(theirs) ? undefined : nodeOr(yield* recursiveSteps(mine, theirs), mine)
  })
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return atOnce(intersectionSteps(left, right))
}

/** `intersection` in steps. */
export function* intersectionSteps(left: FieldSet, right: FieldSet): Steps<FieldSet> {
  if (left === right) return left
  const result: FieldSetDraft = {}
  let count = 0
  for (const element in left) {
    if (++count % itemsPerStep === 0) yield
    const mine = left[element]
    const theirs = right[element]
    if (mine === undefined || theirs === undefined || element === self) continue
    const both = isEmptySet(mine) ? inside(theirs) : yield* intersectionOfNodes(mine, theirs)
    if (both !== undefined) result[element] = both
  }
  return result
}

/** The intersection of a field that has nothing below it with a node. */
function inside(node: FieldSet): FieldSet | undefined {
  return isMember(node) ? leaf : undefined
}

function unionOfNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left
  if (isEmptySet(left)) return isEmptySet(right) ? left : asMember(right)
  return isEmptySet(right) ? asMember(left) : unionOfChildren(left, right)
}

/** For nodes that both have children, so that `.` is a child like any other. */
function unionOfChildren(left: FieldSet, right: FieldSet): FieldSet {
  let result: FieldSetDraft | undefined
  for (const element in right) {
    const theirs = right[element]
    const mine = left[element]
    if (theirs === undefined) continue
    const both = mine === undefined ? theirs : unionOfNodes(mine, theirs)
    if (both === mine) continue
    result ??= { ...left }
    result[element] = both
  }
  return result ?? left
}

function* differenceOfChildren(
  left: FieldSet,
  right: FieldSet,
  ofNodes: (mine: FieldSet, theirs: FieldSet) => Steps<FieldSet | undefined>,
): Steps<FieldSet> {
  let count = 0
  let changes: Map<string, FieldSet | undefined> | undefined
  for (const element in right) {
    if (++count % itemsPerStep === 0) yield
    const mine = left[element]
    const theirs = right[element]
    if (mine === undefined || theirs === undefined || element === self) continue
    const rest = isEmptySet(mine) ? outside(mine, theirs) : yield* ofNodes(mine, theirs)
    if (rest === mine) continue
    changes ??= new Map()
    changes.set(element, rest)
  }
  return changes === undefined ? left : withChanges(left, changes)
}

/** Removing many children from a copy takes longer than omitting them from it. */
const fewChanges = 64

function withChanges(left: FieldSet, changes: ReadonlyMap<string, FieldSet | undefined>): FieldSet {
  if (changes.size > fewChanges) return leavingOut(left, changes)
  const result: FieldSetDraft = { ...left }
  for (const [element, rest] of changes) {
    if (rest === undefined) delete result[element]
    else result[element] = rest
  }
  return result
}

function leavingOut(left: FieldSet, changes: ReadonlyMap<string, FieldSet | undefined>): FieldSet {
  const result: FieldSetDraft = {}
  for (const element in left) {
    const rest = changes.has(element) ? changes.get(element) : left[element]
    if (rest !== undefined) result[element] = rest
  }
  return result
}

/** What remains of a field that has nothing below it. */
function outside(field: FieldSet, node: FieldSet): FieldSet | undefined {
  return isMember(node) ? undefined : field
}

function* differenceOfNodes(mine: FieldSet, theirs: FieldSet): Steps<FieldSet | undefined> {
  const rest = nodeOr(yield* differenceSteps(mine, theirs), mine)
  return rest !== undefined && isMember(theirs) ? withoutSelf(rest) : rest
}

/** What remains of a node with these `children`: undefined if it was not a member and has nothing below it anymore. */
function nodeOr(children: FieldSet, original: FieldSet): FieldSet | undefined {
  if (children === original) return original
  if (!hasChildren(children)) return isMember(original) ? leaf : undefined
  return children
}

function withoutSelf(node: FieldSet): FieldSet | undefined {
  if (!hasChildren(node)) return undefined
  if (node[self] === undefined) return node
  const { [self]: _, ...children } = node
  return children
}

function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return true
  return false
}

function* intersectionOfNodes(left: FieldSet, right: FieldSet): Steps<FieldSet | undefined> {
  const children = yield* intersectionSteps(left, right)
  const member = isMember(left) && isMember(right)
  if (isEmptySet(children)) return member ? leaf : undefined
  return member ? asMember(children) : children
}
