import { hash as digest } from 'node:crypto'
import { ActivityQueue } from './activity-queue.ts'
import type {
  DueFlush,
  Expiry,
  KeyCheck,
  KeyHash,
  KeyIndex,
  KeyIndexOptions,
  KeyOwner,
  KeyRecord,
  KeyUsage,
  KeyUse,
  KnownKey,
  PreviousUser,
} from './contract.ts'
import { ExpiryQueue } from './expiry-queue.ts'
import { endMs, type KeyEntry, lastActivityMs } from './key-entry.ts'
import { digestOf, KeyTable } from './key-table.ts'
import { isMistyped } from './key-value.ts'
import { PreviousUsers } from './previous-users.ts'
import { Revocations } from './revocations.ts'
import { UsageLog } from './usage-log.ts'

export function createKeyIndex(options: KeyIndexOptions): KeyIndex {
  return new MemoryKeyIndex(options)
}

const unknown: KeyCheck = { state: 'unknown' }

class MemoryKeyIndex implements KeyIndex {
  readonly #maxLifetimeSeconds: number
  readonly #keys: KeyTable
  readonly #activity = new ActivityQueue()
  readonly #expiries = new ExpiryQueue<KeyEntry>()
  readonly #revocations = new Revocations()
  readonly #previousUsers = new PreviousUsers()
  readonly #usage = new UsageLog()

  constructor(options: KeyIndexOptions) {
    this.#maxLifetimeSeconds = options.maxLifetimeSeconds ?? 0
    this.#keys = new KeyTable(options)
  }

  get size(): number {
    return this.#keys.size
  }

  upsert(record: KeyRecord): void {
    const known = this.#keys.get(record.uid)
    if (known !== undefined) this.#update(known, record)
    this.#arm(known ?? this.#keys.insert(record))
  }

