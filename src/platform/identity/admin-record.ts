import { isJsonObject } from '../../base/json/member.ts'
import type { Store } from '../../storage/contract.ts'
import { identityRoot } from './root.ts'

export const adminRecordKey = `${identityRoot}admin-key`

/** What the replicas know of the administrator's key. Its value is nowhere in the store. */
export interface AdminRecord {
  /** SHA-256 in base64. */
  readonly hash: string
  /** Where its value is: machine and file. */
  readonly madeBy: string
  readonly madeAtMs: number
}

/** The first one stays. Returns the record that counts, which may be another's. */
export async function agreeOnAdmin(store: Store, proposed: AdminRecord): Promise<AdminRecord> {
  const known = await store.get(adminRecordKey)
  if (known !== undefined) return readAdminRecord(known.value)
  const result = await store.create(adminRecordKey, encoded(proposed))
  if (result.outcome === 'written') return proposed
  return result.current === undefined ? agreeOnAdmin(store, proposed) : readAdminRecord(result.current.value)
}

/** The last one counts, on every replica as soon as it hears of it. */
export async function replaceAdmin(store: Store, record: AdminRecord): Promise<void> {
  for (let stored = await store.get(adminRecordKey); ; ) {
    const result =
      stored === undefined
        ? await store.create(adminRecordKey, encoded(record))
        : await store.update(adminRecordKey, encoded(record), stored.revision)
    if (result.outcome === 'written') return
    stored = result.current
  }
}

export function readAdminRecord(value: Uint8Array): AdminRecord {
  const { hash, madeBy, madeAtMs } = parsed(value)
  if (typeof hash === 'string' && typeof madeBy === 'string' && typeof madeAtMs === 'number') {
    return { hash, madeBy, madeAtMs }
  }
  throw new Error(
    `the record of the administrator's key in the store (${adminRecordKey}) cannot be read: make a new one with tenant platform reset-admin-key`,
  )
}

function encoded(record: AdminRecord): Buffer {
  return Buffer.from(JSON.stringify(record))
}

function parsed(value: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(Buffer.from(value).toString())
    return isJsonObject(found) ? found : {}
  } catch {
    return {}
  }
}
