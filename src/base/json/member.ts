/**
 * Adds a member to an object under construction. Plain assignment to `__proto__` would change the prototype instead of
 * storing the member.
 */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    target[key] = value
  }
}

/** Whether a parsed value is a JSON object, rather than an array, null or a scalar. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies the first `count` members, so that the caller can continue with a different value for the next one. */
export function firstMembers(
  value: Record<string, unknown>,
  keys: readonly string[],
  count: number,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (let at = 0; at < count; at++) setMember(copy, keys[at] ?? '', value[keys[at] ?? ''])
  return copy
}
