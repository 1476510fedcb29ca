import { isJsonObject } from '../../base/json/member.ts'
import { Pace } from '../../base/pace.ts'
import type { Store } from '../../storage/contract.ts'

const pageSize = 200

/**
 * Removes objects below a prefix whose definition is gone: no verb reaches them, and nothing would ever remove their
 * finalizers. `isOrphan` is called right before each removal.
 */
export async function removeOrphans(
  store: Store,
  prefix: string,
  isOrphan: (value: Uint8Array) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const pace = new Pace()
  let afterKey = prefix
  for (;;) {
    const { items } = await store.list(prefix, { limit: pageSize, afterKey, signal })
    for (const { key, value, revision } of items) {
      await pace.step()
      if (signal.aborted) return
      if (isOrphan(value)) await store.delete(key, revision)
    }
    const last = items.at(-1)
    if (last === undefined) return
    afterKey = last.key
  }
}

/** Whether a stored object was created by that time. */
export function isCreatedBy(value: Uint8Array, time: string): boolean {
  const object: unknown = JSON.parse(Buffer.from(value).toString())
  const metadata = isJsonObject(object) ? object.metadata : undefined
  const created = isJsonObject(metadata) ? metadata.creationTimestamp : undefined
  return typeof created === 'string' && created <= time
}
