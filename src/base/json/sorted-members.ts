import { isJsonObject, setMember } from './member.ts'

/** The same value with the members of all its objects sorted by name. */
export function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers)
  if (!isJsonObject(value)) return value
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) setMember(sorted, name, withSortedMembers(value[name]))
  return sorted
}
