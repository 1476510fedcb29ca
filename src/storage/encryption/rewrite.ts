import type { Store } from '../contract.ts'
import type { ValueCipher } from './value-cipher.ts'

export interface RewriteOptions {
  /** As it keeps values: not decrypted. */
  readonly store: Store
  readonly cipher: ValueCipher
  readonly signal: AbortSignal
  readonly onProgress: (progress: RewriteProgress) => void
}

export interface RewriteProgress {
  /** How many values are still written in another way than they would be now, as far as is known. */
  readonly stale: number
  readonly rewritten: number
}

/**
 * Writes every value anew that would be written in another way now. One that changes meanwhile is left as it is then, and
 * looked at once more: all is done when a look at the whole store finds nothing to do.
 */
export async function rewriteValues({ store, cipher, signal, onProgress }: RewriteOptions): Promise<void> {
  let rewritten = 0
  for (;;) {
    const keys = await staleKeys(store, cipher, signal)
    onProgress({ stale: keys.length, rewritten })
    if (keys.length === 0) return
    for (const [index, key] of keys.entries()) {
      signal.throwIfAborted()
      if (await rewriteOne(store, cipher, key)) rewritten++
      onProgress({ stale: keys.length - index - 1, rewritten })
    }
  }
}

async function staleKeys(store: Store, cipher: ValueCipher, signal: AbortSignal): Promise<readonly string[]> {
  const keys: string[] = []
  const each = ({ key, value }: { readonly key: string; readonly value: Uint8Array }) => {
    if (cipher.isStale(key, value)) keys.push(key)
  }
  await store.list('', { each, signal })
  return keys
}

async function rewriteOne(store: Store, cipher: ValueCipher, key: string): Promise<boolean> {
  const found = await store.get(key)
  if (found === undefined || !cipher.isStale(key, found.value)) return false
  const value = await cipher.decrypt(key, found.value)
  const { outcome } = await store.update(key, cipher.encrypt(key, value), found.revision)
  return outcome === 'written'
}
