import type { Schema } from '../../api/schema.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { elementOf } from './list-items.ts'
import { itemSchema, itemsOf, memberSchema, ownershipShape, ownMember, ownMembers } from './schema-shape.ts'

/** What an applied configuration makes of a live value. An undefined side says nothing. */
export function mergedValue(schema: Schema, live: unknown, config: unknown): unknown {
  if (config === undefined) return live
  if (live === undefined) return config
  const shape = ownershipShape(schema, config ?? live)
  if (shape === 'map' && isJsonObject(live) && hasMembers(live, config)) {
    return mergedMembers(schema, live, ownMembers(config))
  }
  if (shape === 'list' && Array.isArray(live) && (live.length > 0 || itemsOf(config).length > 0)) {
    return mergedItems(schema, live, itemsOf(config))
  }
  return config
}

function hasMembers(live: Readonly<Record<string, unknown>>, config: unknown): boolean {
  if (config !== null && !isJsonObject(config)) return false
  return Object.keys(live).length > 0 || Object.keys(ownMembers(config)).length > 0
}

function mergedMembers(
  schema: Schema,
  live: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): unknown {
  const result: Record<string, unknown> = { ...live }
  for (const name of Object.keys(config)) {
    setMember(result, name, mergedValue(memberSchema(schema, name), ownMember(live, name), config[name]))
  }
  return result
}

interface Item {
  readonly element: string
  readonly value: unknown
}

/**
 * Items that both sides have follow the order of the configuration. Items that only one side has keep their place
 * relative to those, the live ones before the new ones.
 */
function mergedItems(schema: Schema, live: readonly unknown[], config: readonly unknown[]): readonly unknown[] {
  const mine = itemsIn(schema, live)
  const theirs = itemsIn(schema, config)
  const mergeable = withoutRepeated(mine)
  const named = new Set(theirs.map(({ element }) => element))
  const shared = theirs.filter(({ element }) => mergeable.has(element))
  let nextShared = 0
  const result: unknown[] = []
  const done = new Set<string>()
  const takeTheirs = ({ element, value }: Item) => {
    result.push(mergedValue(itemSchema(schema), mergeable.get(element), value))
    done.add(element)
    if (shared[nextShared]?.element === element) nextShared += 1
  }
  let left = 0
  let right = 0
  while (left < mine.length || right < theirs.length) {
    const my = mine[left]
    const their = theirs[right]
    if (my !== undefined && !named.has(my.element)) {
      result.push(my.value)
      left += 1
    } else if (my !== undefined && their !== undefined && isForLater(my, shared[nextShared])) {
      left += 1
    } else {
      if (my !== undefined && (my.element === their?.element || done.has(my.element))) left += 1
      if (their !== undefined) takeTheirs(their)
      right += 1
    }
  }
  return result
}

/** A shared item whose turn in the order of the configuration has not come, or is over. */
function isForLater(my: Item, nextShared: Item | undefined): boolean {
  return nextShared !== undefined && nextShared.element !== my.element
}

function itemsIn(schema: Schema, values: readonly unknown[]): readonly Item[] {
  return values.map((value, index) => ({ element: elementOf(schema, value).element ?? `?${index}`, value }))
}

/** Of items that cannot be told apart, none is merged with. */
function withoutRepeated(items: readonly Item[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const { element, value } of items) found.set(element, found.has(element) ? undefined : value)
  return found
}
