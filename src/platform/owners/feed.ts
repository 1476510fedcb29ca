import type { KeyIndex, KeyOwner, OwnerState } from '../../auth/keys/contract.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { followCache } from '../follow.ts'
import type { Directory } from './directory.ts'

/** What a change of an owner means for the keys. */
export interface OwnerChanges {
  readonly index: Pick<KeyIndex, 'ownerChanged' | 'openOwners'>
  /** The owner is gone: keys that were made for it have to go. */
  readonly onGone: (owner: KeyOwner) => void
}

/** Keeps the directory in step with the stored users and teams, and cuts what keys of theirs have opened. */
export function feedDirectory(
  directory: Directory,
  users: Cache,
  teams: Cache,
  { index, onGone }: OwnerChanges,
): () => void {
  const gone = (owner: KeyOwner): void => {
    directory.block(owner)
    onGone(owner)
  }
  const feed = (cache: Cache, kind: 'user' | 'team', put: (document: StoredDocument) => void) =>
    followCache(cache, {
      put: (document, previous) =>
        endConnectionsOfChangedOwners(directory, index, () => {
          if (previous !== undefined && uidOf(previous) !== uidOf(document)) gone({ kind, name: document.name })
          put(document)
        }),
      remove: ({ name }) =>
        endConnectionsOfChangedOwners(directory, index, () => {
          directory.remove({ kind, name })
          gone({ kind, name })
        }),
      // Its keys stay, and let no caller in until it can be read.
      unreadable: ({ name }) => endConnectionsOfChangedOwners(directory, index, () => directory.remove({ kind, name })),
    })
  const stops = [
    feed(users, 'user', ({ object }) => directory.putUser(object)),
    feed(teams, 'team', ({ object }) => directory.putTeam(object)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function uidOf(document: StoredDocument): string | undefined {
  return document.object.metadata.uid
}

/**
 * Cuts what keys have opened whose owner is not the same after a change: locked or gone, or in other teams and groups.
 * Who watches was shown what they may see when they began; so they begin anew.
 */
function endConnectionsOfChangedOwners(
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
