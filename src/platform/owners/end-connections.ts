import type { KeyIndex, OwnerState } from '../../auth/keys/contract.ts'
import type { Directory } from './directory.ts'

/**
 * Cuts what keys have opened whose owner is not the same after a change: locked or gone, or in other teams and groups.
 * Who watches was shown what they may see when they began; so they begin anew.
 */
export function endConnectionsOfChangedOwners(
  directory: Directory,
  index: Pick<KeyIndex, 'ownerChanged' | 'openOwners'>,
  change: () => void,
): void {
  const before = index.openOwners().map((owner) => [owner, directory.owner(owner)] as const)
  change()
  for (const [owner, state] of before) {
    const now = directory.owner(owner)
    if (now !== state) index.ownerChanged(owner, reasonOf(now))
  }
}

function reasonOf(now: OwnerState | undefined): 'owner-gone' | 'owner-locked' | 'owner-changed' {
  if (now === undefined) return 'owner-gone'
  return now.locked ? 'owner-locked' : 'owner-changed'
}
