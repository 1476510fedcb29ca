const digits = /^\d+$/

/**
 * Negative if `left` is older, positive if it is newer, 0 if equal. Versions are numbers on every known server; if they
 * are not, `left` counts as newer.
 */
export function compareVersions(left: string, right: string): number {
  if (left === right) return 0
  if (!digits.test(left) || !digits.test(right)) return 1
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : 1
}
