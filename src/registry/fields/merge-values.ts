import type { Schema } from '../../api/schema.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { itemsPerStep, type Steps } from '../../base/steps.ts'
import { elementOf } from './list-items.ts'
import { itemSchema, itemsOf, memberSchema, ownershipShape, ownMember, ownMembers } from './schema-shape.ts'

/** The result of applying a configuration to a live value. An undefined side is absent. */
export function* mergedValue(schema: Schema, live: unknown, config: unknown): Steps<unknown> {
  if (config === undefined) return live
  if (live === undefined) return config
  yield
  const shape = ownershipShape(schema, config ?? live)
  if (shape === 'map' && isJsonObject(live) && hasMembers(live, config)) {
    return yield* mergedMembers(schema, live, ownMembers(config))
  }
  if (shape === 'list' && Array.isArray(live) && (live.length > 0 || itemsOf(config).length > 0)) {
    return yield* mergedItems(schema, live, itemsOf(config))
  }
  return config
}

function hasMembers(live: Readonly<Record<string, unknown>>, config: unknown): boolean {
  if (config !== null && !isJsonObject(config)) return false
  return Object.keys(live).length > 0 || Object.keys(ownMembers(config)).length > 0
}

function* mergedMembers(
  schema: Schema,
  live: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): Steps<unknown> {
  const result: Record<string, unknown> = { ...live }
  let count = 0
  for (const name of Object.keys(config)) {
    if (++count % itemsPerStep === 0) yield
    const was = ownMember(live, name)
    const wanted = config[name]
    const isPlain = typeof wanted !== 'object' && wanted !== undefined && typeof was !== 'object'
    setMember(result, name, isPlain ? wanted : yield* mergedValue(memberSchema(schema, name), was, wanted))
  }
  return result
}

interface Item {
  readonly element: string
  readonly value: unknown
}

/**
 * Items on both sides follow the order of the configuration. Items on only one side keep their place relative to those,
 * live ones before new ones.
 */
function* mergedItems(schema: Schema, live: readonly unknown[], config: readonly unknown[]): Steps<readonly unknown[]> {
  const mine = yield* itemsIn(schema, live)
  const theirs = yield* itemsIn(schema, config)
  const mergeable = withoutRepeated(mine)
  const named = new Set(theirs.map(({ element }) => element))
  const shared = theirs.filter(({ element }) => mergeable.has(element))
  let nextShared = 0
  const result: unknown[] = []
  const done = new Set<string>()
  const takeTheirs = function* ({ element, value }: Item): Steps<void> {
    result.push(yield* mergedValue(itemSchema(schema), mergeable.get(element), value))
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
      if (their !== undefined) yield* takeTheirs(their)
      right += 1
    }
  }
  return result
}

/** A shared item whose turn in the order of the configuration has not come, or is over. */
function isForLater(my: Item, nextShared: Item | undefined): boolean {
  return nextShared !== undefined && nextShared.element !== my.element
}

function* itemsIn(schema: Schema, values: readonly unknown[]): Steps<readonly Item[]> {
  const items: Item[] = []
  for (const [index, value] of values.entries()) {
    if ((index + 1) % itemsPerStep === 0) yield
    items.push({ element: elementOf(schema, value).element ?? `?${index}`, value })
  }
  return items
}

/** Repeated items are not merged. */
function withoutRepeated(items: readonly Item[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const { element, value } of items) found.set(element, found.has(element) ? undefined : value)
  return found
}
