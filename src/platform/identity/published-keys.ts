import { readVerifyingKey, type VerifyingKey } from '../../base/keys/keypair.ts'
import type { Store, StoredValue } from '../../storage/contract.ts'
import { identityRoot } from './root.ts'

export const publishedKeysPrefix = `${identityRoot}service-account-keys/`

/** A replica without a persistent data directory makes a key at each start, so the oldest ones are removed. */
const maxPublished = 64

/** Follows the PEM block, where readers that do not know the mark ignore it. */
const endMark = 'ends '

export interface PublishedKey {
  readonly key: VerifyingKey
  /** Tokens are not accepted after this time. Absent: the key still signs. */
  readonly endsAtMs?: number
}

/**
 * Publishes the public key to all replicas, so that they accept tokens that this one signs. The private key never
 * leaves its data directory.
 */
export async function publishKey(store: Store, { publicKey, id }: VerifyingKey, endsAtMs?: number): Promise<void> {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const end = endsAtMs === undefined ? '' : `${endMark}${endsAtMs}\n`
  await put(store, publishedKeysPrefix + id, Buffer.from(pem + end))
  await removeOldest(store)
}

/** Undefined if the value is not a published key. */
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

/** Rewritten at each start, so that its revision shows when it was last used. */
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
