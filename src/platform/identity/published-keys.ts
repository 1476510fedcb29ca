import { readVerifyingKey, type VerifyingKey } from '../../base/keypair.ts'
import type { Store, StoredValue } from '../../storage/contract.ts'
import { identityRoot } from './root.ts'

export const publishedKeysPrefix = `${identityRoot}service-account-keys/`

/** A replica without a lasting data directory makes a key with each start; those of long ago go. */
const maxPublished = 64

/** Behind the key, where programs that know nothing of it read the key all the same. */
const endMark = 'ends '

export interface PublishedKey {
  readonly key: VerifyingKey
  /** No token counts after that. Absent: the key signs. */
  readonly endsAtMs?: number
}

/**
 * Makes the public half known to all replicas, so that they take the tokens that this one signs. The private half never
 * leaves its data directory.
 */
export async function publishKey(store: Store, { publicKey, id }: VerifyingKey, endsAtMs?: number): Promise<void> {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const end = endsAtMs === undefined ? '' : `${endMark}${endsAtMs}\n`
  await put(store, publishedKeysPrefix + id, Buffer.from(pem + end))
  await removeOldest(store)
}

/** Undefined for what is no such key. */
export function readPublished(value: Uint8Array): PublishedKey | undefined {
  try {
    const text = Buffer.from(value).toString()
    const key = readVerifyingKey(text)
    const end = /^ends (\d+)$/m.exec(text)?.[1]
    return end === undefined ? { key } : { key, endsAtMs: Number(end) }
  } catch {
    return undefined
  }
}

/** Written anew at each start, so that its revision tells when it was last of use. */
async function put(store: Store, key: string, value: Buffer): Promise<void> {
  for (let stored = await store.get(key); ; ) {
    const result =
      stored === undefined ? await store.create(key, value) : await store.update(key, value, stored.revision)
    if (result.outcome === 'written') return
    stored = result.current
  }
}

async function removeOldest(store: Store): Promise<void> {
  const { items } = await store.list(publishedKeysPrefix)
  const newestFirst = [...items].sort((left: StoredValue, right: StoredValue) => right.revision - left.revision)
  for (const { key, revision } of newestFirst.slice(maxPublished)) await store.delete(key, revision)
}
