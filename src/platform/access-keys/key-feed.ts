import type { KeyIndex, KeyOwner } from '../../auth/keys/contract.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { follow } from '../follow.ts'
import type { Directory } from '../owners/directory.ts'
import { ownerOf, specOf } from './access-key.ts'
import type { EndingSoon } from './ending-soon.ts'
import { sealedOf, storedKeyOf } from './key-record.ts'

export interface KeyFollowers {
  readonly index: KeyIndex
  readonly endingSoon: EndingSoon
  readonly directory: Directory
  /** A key's owner is not the one it was made for. */
  readonly onStale: (owner: KeyOwner) => void
}

/** Keeps what is known of keys in memory in step with the stored ones. */
export function feedKeys(keys: Cache, { index, endingSoon, directory, onStale }: KeyFollowers): () => void {
  return follow(keys, {
    put: (document) => {
      const stored = storedKeyOf(document)
      if (stored === undefined) return
      const { record, sealed } = stored
      if (isStale(record.owner, sealed.ownerUid, directory)) onStale(record.owner)
      index.upsert(record)
      endingSoon.put(record)
    },
    remove: ({ object }) => {
      index.remove(object.metadata.uid ?? '')
      endingSoon.remove(object.metadata.uid ?? '')
    },
  })
}

/** The owner is gone, or somebody else has its name now. */
function isStale(owner: KeyOwner, ownerUid: string | undefined, directory: Directory): boolean {
  if (owner.kind === 'subject') return false
  const uid = directory.uidOf(owner)
  return uid === undefined || (ownerUid !== undefined && ownerUid !== uid)
}

/** Stored keys of an owner whose owner is gone. */
export function* orphanedKeys(keys: Cache, owner: KeyOwner, directory: Directory): Generator<StoredDocument> {
  const text = Buffer.from(`${JSON.stringify(owner.kind)}:${JSON.stringify(owner.name)}`)
  for (const document of keys.snapshot().values()) {
    if (!document.itemJson.includes(text)) continue
    const named = ownerOf(specOf(document.object))
    if (named?.kind !== owner.kind || named.name !== owner.name) continue
    if (isStale(owner, sealedOf(document)?.ownerUid, directory)) yield document
  }
}
