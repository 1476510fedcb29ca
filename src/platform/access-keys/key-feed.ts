import type { KeyIndex, KeyOwner } from '../../auth/keys/contract.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { type Follower, follow } from '../follow.ts'
import type { Directory } from '../owners/directory.ts'
import { ownerOf, specOf } from './access-key.ts'
import { keyRecordOf, sealedOf } from './key-record.ts'

/** Keeps the index in step with the stored keys. `onStale`: a key's owner is not the one it was made for. */
export function feedKeyIndex(
  keys: Cache,
  index: KeyIndex,
  directory: Directory,
  onStale: (owner: KeyOwner) => void,
): () => void {
  const follower: Follower = {
    put: (document) => {
      const record = keyRecordOf(document)
      if (record === undefined) return
      if (isOrphaned(document, record.owner, directory)) onStale(record.owner)
      index.upsert(record)
    },
    remove: (document) => index.remove(document.object.metadata.uid ?? ''),
  }
  return follow(keys, follower)
}

/** The owner is gone, or somebody else has its name now. */
export function isOrphaned(document: StoredDocument, owner: KeyOwner, directory: Directory): boolean {
  if (owner.kind === 'subject') return false
  const ownerUid = sealedOf(document)?.ownerUid
  const uid = directory.uidOf(owner)
  return uid === undefined || (ownerUid !== undefined && ownerUid !== uid)
}

/** Stored keys of an owner whose owner is gone. */
export function* orphanedKeys(keys: Cache, owner: KeyOwner, directory: Directory): Generator<StoredDocument> {
  const text = Buffer.from(`${JSON.stringify(owner.kind)}:${JSON.stringify(owner.name)}`)
  for (const document of keys.snapshot().values()) {
    if (!document.itemJson.includes(text)) continue
    const named = ownerOf(specOf(document.object))
    if (named?.kind === owner.kind && named.name === owner.name && isOrphaned(document, owner, directory))
      yield document
  }
}
