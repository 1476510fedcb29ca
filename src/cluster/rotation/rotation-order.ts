import { isRotationPart, type RotationPart } from '../../api/rotation.ts'
import { asJson } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { identityRoot } from '../../platform/identity/root.ts'
import type { Store } from '../../storage/contract.ts'

/** All replicas on a store follow its last order; those that are not running follow it at their next start. */
export interface RotationOrder {
  readonly id: string
  readonly parts: readonly RotationPart[]
  /** Absent: until the replaced parts would have ended. */
  readonly overlapMs?: number
}

export const rotationOrderKey = `${identityRoot}rotation`

export async function writeOrder(store: Store, order: RotationOrder): Promise<void> {
  const value = Buffer.from(JSON.stringify(order))
  for (let stored = await store.get(rotationOrderKey); ; ) {
    const result =
      stored === undefined
        ? await store.create(rotationOrderKey, value)
        : await store.update(rotationOrderKey, value, stored.revision)
    if (result.outcome === 'written') return
    stored = result.current
  }
}

/** Undefined if it is not an order. */
export function readOrder(value: Uint8Array): RotationOrder | undefined {
  const parsed = asJson(Buffer.from(value).toString())
  if (!isJsonObject(parsed) || typeof parsed.id !== 'string' || !Array.isArray(parsed.parts)) return undefined
  const { id, parts, overlapMs } = parsed
  const known = parts.filter((part) => typeof part === 'string').filter(isRotationPart)
  return { id, parts: known, ...(typeof overlapMs === 'number' && { overlapMs }) }
}
