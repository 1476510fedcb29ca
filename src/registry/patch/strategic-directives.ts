import { badRequest } from '../../api/error.ts'
import { goValue } from '../../api/human/go-print.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'

export type PatchMembers = Readonly<Record<string, unknown>>

/** Directives with which a strategic merge patch expresses more than its shape can. */
export const patchDirective = '$patch'
export const retainKeysDirective = '$retainKeys'
export const elementOrderPrefix = '$setElementOrder/'
export const primitiveDeletionPrefix = '$deleteFromPrimitiveList/'

export function isDirective(name: string): boolean {
  return (
    name === patchDirective ||
    name === retainKeysDirective ||
    name.startsWith(elementOrderPrefix) ||
    name.startsWith(primitiveDeletionPrefix)
  )
}

/** The value that a patch creates where there was none: without directives, nulls and items to be deleted. */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !hasPatchDirective(item)).map(plainValue)
  if (!isJsonObject(value)) return value
  const plain: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === null || isDirective(name) || hasPatchDirective(member)) continue
    setMember(plain, name, plainValue(member))
  }
  return plain
}

export function hasPatchDirective(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, patchDirective)
}

export function unknownPatchType(directive: unknown, patch: PatchMembers): Error {
  return badRequest(`unknown patch type: ${goValue(directive)} in map: ${goValue(patch)}`)
}
