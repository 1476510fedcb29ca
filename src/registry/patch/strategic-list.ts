import { badRequest, unprocessablePatch } from '../../api/error.ts'
import { goType, goValue } from '../../api/human/go-print.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { itemsPerStep, type Steps } from '../../base/steps.ts'
import {
  hasPatchDirective,
  type PatchMembers,
  patchDirective,
  plainValue,
  unknownPatchType,
} from './strategic-directives.ts'
import { firstPositions, type Identify, inMergedOrder } from './strategic-order.ts'

export interface ListRules {
  /** Undefined for lists of primitives. */
  readonly mergeKey: string | undefined
  readonly mergeItem: (live: PatchMembers, patch: PatchMembers) => Steps<unknown>
  /** The order of `$setElementOrder`, which takes precedence over that of the patch. */
  readonly order: readonly unknown[] | undefined
}

/**
 * Merges a list whose strategy is `merge`: objects by their merge key, primitives as a set. The live list may have
 * several objects with one merge key, such as a port for TCP and UDP: the patch changes the first, and deletes all.
 */
export function* mergedList(
  live: readonly unknown[],
  patch: readonly unknown[],
  rules: ListRules,
): Steps<readonly unknown[]> {
  const sample = sampleOf(live, patch)
  if (sample === undefined) return live
  return isJsonObject(sample) ? yield* mergedObjects(live, patch, rules) : mergedPrimitives(live, patch, rules)
}

export function withoutPrimitives(live: readonly unknown[], unwanted: readonly unknown[]): readonly unknown[] {
  const gone = new Set(unwanted)
  return live.filter((item) => !gone.has(item))
}

function mergedPrimitives(live: readonly unknown[], patch: readonly unknown[], rules: ListRules): unknown[] {
  const identify: Identify = (item) => item
  requireSameOrder(patch, rules.order, identify)
  const items = [...new Set([...live, ...patch])]
  return inMergedOrder(items, { asked: rules.order ?? patch, live }, identify)
}

function* mergedObjects(live: readonly unknown[], patch: readonly unknown[], rules: ListRules): Steps<unknown[]> {
  const { mergeKey } = rules
  if (mergeKey === undefined) throw badRequest('cannot merge lists without merge key')
  const identify = identityBy(mergeKey)
  const { kept, named } = afterDirectives(live, patch, identify)
  requireSameOrder(named, rules.order, identify)
  const items = [...kept]
  const places = firstPositions(items, identify)
  for (const [index, item] of named.entries()) {
    const place = places.get(identify(item)) ?? items.length
    const found = items[place]
    items[place] = isJsonObject(found) ? yield* rules.mergeItem(found, item) : plainValue(item)
    places.set(identify(item), place)
    if ((index + 1) % itemsPerStep === 0) yield
  }
  return inMergedOrder(items, { asked: rules.order ?? named, live: kept }, identify)
}

/**
 * Carries out `$patch` items. Returns what they leave of the live list, and the patch items that are still to be
 * merged.
 */
function afterDirectives(live: readonly unknown[], patch: readonly unknown[], identify: Identify) {
  const objects = patch.filter(isJsonObject)
  const named = objects.filter((item) => !hasPatchDirective(item))
  const deleted = new Set<unknown>()
  let replaces = false
  for (const item of objects.filter(hasPatchDirective)) {
    const directive = item[patchDirective]
    if (directive === 'replace') replaces = true
    else if (directive === 'delete') deleted.add(identify(item))
    else if (directive === 'merge') throw badRequest('merging lists cannot yet be specified in the patch')
    else throw unknownPatchType(directive, item)
  }
  if (replaces) return { kept: named.map(plainValue), named: [] }
  return { kept: deleted.size === 0 ? live : live.filter((item) => !deleted.has(identify(item))), named }
}

/** Items in the patch must also be in `$setElementOrder`, in the same order. */
function requireSameOrder(patch: readonly unknown[], order: readonly unknown[] | undefined, identify: Identify): void {
  if (order === undefined || order.length === 0) return
  let next = 0
  for (const item of order) {
    if (next < patch.length && identify(item) === identify(patch[next])) next += 1
  }
  if (next === patch.length) return
  const lists = `patch list:\n${goValue(patch)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`
  throw badRequest(`The order in ${lists}`)
}

function identityBy(mergeKey: string): Identify {
  return (item) => {
    if (isJsonObject(item) && Object.hasOwn(item, mergeKey)) return item[mergeKey]
    throw badRequest(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`)
  }
}

/** Any one item; all items must have its type. */
function sampleOf(...lists: readonly (readonly unknown[])[]): unknown {
  const items = lists.flat()
  const sample = items[0]
  if (Array.isArray(sample)) throw unprocessablePatch()
  if (items.every((item) => goType(item) === goType(sample))) return sample
  throw badRequest(`list element types are not identical: ${goValue(lists)}`)
}
