import { isJsonObject } from '../../base/json/member.ts'

/** A list of objects that a server has validated; undefined if absent. */
export function checkedObjectsIn<Item extends object>(value: unknown): readonly Item[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is Item => isJsonObject(item)) : undefined
}
