import type { Store } from '../contract.ts'
import type { ValueCipher } from './value-cipher.ts'

export interface RewriteOptions {
  /** The underlying store, which returns values without decrypting them. */
  readonly store: Store
  readonly cipher: ValueCipher
  readonly signal: AbortSignal
  readonly onProgress: (progress: RewriteProgress) => void
}

export interface RewriteProgress {
  /** How many values are known to be stored in another way than they would be written now. */
  readonly stale: number
  readonly rewritten: number
}

/**
 * Rewrites every value that would now be written in another way. A value that changes meanwhile is skipped and checked
 * again: the work is done when a scan of the whole store finds nothing to rewrite.
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
