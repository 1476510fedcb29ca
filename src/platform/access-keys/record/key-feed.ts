import type { AccessKeySpec } from '../../../api/types/management.ts'
import type { DormantKeys, KeyIndex, KeyOwner } from '../../../auth/keys/contract.ts'
import type { Cache } from '../../../registry/cache.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import type { Ledger } from '../../../registry/quota/ledger.ts'
import { ledgerKey } from '../../../registry/quota/quota.ts'
import { followCache } from '../../follow.ts'
import type { Directory } from '../../owners/directory.ts'
import type { KeySettings } from '../parts.ts'
import { ownerFieldsOf, ownerOf, specOf } from './access-key.ts'
import { accountOfKey } from './key-account.ts'
import { outlineOf } from './key-outline.ts'
import { sealedOf, storedKeyOf } from './key-record.ts'
import type { KeysByOwner } from './keys-by-owner.ts'

export interface KeyFollowers {
  readonly index: KeyIndex & DormantKeys<StoredDocument>
  readonly keysByOwner: KeysByOwner
  /** Counts the keys of each owner. */
  readonly ledger: Ledger
  readonly directory: Directory
  readonly settings: KeySettings
  /** Called when a key's owner is not the one it was made for. */
  readonly onStale: (owner: KeyOwner) => void
}

/**
 * Keeps the in-memory state of keys in step with the store. Keys that exist at the start are only outlined: each is
 * read when it is first used, changed, or about to end.
 */
export function feedKeys(keys: Cache, followers: KeyFollowers): () => void {
  const { index, keysByOwner, ledger, directory, settings, onStale } = followers
  const count = (spec: AccessKeySpec, document: StoredDocument, sign: 1 | -1): void => {
    const account = accountOfKey(spec)
    if (account === undefined) return
    ledger.stored(account, ledgerKey(keys.kind, document), { objects: sign, bytes: sign * document.bytes })
  }
  const forget = (document: StoredDocument): void => {
    const spec = specOf(document.object)
    keysByOwner.remove(ownerOf(spec), document.name)
    count(spec, document, -1)
  }
  const checkOwner = (owner: KeyOwner, ownerUid: string | undefined): void => {
    if (isStale(owner, ownerUid, directory)) onStale(owner)
  }
  const put = (document: StoredDocument, previous?: StoredDocument): void => {
    if (previous !== undefined) forget(previous)
    const spec = specOf(document.object)
    keysByOwner.add(ownerOf(spec), document.name)
    count(spec, document, 1)
    const stored = storedKeyOf(document)
    if (stored === undefined) return
    checkOwner(stored.record.owner, stored.sealed.ownerUid)
    index.upsert(stored.record)
  }
  return followCache(keys, {
    put,
    first: (document) => {
      const outline = outlineOf(document, settings.maxLifetimeSeconds)
      if (outline === undefined) return put(document)
      const { uid, hash, owner, ownerUid, lastPartMs } = outline
      if (!index.addDormant({ uid, hash, asleepUntilMs: lastPartMs }, document)) return put(document)
      keysByOwner.add(owner, document.name)
      count(ownerFieldsOf(owner), document, 1)
      checkOwner(owner, ownerUid)
    },
    remove: (document) => {
      forget(document)
      index.remove(document.object.metadata.uid ?? '')
    },
    unreadable: (document) => index.remove(document.object.metadata.uid ?? ''),
  })
}

/** Whether the owner was deleted, or its name now belongs to another owner. */
function isStale(owner: KeyOwner, ownerUid: string | undefined, directory: Directory): boolean {
  if (owner.kind === 'subject') return false
  const uid = directory.uidOf(owner)
  return uid === undefined || (ownerUid !== undefined && ownerUid !== uid)
}

/** Stored keys whose owner was deleted. */
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
