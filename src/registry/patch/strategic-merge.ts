import { badRequest } from '../../api/error.ts'
import { jsonTypeName } from '../../api/human/go-print.ts'
import type { Schema } from '../../api/schema.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import {
  elementOrderPrefix,
  isDirective,
  type PatchMembers,
  patchDirective,
  plainValue,
  primitiveDeletionPrefix,
  retainKeysDirective,
  unknownPatchType,
} from './strategic-directives.ts'
import { type ListRules, mergedList, withoutPrimitives } from './strategic-list.ts'

/**
 * A strategic merge patch: a merge patch in which the schema determines which lists are merged rather than replaced,
 * and directives express what shape alone cannot. The document is not modified.
 */
export function applyStrategicMergePatch(document: PatchMembers, patch: unknown, schema: Schema): PatchMembers {
  return atOnce(strategicMergeSteps(document, patch, schema))
}

/** `applyStrategicMergePatch` in steps. */
export function* strategicMergeSteps(document: PatchMembers, patch: unknown, schema: Schema): Steps<PatchMembers> {
  if (patch === null) return document
  if (isJsonObject(patch)) return yield* mergedMembers(document, patch, schema)
  throw badRequest(`json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`)
}

function* mergedMembers(live: PatchMembers, patch: PatchMembers, schema: Schema | undefined): Steps<PatchMembers> {
  if (Object.hasOwn(patch, patchDirective)) return replacedMembers(patch)
  const result: Record<string, unknown> = { ...live }
  retainKeys(result, patch)
  for (const name of Object.keys(patch)) {
    if (name.startsWith(primitiveDeletionPrefix)) deletePrimitives(result, name, patch[name])
    else if (!isDirective(name)) yield* mergeMember(result, name, patch, memberSchema(schema, name))
  }
  for (const name of Object.keys(patch)) {
    if (name.startsWith(elementOrderPrefix)) yield* reorder(result, name, patch, schema)
  }
  return result
}

function replacedMembers(patch: PatchMembers): PatchMembers {
  const { [patchDirective]: directive, ...rest } = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  throw unknownPatchType(directive, patch)
}

function* mergeMember(
  result: Record<string, unknown>,
  name: string,
  patch: PatchMembers,
  schema: Schema | undefined,
): Steps<void> {
  const value = patch[name]
  const live = Object.hasOwn(result, name) ? result[name] : undefined
  if (value === null) delete result[name]
  else if (isJsonObject(live) && isJsonObject(value))
    setMember(result, name, isReplaced(schema) ? value : yield* mergedMembers(live, value, schema))
  else if (Array.isArray(live) && Array.isArray(value))
    setMember(result, name, yield* newList(live, value, name, patch, schema))
  else setMembersPlainValue(result, name, value)
}

function setMembersPlainValue(result: Record<string, unknown>, name: string, value: unknown): void {
  if (isJsonObject(value) && Object.hasOwn(value, patchDirective)) delete result[name]
  else setMember(result, name, plainValue(value))
}

function* newList(
  live: readonly unknown[],
  patch: readonly unknown[],
  name: string,
  siblings: PatchMembers,
  schema: Schema | undefined,
): Steps<readonly unknown[]> {
  if (!merges(schema)) return patch
  return yield* mergedList(live, patch, rulesOf(schema, elementOrder(siblings, name)))
}

/** `$setElementOrder` also orders a list that the patch does not otherwise change. */
function* reorder(
  result: Record<string, unknown>,
  directive: string,
  patch: PatchMembers,
  schema: Schema | undefined,
): Steps<void> {
  const name = directive.slice(elementOrderPrefix.length)
  const order = elementOrder(patch, name)
  const live = Object.hasOwn(result, name) ? result[name] : undefined
  if (!Array.isArray(live) || Object.hasOwn(patch, name)) return
  setMember(result, name, yield* mergedList(live, [], rulesOf(memberSchema(schema, name), order)))
}

function elementOrder(patch: PatchMembers, name: string): readonly unknown[] | undefined {
  const directive = elementOrderPrefix + name
  if (!Object.hasOwn(patch, directive)) return undefined
  const order = patch[directive]
  if (Array.isArray(order)) return order
  throw badRequest('invalid patch format of setElementOrder list')
}

function deletePrimitives(result: Record<string, unknown>, directive: string, unwanted: unknown): void {
  if (!Array.isArray(unwanted)) throw badRequest('invalid patch format of primitive list')
  const name = directive.slice(primitiveDeletionPrefix.length)
  const live = Object.hasOwn(result, name) ? result[name] : undefined
  if (!Array.isArray(live)) return
  const kept = withoutPrimitives(live, unwanted)
  if (kept.length === 0) delete result[name]
  else setMember(result, name, kept)
}

function retainKeys(result: Record<string, unknown>, patch: PatchMembers): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return
  const keys = patch[retainKeysDirective]
  if (!Array.isArray(keys)) throw invalidRetainKeys()
  const retained = new Set<unknown>(keys)
  const given = Object.keys(patch).filter((name) => !isDirective(name) && patch[name] !== null)
  if (given.some((name) => !retained.has(name))) throw invalidRetainKeys()
  for (const name of Object.keys(result)) if (!retained.has(name)) delete result[name]
}

function invalidRetainKeys(): Error {
  return badRequest('invalid patch format of retainKeys')
}

function rulesOf(schema: Schema | undefined, order: readonly unknown[] | undefined): ListRules {
  return {
    mergeKey: schema?.patchMergeKey,
    mergeItem: (live, patch) => mergedMembers(live, patch, schema?.items),
    order,
  }
}

function merges(schema: Schema | undefined): boolean {
  return schema?.patchStrategy?.includes('merge') === true
}

function isReplaced(schema: Schema | undefined): boolean {
  return schema?.patchStrategy === 'replace'
}

function memberSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = schema?.properties
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  return schema?.additionalProperties
}
