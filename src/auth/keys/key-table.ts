import type { KeyIndexOptions, KeyRecord, PreviousValue, RevocationReason } from './contract.ts'
import { DigestTable } from './digest-table.ts'
import { type KeyEntry, never, type PreviousEntry } from './key-entry.ts'
import { type Parts, SharedParts } from './shared-parts.ts'

/** What a change makes void: the whole key, or the value with this id. */
export interface Voided {
  readonly reason: RevocationReason
  readonly keyId?: string
}

/** All keys by uid, and by the digests of their values. */
export class KeyTable {
  readonly #byUid = new Map<string, KeyEntry>()
  readonly #digests = new DigestTable()
  readonly #byRow: (KeyEntry | undefined)[] = []
  readonly #parts: SharedParts

  constructor({ compileScope }: Pick<KeyIndexOptions, 'compileScope'>) {
    this.#parts = new SharedParts(compileScope)
  }

  get size(): number {
    return this.#byUid.size
  }

  get(uid: string): KeyEntry | undefined {
    return this.#byUid.get(uid)
  }

  /** The row of a value, or -1. */
  rowOf(digest: string): number {
    return this.#digests.find(digest)
  }

  atRow(row: number): KeyEntry | undefined {
    return this.#byRow[row]
  }

  insert(record: KeyRecord): KeyEntry {
    const entry = newEntry(record, this.#parts.hold(record))
    this.#byUid.set(record.uid, entry)
    entry.row = this.#rowFor(entry, record.hash)
    entry.previous = record.previous && this.#previousEntry(entry, record.previous)
    return entry
  }

  update(entry: KeyEntry, record: KeyRecord): readonly Voided[] {
    const parts = this.#parts.hold(record)
    const reason = voidReason(entry, record, parts)
    this.#parts.release(entry)
    Object.assign(entry, parts, changingFields(record))
    const gone = this.#setValues(entry, record)
    return reason === undefined ? gone : [{ reason }]
  }

  remove(entry: KeyEntry): void {
    this.#byUid.delete(entry.uid)
    this.#parts.release(entry)
    this.#freeRow(entry.row)
    this.endPrevious(entry)
    entry.state = 'removed'
  }

  endPrevious(entry: KeyEntry): void {
    if (entry.previous !== undefined) this.#freeRow(entry.previous.row)
    entry.previous = undefined
  }

  /** The values that are gone by it. */
  #setValues(entry: KeyEntry, { keyId, hash, previous }: KeyRecord): readonly Voided[] {
    const before = [{ keyId: entry.keyId, row: entry.row }, ...(entry.previous === undefined ? [] : [entry.previous])]
    entry.keyId = keyId
    entry.row = this.#rowFor(entry, hash)
    entry.previous = previous && this.#previousEntry(entry, previous)
    const gone = before.filter(({ row }) => row >= 0 && row !== entry.row && row !== entry.previous?.row)
    for (const { row } of gone) this.#freeRow(row)
    return gone.map((value) => ({ keyId: value.keyId, reason: 'value-replaced' }))
  }

  #previousEntry(entry: KeyEntry, { keyId, hash, validUntilMs }: PreviousValue): PreviousEntry {
    return { keyId, row: this.#rowFor(entry, hash), validUntilMs }
  }

  /** A value belongs to the key that had it first. */
  #rowFor(entry: KeyEntry, hash: string): number {
    const digest = digestOf(hash)
    const known = this.#digests.find(digest)
    if (known >= 0) return this.#byRow[known] === entry ? known : -1
    const row = this.#digests.add(digest)
    this.#byRow[row] = entry
    return row
  }

  #freeRow(row: number): void {
    if (row < 0) return
    this.#digests.remove(row)
    this.#byRow[row] = undefined
  }
}

const decoded = Buffer.alloc(64)

/** Bytes as characters: what the table of digests works with. */
export function digestOf(hash: string): string {
  return decoded.toString('latin1', 0, decoded.write(hash, 'base64url'))
}

function voidReason(entry: KeyEntry, record: KeyRecord, parts: Parts): RevocationReason | undefined {
  if (record.deletionRequested) return 'deleted'
  if (record.disabled) return 'disabled'
  if (parts.scope !== entry.scope) return 'scope-changed'
  return parts.owner === entry.owner && parts.groups === entry.groups ? undefined : 'owner-changed'
}

/** Field by field: at the start there may be a million. */
function newEntry(record: KeyRecord, { owner, groups, type, scope }: Parts): KeyEntry {
  return {
    name: record.name,
    uid: record.uid,
    owner,
    groups,
    type,
    scope,
    keyId: record.keyId,
    row: -1,
    previous: undefined,
    state: stateOf(record),
    createdAtMs: record.createdAtMs,
    issuedAtMs: record.issuedAtMs ?? record.createdAtMs,
    ttlSeconds: record.ttlSeconds,
    ttlAfterLastActivity: record.ttlAfterLastActivity,
    storedMs: record.lastActivityMs ?? never,
    activity: undefined,
    armedMs: Number.POSITIVE_INFINITY,
    announcedMs: never,
  }
}

function changingFields(record: KeyRecord) {
  const { createdAtMs, issuedAtMs = createdAtMs, ttlSeconds, ttlAfterLastActivity, lastActivityMs } = record
  return {
    state: stateOf(record),
    createdAtMs,
    issuedAtMs,
    ttlSeconds,
    ttlAfterLastActivity,
    storedMs: lastActivityMs ?? never,
  }
}

function stateOf({ deletionRequested, disabled }: KeyRecord): KeyEntry['state'] {
  if (deletionRequested) return 'deleted'
  return disabled ? 'disabled' : 'enabled'
}
