import type { KeyIndex, KeyOwner, OwnerState } from '../../auth/keys/contract.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { followCache } from '../follow.ts'
import type { Directory } from './directory.ts'

/** Effects of a change of an owner on its keys. */
export interface OwnerChanges {
  readonly index: Pick<KeyIndex, 'ownerChanged' | 'openOwners'>
  /** Called when the owner was deleted and its keys must be deleted. */
  readonly onGone: (owner: KeyOwner) => void
}

/** Keeps the directory in step with the stored users and teams, and cuts connections of their keys. */
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
      // Its keys stay, but are refused until the owner can be read.
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
 * Cuts connections of keys whose owner has changed: it was locked or deleted, or has other teams and groups. A watch
 * shows what was allowed when it began, so it must begin anew.
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