  #update(entry: KeyEntry, record: KeyRecord): void {
    for (const { reason, keyId } of this.#keys.update(entry, record)) {
      if (keyId === undefined) this.#revocations.revokeKey(entry.uid, reason)
      else this.#revocations.revokeValue(entry.uid, keyId, reason)
    }
    if (entry.previous === undefined) this.#previousUsers.forget(entry.uid)
  }

  remove(uid: string): void {
    const entry = this.#keys.get(uid)
    if (entry === undefined) return
    this.#keys.remove(entry)
    this.#revocations.revokeKey(uid, 'deleted')
    this.#previousUsers.forget(uid)
    this.#usage.forget(uid)
  }

  find(uid: string): KnownKey | undefined {
    return this.#keys.get(uid)
  }

  ownerOfHash(hash: KeyHash): KnownKey | undefined {
    return this.#keys.atRow(this.#keys.rowOf(digestOf(hash)))
  }

  check(token: string, nowMs: number): KeyCheck {
    if (isMistyped(token)) return unknown
    const row = this.#keys.rowOf(digest('sha256', token, 'binary'))
    const key = row < 0 ? undefined : this.#keys.atRow(row)
    if (key === undefined) return unknown
    const previous = row === key.row ? undefined : key.previous
    if (previous !== undefined && nowMs >= previous.validUntilMs) return unknown
    if (key.state === 'deleted' || key.state === 'disabled') return { state: key.state, key }
    if (nowMs >= endMs(key, this.#maxLifetimeSeconds)) return { state: 'expired', key }
    const value = { which: previous === undefined ? 'current' : 'previous', keyId: (previous ?? key).keyId } as const
    return { state: 'valid', key, value }
  }

  expiresAtMs(uid: string): number | undefined {
    const entry = this.#keys.get(uid)
    const end = entry === undefined ? Number.POSITIVE_INFINITY : endMs(entry, this.#maxLifetimeSeconds)
    return Number.isFinite(end) ? end : undefined
  }

  touch(uid: string, nowMs: number, from: string): boolean {
    const entry = this.#keys.get(uid)
    return entry !== undefined && this.#activity.note(entry, nowMs, from)
  }

  lastActivityMs(uid: string): number | undefined {
    const entry = this.#keys.get(uid)
    return entry && lastActivityMs(entry)
  }

  lastUsedFrom(uid: string): string | undefined {
    return this.#keys.get(uid)?.activity?.lastFrom
  }

  dueFlushes(nowMs: number): readonly DueFlush[] {
    return this.#activity.due(nowMs)
  }

  allFlushes(nowMs: number): readonly DueFlush[] {
    return this.#activity.all(nowMs)
  }

  notePreviousUser(uid: string, nowMs: number, from: string, userAgent: string): void {
    if (this.#keys.get(uid)?.previous !== undefined) this.#previousUsers.note(uid, nowMs, from, userAgent)
  }

  previousUsers(uid: string): readonly PreviousUser[] {
    return this.#previousUsers.of(uid)
  }

  recordUse(uid: string, use: KeyUse, nowMs: number): void {
    if (this.#keys.get(uid) !== undefined) this.#usage.record(uid, use, nowMs)
  }

  usage(uid: string): KeyUsage {
    return this.#usage.of(uid)
  }

  revokedSignal(uid: string, keyId: string): AbortSignal {
    const entry = this.#keys.get(uid)
    if (entry === undefined || !this.#isGood(entry, keyId)) return AbortSignal.abort()
    return this.#revocations.signal(uid, keyId)
  }

  openOwners(): readonly KeyOwner[] {
    const owners = [...this.#revocations.uids()].flatMap((uid) => this.#keys.get(uid)?.owner ?? [])
    return [...new Set(owners)]
  }

  ownerChanged(owner: KeyOwner, reason: 'owner-locked' | 'owner-gone' | 'owner-changed'): void {
    for (const uid of this.#revocations.uids()) {
      const known = this.#keys.get(uid)?.owner
      if (known?.kind === owner.kind && known.name === owner.name) this.#revocations.revokeKey(uid, reason)
    }
  }

  nextExpiryMs(): number | undefined {
    return this.#expiries.earliestMs
  }

  takeExpired(nowMs: number): readonly Expiry[] {
    const expired: Expiry[] = []
    for (let next = this.#expiries.popUntil(nowMs); next !== undefined; next = this.#expiries.popUntil(nowMs)) {
      const { item: entry, atMs } = next
      if (entry.state === 'removed' || entry.armedMs !== atMs) continue
      entry.armedMs = Number.POSITIVE_INFINITY
      expired.push(...this.#endedOf(entry, nowMs))
      this.#arm(entry)
    }
    return expired
  }

  #endedOf(entry: KeyEntry, nowMs: number): readonly Expiry[] {
    const { uid, name, previous } = entry
    const ended: Expiry[] = []
    if (previous !== undefined && nowMs >= previous.validUntilMs) {
      this.#keys.endPrevious(entry)
      this.#previousUsers.forget(uid)
      this.#revocations.revokeValue(uid, previous.keyId, 'value-replaced')
      ended.push({ uid, name, what: 'value' })
    }
    const end = endMs(entry, this.#maxLifetimeSeconds)
    if (nowMs >= end && end !== entry.announcedMs) {
      entry.announcedMs = end
      this.#revocations.revokeKey(uid, 'expired')
      ended.push({ uid, name, what: 'key' })
    }
    return ended
  }

  /** An entry stands in the queue for no later than its next end. An earlier time is only looked at in vain. */
  #arm(entry: KeyEntry): void {
    const end = endMs(entry, this.#maxLifetimeSeconds)
    const next = Math.min(end === entry.announcedMs ? Number.POSITIVE_INFINITY : end, endOfPrevious(entry))
    if (next >= entry.armedMs || next === Number.POSITIVE_INFINITY) return
    entry.armedMs = next
    this.#expiries.push(next, entry)
  }

  #isGood(entry: KeyEntry, keyId: string): boolean {
    const isCurrent = keyId === entry.keyId || keyId === entry.previous?.keyId
    return isCurrent && entry.state === 'enabled' && entry.announcedMs !== endMs(entry, this.#maxLifetimeSeconds)
  }
}

function endOfPrevious({ previous }: KeyEntry): number {
  return previous?.validUntilMs ?? Number.POSITIVE_INFINITY
}
