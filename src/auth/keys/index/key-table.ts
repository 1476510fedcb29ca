import type { DormantKey, KeyIndexOptions, KeyRecord, PreviousValue, RevocationReason } from '../contract.ts'
import { DigestTable } from './digest-table.ts'
import { DormantRows } from './dormant-rows.ts'
import { type KeyEntry, never, type PreviousEntry } from './key-entry.ts'
import { type Parts, SharedParts } from './shared-parts.ts'

/** What a change voids: the whole key, or the value with this id. */
export interface Voided {
  readonly reason: RevocationReason
  readonly keyId?: string
}

export interface KeyTableOptions<Source> extends Pick<KeyIndexOptions, 'compileScope'> {
  readonly read: (source: Source) => KeyRecord
  /** Called when a dormant key has become an entry. */
  readonly onWake: (entry: KeyEntry) => void
}

/** All keys by uid, and by the digests of their values. A dormant key wakes up when it is looked up. */
export class KeyTable<Source> {
  readonly #options: KeyTableOptions<Source>
  readonly #byUid = new Map<string, KeyEntry>()
  readonly #digests = new DigestTable()
  readonly #byRow: (KeyEntry | undefined)[] = []
  readonly #dormant = new DormantRows<Source>()
  readonly #parts: SharedParts

  constructor(options: KeyTableOptions<Source>) {
    this.#options = options
    this.#parts = new SharedParts(options.compileScope)
  }

  get size(): number {
    return this.#byUid.size + this.#dormant.size
  }

  get(uid: string): KeyEntry | undefined {
    return this.#byUid.get(uid) ?? this.#wakeByUid(uid)
  }

  /** Does not wake dormant keys, so another key's uid may be mistaken for that of a dormant key. */
  has(uid: string): boolean {
    return this.#byUid.has(uid) || this.#dormant.rowOf(uid) !== undefined
  }

  /** A key that was looked up since it was added. */
  awake(uid: string): KeyEntry | undefined {
    return this.#byUid.get(uid)
  }

  /** The row of the key, or -1 if it was not added. */
  addDormant({ uid, hash }: DormantKey, source: Source): number {
    const digest = digestOf(hash)
    const isKnown = this.#digests.find(digest) >= 0 || this.#byUid.has(uid) || this.#dormant.rowOf(uid) !== undefined
    if (isKnown) return -1
    const row = this.#digests.add(digest)
    this.#byRow[row] = undefined
    this.#dormant.add(row, uid, source)
    return row
  }

  /** The entry, if the row is that of a dormant key. */
  wake(row: number): KeyEntry | undefined {
    const source = this.#dormant.at(row)
    if (source === undefined) return undefined
    const record = this.#options.read(source)
    this.#dormant.remove(row, record.uid)
    const entry = this.#enter(record)
    this.#byRow[row] = entry
    entry.row = row
    this.#options.onWake(entry)
    return entry
  }

  /** What looks like the uid of a dormant key may belong to another key. */
  #wakeByUid(uid: string): KeyEntry | undefined {
    const row = this.#dormant.rowOf(uid)
    const entry = row === undefined ? undefined : this.wake(row)
    return entry?.uid === uid ? entry : undefined
  }

  /** The row of a value, or -1. */
  rowOf(digest: string): number {
    return this.#digests.find(digest)
  }

  atRow(row: number): KeyEntry | undefined {
    return this.#byRow[row] ?? this.wake(row)
  }

  insert(record: KeyRecord): KeyEntry {
    const entry = this.#enter(record)
    entry.row = this.#rowFor(entry, record.hash)
    entry.previous = record.previous && this.#previousEntry(entry, record.previous)
    return entry
  }

  #enter(record: KeyRecord): KeyEntry {
    const entry = newEntry(record, this.#parts.hold(record))
    this.#byUid.set(record.uid, entry)
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

  /** Returns the values that the change voids. */
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

/** Bytes as characters, as the digest table needs them. */
export function digestOf(hash: string): string {
  return decoded.toString('latin1', 0, decoded.write(hash, 'base64url'))
}

function voidReason(entry: KeyEntry, record: KeyRecord, parts: Parts): RevocationReason | undefined {
  if (record.deletionRequested) return 'deleted'
  if (record.disabled) return 'disabled'
  if (parts.scope !== entry.scope) return 'scope-changed'
  return parts.owner === entry.owner && parts.groups === entry.groups ? undefined : 'owner-changed'
}

/** Field by field, because there may be a million at the start. */
function newEntry(record: KeyRecord, { owner, groups, type, scope }: Parts): KeyEntry {
  return {
    name: record.name,
    uid: record.uid,
    owner,
    groups,
    type,
    scope,
    session: record.session,
    keyId: record.keyId,
    row: -1,
    previous: undefined,
    state: stateOf(record),
    createdAtMs: record.createdAtMs,
    issuedAtMs: record.issuedAtMs ?? record.createdAtMs,
    ttlSeconds: record.ttlSeconds,
    ttlAfterLastActivity: record.ttlAfterLastActivity,
    hasExpired: record.hasExpired === true,
    storedMs: record.lastActivityMs ?? never,
    activity: undefined,
    armedMs: Number.POSITIVE_INFINITY,
    announcedMs: never,
    warnedMs: never,
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
    hasExpired: record.hasExpired === true,
    storedMs: lastActivityMs ?? never,
  }
}

function stateOf({ deletionRequested, disabled }: KeyRecord): KeyEntry['state'] {
  if (deletionRequested) return 'deleted'
  return disabled ? 'disabled' : 'enabled'
}
