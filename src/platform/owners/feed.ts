import type { KeyIndex, KeyOwner } from '../../auth/keys/contract.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { follow } from '../follow.ts'
import type { Directory } from './directory.ts'
import { storedUser } from './stored-owner.ts'

/** What a change of an owner means for the keys. */
export interface OwnerChanges {
  readonly index: Pick<KeyIndex, 'ownerChanged'>
  /** The owner is gone: keys that were made for it have to go. */
  readonly onGone: (owner: KeyOwner) => void
}

/** Keeps the directory in step with the stored users and teams, and cuts what keys of theirs have opened. */
export function feedDirectory(directory: Directory, users: Cache, teams: Cache, changes: OwnerChanges): () => void {
  const gone = (owner: KeyOwner): void => {
    directory.block(owner)
    changes.index.ownerChanged(owner, 'owner-gone')
    changes.onGone(owner)
  }
  const stops = [
    follow(users, {
      put: (document, previous) => {
        const owner: KeyOwner = { kind: 'user', name: document.name }
        if (previous !== undefined && uidOf(previous) !== uidOf(document)) gone(owner)
        directory.putUser(document.object)
        if (storedUser(document.object).locked) changes.index.ownerChanged(owner, 'owner-locked')
      },
      remove: ({ name }) => {
        directory.removeUser(name)
        gone({ kind: 'user', name })
      },
    }),
    follow(teams, {
      put: (document, previous) => {
        if (previous !== undefined && uidOf(previous) !== uidOf(document)) gone({ kind: 'team', name: document.name })
        directory.putTeam(document.object)
      },
      remove: ({ name }) => {
        directory.removeTeam(name)
        gone({ kind: 'team', name })
      },
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function uidOf(document: StoredDocument): string | undefined {
  return document.object.metadata.uid
}
