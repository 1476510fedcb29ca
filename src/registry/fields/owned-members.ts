import type { Schema } from '../../api/schema.ts'
import { type FieldSet, type FieldSetDraft, leaf } from './field-set.ts'
import { memberElement } from './path-element.ts'
import { ownershipShape } from './schema-shape.ts'

/** A member that a schema names, ready to be added to a set. */
export interface OwnedMember {
  readonly name: string
  readonly element: string
  readonly schema: Schema
  /** Owned as a whole, whatever its value. */
  readonly isLeaf: boolean
  /** The position in display order. */
  readonly rank: number
}

export interface OwnedMembers {
  readonly byName: ReadonlyMap<string, OwnedMember>
  readonly inOrder: readonly OwnedMember[]
  /** Sets of members that are all owned as a whole, by the bits of these members. */
  readonly ofLeaves: Map<number, FieldSet>
}

/** As many as fit in the bits of a small integer. */
const mostBits = 30
const mostSetsEach = 256
/** For all schemas together: a user's schema may have very many nodes. */
const mostSets = 16_384

let setCount = 0
let known = new WeakMap<Schema, OwnedMembers>()

/** Computed once per schema node. */
export function ownedMembersOf(schema: Schema): OwnedMembers {
  const members = known.get(schema)
  if (members !== undefined) return members
  const made = readMembers(schema)
  known.set(schema, made)
  return made
}

/** The bit of a member in `ofLeaves`; zero if it has none. */
export function leafBit({ isLeaf, rank }: OwnedMember): number {
  return isLeaf && rank < mostBits ? 1 << rank : 0
}

/** `bits`: of all members present. Objects with the same members share the set. */
export function setOfLeaves({ inOrder, ofLeaves }: OwnedMembers, bits: number): FieldSet {
  const made = ofLeaves.get(bits)
  if (made !== undefined) return made
  const set: FieldSetDraft = { '.': leaf }
  for (const member of inOrder) if ((bits & leafBit(member)) !== 0) set[member.element] = leaf
  if (ofLeaves.size >= mostSetsEach) ofLeaves.clear()
  ofLeaves.set(bits, set)
  countSet()
  return set
}

function countSet(): void {
  setCount += 1
  if (setCount < mostSets) return
  setCount = 0
  known = new WeakMap()
}

function readMembers({ properties = {} }: Schema): OwnedMembers {
  const names = Object.keys(properties).sort()
  const byName = new Map<string, OwnedMember>()
  for (const [rank, name] of names.entries()) {
    const schema = properties[name]
    if (schema === undefined) continue
    const isLeaf = ownershipShape(schema, {}) === 'leaf'
    byName.set(name, { name, element: memberElement(name), schema, isLeaf, rank })
  }
  return { byName, inOrder: [...byName.values()], ofLeaves: new Map() }
}
