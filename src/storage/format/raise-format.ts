import type { Store } from '../contract.ts'
import { decodeFormat, encodeFormat, type FormatRecord, firstFormat, formatKey } from './format-record.ts'

/**
 * Records that the store is about to hold content that only programs of that format can read. Replicas may do so at the
 * same time.
 */
export async function raiseFormat(store: Store, format: FormatRecord): Promise<void> {
  for (;;) {
    const stored = await store.get(formatKey)
    if (stored !== undefined && (decodeFormat(stored.value) ?? firstFormat).version >= format.version) return
    const value = encodeFormat(format)
    const { outcome } =
      stored === undefined
        ? await store.create(formatKey, value)
        : await store.update(formatKey, value, stored.revision)
    if (outcome === 'written') return
  }
}

export async function formatVersionOf(store: Store): Promise<number> {
  const stored = await store.get(formatKey)
  return (stored === undefined ? firstFormat : (decodeFormat(stored.value) ?? firstFormat)).version
}
