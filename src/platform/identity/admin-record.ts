import { idOfHash } from '../../auth/keys/values/key-value.ts'
import { asJson, asMembers } from '../../base/json/lenient.ts'
import type { Store } from '../../storage/contract.ts'
import { identityRoot } from './root.ts'

export const adminRecordKey = `${identityRoot}admin-key`

/** The replicas' shared knowledge of the administrator's key. The store never contains its value. */
export interface AdminRecord {
  /** SHA-256 in base64. */
  readonly hash: string
  /** The public part of the value. Absent: it is derived from the hash. */
  readonly keyId?: string
  /** The machine and the file that hold the value. */
  readonly madeBy: string
  readonly madeAtMs: number
  /** Whether the access key was created. From then on, only those who manage access keys decide about it. */
  readonly isMade?: boolean
  /** Names of access keys that belong to earlier records and must be deleted. */
  readonly replaced?: readonly string[]
}

/** The first record wins. Returns the record in force, which may come from another replica. */
export async function agreeOnAdmin(store: Store, proposed: AdminRecord): Promise<AdminRecord> {
  const known = await store.get(adminRecordKey)
  if (known !== undefined) return readAdminRecord(known.value)
  const result = await store.create(adminRecordKey, encoded(proposed))
  if (result.outcome === 'written') return proposed
  return result.current === undefined ? agreeOnAdmin(store, proposed) : readAdminRecord(result.current.value)
}

/**
 * The last record wins, on every replica as soon as it learns of it, and its time is later than that of the previous
 * one whatever the clocks say.
 */
export async function replaceAdmin(store: Store, record: AdminRecord): Promise<void> {
  await writeAdmin(store, record, (known) =>
    inPlaceOf(known, { ...record, madeAtMs: Math.max(record.madeAtMs, known.madeAtMs + 1) }),
  )
}

/** The newer record wins: a record that an operator keeps elsewhere does not bring back a key that was replaced. */
export function agreeOnNewerAdmin(store: Store, proposed: AdminRecord): Promise<AdminRecord> {
  return writeAdmin(store, proposed, (known) =>
    known.madeAtMs < proposed.madeAtMs ? inPlaceOf(known, proposed) : undefined,
  )
}

/** Notes that the access key exists and earlier ones are deleted. Does nothing if another record is in force by now. */
export async function noteMade(store: Store, { hash }: AdminRecord): Promise<void> {
  for (let stored = await store.get(adminRecordKey); ; ) {
    const known = stored && readableRecord(stored.value)
    if (stored === undefined || known?.hash !== hash) return
    const { replaced: _, ...made } = { ...known, isMade: true }
    const result = await store.update(adminRecordKey, encoded(made), stored.revision)
    if (result.outcome === 'written') return
    stored = result.current
  }
}

/** False: the record was replaced or deleted. */
export async function isCurrentAdmin(store: Store, { hash }: AdminRecord): Promise<boolean> {
  const stored = await store.get(adminRecordKey)
  return stored !== undefined && readableRecord(stored.value)?.hash === hash
}

/** The name of the record's access key. It cannot be guessed before the key exists, so no caller can take it. */
export function firstKeyName(record: AdminRecord): string {
  return `admin-${publicIdIn(record).toLowerCase()}`
}

export function publicIdIn({ keyId, hash }: AdminRecord): string {
  return keyId ?? idOfHash(accessKeyHash(hash))
}

/** Converts the hash to the encoding that access keys use. */
export function accessKeyHash(hash: string): string {
  return Buffer.from(hash, 'base64').toString('base64url')
}

const mostReplaced = 100

function inPlaceOf(known: AdminRecord, next: AdminRecord): AdminRecord {
  if (known.hash === next.hash) return { ...known, madeAtMs: next.madeAtMs }
  const before = [...(known.replaced ?? []), firstKeyName(known)].filter((name) => name !== firstKeyName(next))
  return { ...next, replaced: before.slice(-mostReplaced) }
}

/**
 * `whenKnown` returns the record to write in place of an existing one, or undefined to keep that one. Returns the
 * record in force.
 */
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

/** Undefined if the record is malformed. */
export function readableRecord(value: Uint8Array): AdminRecord | undefined {
  const { hash, keyId, madeBy, madeAtMs, isMade, replaced } = asMembers(asJson(Buffer.from(value).toString()))
  if (typeof hash !== 'string' || typeof madeBy !== 'string' || typeof madeAtMs !== 'number') return undefined
  return {
    hash,
    ...(typeof keyId === 'string' ? { keyId } : {}),
    madeBy,
    madeAtMs,
    ...(isMade === true ? { isMade } : {}),
    ...(Array.isArray(replaced) ? { replaced: replaced.filter((name) => typeof name === 'string') } : {}),
  }
}

export function readAdminRecord(value: Uint8Array): AdminRecord {
  const record = readableRecord(value)
  if (record !== undefined) return record
  throw new Error(
    `the record of the administrator's key in the store (${adminRecordKey}) cannot be read: make a new one with tenant platform admin reset`,
  )
}

function encoded(record: AdminRecord): Buffer {
  return Buffer.from(JSON.stringify(record))
}
