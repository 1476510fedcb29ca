/** Deeper than anything an API server keeps; whatever walks over a value may rely on it. */
export const maxDepth = 500

export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === maxDepth) return true
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return children.some((child) => isTooDeep(child, depth + 1))
}
