/** For each key, whether the same one precedes it. Undefined keys are never repeated. */
export function repeated(keys: readonly (string | number | undefined)[]): readonly boolean[] {
  const seen = new Set<string | number>()
  return keys.map((key) => {
    if (key === undefined) return false
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated
  })
}
