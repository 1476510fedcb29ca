import type { DormantKeys, KeyIndex, KeyOwner } from '../../../auth/keys/contract.ts'
import type { Cache } from '../../../registry/cache.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { follow } from '../../follow.ts'
import type { Directory } from '../../owners/directory.ts'
import type { KeySettings } from '../parts.ts'
import { ownerOf, specOf } from './access-key.ts'
import { outlineOf } from './key-outline.ts'
import { sealedOf, storedKeyOf } from './key-record.ts'
import type { KeysByOwner } from './keys-by-owner.ts'

export interface KeyFollowers {
  readonly index: KeyIndex & DormantKeys<StoredDocument>
  readonly keysByOwner: KeysByOwner
  readonly directory: Directory
  readonly settings: KeySettings
  /** A key's owner is not the one it was made for. */
  readonly onStale: (owner: KeyOwner) => void
}

/**
 * Keeps what is known of keys in memory in step with the stored ones. Those that are there from the start are only
 * outlined: each is read when it is first used, changed, or about to end.
 */
export function feedKeys(keys: Cache, followers: KeyFollowers): () => void {
  const { index, keysByOwner, directory, settings, onStale } = followers
  const checkOwner = (owner: KeyOwner, ownerUid: string | undefined): void => {
    if (isStale(owner, ownerUid, directory)) onStale(owner)
  }
  const put = (document: StoredDocument, previous?: StoredDocument): void => {
    if (previous !== undefined) keysByOwner.remove(ownerOf(specOf(previous.object)), document.name)
    keysByOwner.add(ownerOf(specOf(document.object)), document.name)
    const stored = storedKeyOf(document)
    if (stored === undefined) return
    checkOwner(stored.record.owner, stored.sealed.ownerUid)
    index.upsert(stored.record)
  }
  return follow(keys, {
    put,
    first: (document) => {
      const outline = outlineOf(document, settings.maxLifetimeSeconds)
      if (outline === undefined) return put(document)
      const { uid, hash, owner, ownerUid, lastPartMs } = outline
      if (!index.addDormant({ uid, hash, asleepUntilMs: lastPartMs }, document)) return put(document)
      keysByOwner.add(owner, document.name)
      checkOwner(owner, ownerUid)
    },
    remove: ({ object, name }) => {
      keysByOwner.remove(ownerOf(specOf(object)), name)
      index.remove(object.metadata.uid ?? '')
    },
  })
}

/** The owner is gone, or somebody else has its name now. */
function isStale(owner: KeyOwner, ownerUid: string | undefined, directory: Directory): boolean {
  if (owner.kind === 'subject') return false
  const uid = directory.uidOf(owner)
  return uid === undefined || (ownerUid !== undefined && ownerUid !== uid)
}

/** Stored keys of an owner that is gone. */
export function orphanedKeys(
  keys: Cache,
  keysByOwner: KeysByOwner,
  owner: KeyOwner,
  directory: Directory,
): readonly StoredDocument[] {
  return keysByOwner
    .namesOf([owner])
    .flatMap((name) => keys.get({ namespace: '', name }) ?? [])
    .filter((document) => isStale(owner, sealedOf(document)?.ownerUid, directory))
}
