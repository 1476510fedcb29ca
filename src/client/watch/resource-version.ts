const digits = /^\d+$/

/**
 * Negative if `left` is older, positive if it is newer, 0 if equal. Versions are numbers on every server there is; of
 * those that are not, the one that is asked about counts as newer.
 */
export function compareVersions(left: string, right: string): number {
  if (left === right) return 0
  if (!digits.test(left) || !digits.test(right)) return 1
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : 1
}
