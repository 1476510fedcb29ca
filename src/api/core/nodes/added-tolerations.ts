import type { Toleration } from '../../types/core-v1.ts'

/** Those of `more` that are not among the given ones. Either list may have thousands of items. */
export function addedTolerations(given: readonly Toleration[], more: readonly Toleration[]): readonly Toleration[] {
  const known = new Set(given.map(identityOf))
  return more.filter((toleration) => !known.has(identityOf(toleration)))
}

function identityOf({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  return JSON.stringify([key, operator, value, effect, tolerationSeconds])
}
