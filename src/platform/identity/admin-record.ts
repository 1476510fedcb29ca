import { idOfHash } from '../../auth/keys/key-value.ts'
import { asJson, asMembers } from '../../base/json/lenient.ts'
import type { Store } from '../../storage/contract.ts'
import { identityRoot } from './root.ts'

export const adminRecordKey = `${identityRoot}admin-key`

/** What the replicas know of the administrator's key. Its value is nowhere in the store. */
export interface AdminRecord {
  /** SHA-256 in base64. */
  readonly hash: string
  /** The public part of the value. Absent: it follows from the hash. */
  readonly keyId?: string
  /** Where its value is: machine and file. */
  readonly madeBy: string
  readonly madeAtMs: number
  /** Its access key was made. What became of that since is the business of those who manage access keys. */
  readonly isMade?: boolean
  /** Names of the access keys of records before it, which are to go. */
  readonly replaced?: readonly string[]
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
  await writeAdmin(store, record, (known) =>
    inPlaceOf(known, { ...record, madeAtMs: Math.max(record.madeAtMs, known.madeAtMs + 1) }),
  )
}

/** The newer one counts: a record that an operator keeps elsewhere brings no key back that was replaced. */
export function agreeOnNewerAdmin(store: Store, proposed: AdminRecord): Promise<AdminRecord> {
  return writeAdmin(store, proposed, (known) =>
    known.madeAtMs < proposed.madeAtMs ? inPlaceOf(known, proposed) : undefined,
  )
}

/** Its access key is there, and those before are gone. If another record counts by now, nothing is noted. */
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

/** False: another one has taken its place, or there is none any more. */
export async function isCurrentAdmin(store: Store, { hash }: AdminRecord): Promise<boolean> {
  const stored = await store.get(adminRecordKey)
  return stored !== undefined && readableRecord(stored.value)?.hash === hash
}

/** The name of its access key. No caller knows it before the key is there, so that none can take it. */
export function firstKeyName(record: AdminRecord): string {
  return `admin-${publicIdIn(record).toLowerCase()}`
}

export function publicIdIn({ keyId, hash }: AdminRecord): string {
  return keyId ?? idOfHash(accessKeyHash(hash))
}

/** The hash as access keys have it: the same in other letters. */
export function accessKeyHash(hash: string): string {
  return Buffer.from(hash, 'base64').toString('base64url')
}

const mostReplaced = 100

function inPlaceOf(known: AdminRecord, next: AdminRecord): AdminRecord {
  if (known.hash === next.hash) return { ...known, madeAtMs: next.madeAtMs }
  const before = [...(known.replaced ?? []), firstKeyName(known)].filter((name) => name !== firstKeyName(next))
  return { ...next, replaced: before.slice(-mostReplaced) }
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
