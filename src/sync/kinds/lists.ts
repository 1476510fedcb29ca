import { isJsonObject } from '../../base/json/member.ts'

/** A list of objects as a server has checked it; nothing if it is absent. */
export function checkedObjectsIn<Item extends object>(value: unknown): readonly Item[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is Item => isJsonObject(item)) : undefined
}
