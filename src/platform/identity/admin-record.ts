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

/** The last one counts, on every replica as soon as it hears of it, and is newer than the one before by every clock. */
export async function replaceAdmin(store: Store, record: AdminRecord): Promise<void> {
  await writeAdmin(store, record, (known) => ({ ...record, madeAtMs: Math.max(record.madeAtMs, known.madeAtMs + 1) }))
}

/** The newer one counts: a record that an operator keeps elsewhere brings no key back that was replaced. */
export function agreeOnNewerAdmin(store: Store, proposed: AdminRecord): Promise<AdminRecord> {
  return writeAdmin(store, proposed, (known) => (known.madeAtMs < proposed.madeAtMs ? proposed : undefined))
}

/** `whenKnown`: what to write in place of a record that is there; undefined: that one stays. Returns what counts then. */
async function writeAdmin(
  store: Store,
  record: AdminRecord,
  whenKnown: (known: AdminRecord) => AdminRecord | undefined,
): Promise<AdminRecord> {
  for (let stored = await store.get(adminRecordKey); ; ) {
    const known = stored === undefined ? undefined : readableRecord(stored.value)
    const next = known === undefined ? record : whenKnown(known)
    if (next === undefined) return known ?? record
    const result =
      stored === undefined
        ? await store.create(adminRecordKey, encoded(next))
        : await store.update(adminRecordKey, encoded(next), stored.revision)
    if (result.outcome === 'written') return next
    stored = result.current
  }
}

/** Undefined where it says nothing clear. */
export function readableRecord(value: Uint8Array): AdminRecord | undefined {
  const { hash, madeBy, madeAtMs } = parsed(value)
  const isRecord = typeof hash === 'string' && typeof madeBy === 'string' && typeof madeAtMs === 'number'
  return isRecord ? { hash, madeBy, madeAtMs } : undefined
}

export function readAdminRecord(value: Uint8Array): AdminRecord {
  const record = readableRecord(value)
  if (record !== undefined) return record
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
