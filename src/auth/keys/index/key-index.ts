import type {
  DormantKey,
  DormantKeys,
  DueExpiry,
  DueFlush,
  KeyCheck,
  KeyHash,
  KeyIndex,
  KeyIndexOptions,
  KeyOwner,
  KeyRecord,
  KeyValueName,
  KnownKey,
  NearEnd,
  PreviousUser,
  RevocationReason,
} from '../contract.ts'
import { ActivityQueue } from './activity-queue.ts'
import { ExpiryQueue } from './expiry-queue.ts'
import { KeyChecks } from './key-checks.ts'
import { endMs, isConnectionKey, type KeyEntry, lastActivityMs, nearEndMs, never } from './key-entry.ts'
import { digestOf, KeyTable } from './key-table.ts'
import { KnownSessions } from './known-sessions.ts'
import { PreviousUsers } from './previous-users.ts'
import { KeysUnconfirmed, Revocations } from './revocations.ts'

export function createKeyIndex(options: KeyIndexOptions): KeyIndex {
  return createLazyKeyIndex(options, (record: KeyRecord) => record)
}

/** Creates an index that reads keys existing at the start when they are first needed. */
export function createLazyKeyIndex<Source>(
  options: KeyIndexOptions,
  read: (source: Source) => KeyRecord,
): KeyIndex & DormantKeys<Source> {
  return new MemoryKeyIndex(options, read)
}

/** The largest difference between the clocks of replicas. */
const clocksApartMs = 60_000
/** Limit of dormant keys woken at a time, so that requests do not wait long. */
const wakesAtATime = 1_000

class MemoryKeyIndex<Source> implements KeyIndex, DormantKeys<Source> {
  readonly #maxLifetimeSeconds: number
  readonly #keys: KeyTable<Source>
  readonly #checks: KeyChecks<Source>
  readonly #activity = new ActivityQueue()
  readonly #expiries = new ExpiryQueue<KeyEntry>()
  /** Rows of dormant keys, by the time until which they sleep. */
  readonly #sleepers = new ExpiryQueue<number>()
  #nearEnds: NearEnd[] = []
  readonly #revocations = new Revocations()
  readonly #previousUsers = new PreviousUsers()
  #isSuspended = false
  readonly #sessions = new KnownSessions()
  /** With the time from which they may be deleted. */
  readonly #endedSessions = new Map<KnownKey, number>()

  constructor({ maxLifetimeSeconds = 0, compileScope }: KeyIndexOptions, read: (source: Source) => KeyRecord) {
    this.#maxLifetimeSeconds = maxLifetimeSeconds
    this.#keys = new KeyTable({ compileScope, read, onWake: (entry) => this.#arm(entry) })
    this.#checks = new KeyChecks(this.#keys, maxLifetimeSeconds)
  }

  get size(): number {
    return this.#keys.size
  }

  addDormant(key: DormantKey, source: Source): boolean {
    const row = this.#keys.addDormant(key, source)
    if (row >= 0 && Number.isFinite(key.asleepUntilMs)) this.#sleepers.push(key.asleepUntilMs, row)
    return row >= 0
  }

  upsert(record: KeyRecord): void {
    const known = this.#keys.get(record.uid)
    if (known !== undefined) this.#update(known, record)
    this.#arm(known ?? this.#insert(record))
  }

  #insert(record: KeyRecord): KeyEntry {
    const entry = this.#keys.insert(record)
    this.#sessions.add(entry)
    return entry
  }

  #update(entry: KeyEntry, record: KeyRecord): void {
    this.#sessions.remove(entry)
    for (const { reason, keyId } of this.#keys.update(entry, record)) {
      if (keyId === undefined) this.#revokeKey(entry.uid, reason)
      else this.#revokeValue(entry.uid, keyId, reason)
    }
    this.#sessions.add(entry)
    if (entry.previous === undefined) this.#previousUsers.forget(entry.uid)
  }

  remove(uid: string): void {
    const entry = this.#keys.get(uid)
    if (entry === undefined) return
    this.#keys.remove(entry)
    this.#sessions.remove(entry)
    this.#revokeKey(uid, 'deleted')
    this.#previousUsers.forget(uid)
  }

  /** Whatever ends a key ends the sessions started with it, for good. */
  #revokeKey(uid: string, reason: RevocationReason): void {
    this.#revocations.revokeKey(uid, reason)
    for (const session of this.#sessions.startedWith(uid)) this.#endSession(session, reason)
  }

  #revokeValue(uid: string, keyId: string, reason: RevocationReason): void {
    this.#revocations.revokeValue(uid, keyId, reason)
    for (const session of this.#sessions.startedWith(uid)) {
      const startedWith = session.session?.startedWith
      if (startedWith?.kind === 'key' && startedWith.keyId === keyId) this.#endSession(session, reason)
    }
  }

  #endSession(session: KeyEntry, reason: RevocationReason): void {
    this.#revocations.revokeKey(session.uid, reason)
    if (session.session !== undefined) session.session = { ...session.session, latestEndMs: 0 }
    this.#endedSessions.set(session, never)
  }

  sessionsOf(owner: KeyOwner): readonly KnownKey[] {
    return this.#sessions.of(owner).filter((session) => session.type === 'Login' && !isConnectionKey(session))
  }

  connectionKeysOf(owner: KeyOwner): readonly KnownKey[] {
    return this.#sessions.of(owner).filter(isConnectionKey)
  }

  takeEndedSessions(nowMs: number): readonly KnownKey[] {
    const taken = [...this.#endedSessions].flatMap(([session, fromMs]) => (fromMs <= nowMs ? [session] : []))
    for (const session of taken) this.#endedSessions.delete(session)
    return taken
  }

  endedSessions(nowMs: number): readonly KnownKey[] {
    return [...this.#sessions.all()].filter((session) => this.#checks.checkedSession(session, nowMs).state !== 'valid')
  }

  find(uid: string): KnownKey | undefined {
    return this.#keys.get(uid)
  }

  has(uid: string): boolean {
    return this.#keys.has(uid)
  }

  ownerOfHash(hash: KeyHash): KnownKey | undefined {
    return this.#keys.atRow(this.#keys.rowOf(digestOf(hash)))
  }

  check(token: string, clockMs: number): KeyCheck {
    return this.#checks.check(token, clockMs)
  }

  checkSession(hash: KeyHash, clockMs: number): KeyCheck {
    return this.#checks.checkSession(hash, clockMs)
  }

  expiresAtMs(uid: string): number | undefined {
    const entry = this.#keys.get(uid)
    const end = entry === undefined ? Number.POSITIVE_INFINITY : this.#checks.endMs(entry)
    return Number.isFinite(end) ? end : undefined
  }

  touch(uid: string, nowMs: number, from: string): boolean {
    const entry = this.#keys.awake(uid)
    return entry !== undefined && this.#activity.note(entry, nowMs, from)
  }

  lastActivityMs(uid: string): number | undefined {
    const entry = this.#keys.get(uid)
    return entry && lastActivityMs(entry)
  }

  lastUsedFrom(uid: string): string | undefined {
    return this.#keys.awake(uid)?.activity?.lastFrom
  }

  dueFlushes(nowMs: number): readonly DueFlush[] {
    return this.#activity.due(nowMs)
  }

  allFlushes(nowMs: number): readonly DueFlush[] {
    return this.#activity.all(nowMs)
  }

  notePreviousUser(uid: string, nowMs: number, from: string, userAgent: string): void {
    if (this.#keys.awake(uid)?.previous !== undefined) this.#previousUsers.note(uid, nowMs, from, userAgent)
  }

  previousUsers(uid: string): readonly PreviousUser[] {
    return this.#previousUsers.of(uid)
  }

  revokedSignal(uid: string, keyId: string, madeWith?: KeyValueName): AbortSignal {
    const entry = this.#keys.get(uid)
    if (entry === undefined || !this.#checks.isGood(entry, keyId)) return AbortSignal.abort()
    if (this.#isSuspended) return AbortSignal.abort(new KeysUnconfirmed())
    const endsWith = madeWith && this.revokedSignal(madeWith.uid, madeWith.keyId)
    return endsWith?.aborted === true ? endsWith : this.#revocations.signal(uid, keyId, endsWith)
  }

  isRevoked(uid: string, keyId: string, madeWith?: KeyValueName): boolean {
    const entry = this.#keys.get(uid)
    if (this.#isSuspended || entry === undefined || !this.#checks.isGood(entry, keyId)) return true
    return madeWith !== undefined && this.isRevoked(madeWith.uid, madeWith.keyId)
  }

  get hasOpen(): boolean {
    return !this.#revocations.isEmpty
  }

  suspend(): void {
    this.#isSuspended = true
    this.#revocations.cutAll(new KeysUnconfirmed())
  }

  resume(): void {
    this.#isSuspended = false
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

  takeExpired(nowMs: number): readonly DueExpiry[] {
    this.#wakeSleepers(nowMs)
    const expired: DueExpiry[] = []
    for (let next = this.#expiries.popUntil(nowMs); next !== undefined; next = this.#expiries.popUntil(nowMs)) {
      const { item: entry, atMs } = next
      if (entry.state === 'removed' || entry.armedMs !== atMs) continue
      entry.armedMs = Number.POSITIVE_INFINITY
      expired.push(...this.#endedOf(entry, nowMs))
      this.#arm(entry)
    }
    return expired
  }

  takeNearEnds(): readonly NearEnd[] {
    const taken = this.#nearEnds
    this.#nearEnds = []
    return taken
  }

  /** Once awake, they are in the queue like other keys, with their exact end. */
  #wakeSleepers(nowMs: number): void {
    for (let count = 0; count < wakesAtATime; count++) {
      const next = this.#sleepers.popUntil(nowMs)
      if (next === undefined) return
      this.#keys.wake(next.item)
    }
  }

  #endedOf(entry: KeyEntry, nowMs: number): readonly DueExpiry[] {
    const { uid, name, previous } = entry
    const ended: DueExpiry[] = []
    if (previous !== undefined && nowMs >= previous.validUntilMs) {
      this.#keys.endPrevious(entry)
      this.#previousUsers.forget(uid)
      this.#revokeValue(uid, previous.keyId, 'value-replaced')
      ended.push({ uid, name, what: 'value' })
    }
    const end = endMs(entry, this.#maxLifetimeSeconds)
    if (nowMs >= end && end !== entry.announcedMs) {
      entry.announcedMs = end
      this.#expire(entry, nowMs)
      if (entry.session !== undefined) this.#endedSessions.set(entry, this.#goesFromMs(entry, end))
      ended.push({ uid, name, what: 'key' })
    }
    this.#warn(entry, end, nowMs)
    return ended
  }

  /**
   * The next connection key replaces an expired one, so open connections continue: they end with the key that both were
   * made with.
   */
  #expire(entry: KeyEntry, nowMs: number): void {
    const hasEndedItself = isConnectionKey(entry) && entry.session?.latestEndMs !== 0
    if (hasEndedItself) this.#revocations.forget(entry.uid, nowMs)
    else this.#revokeKey(entry.uid, 'expired')
  }

  /** Other replicas must see it expire before it is deleted, or they would cut open connections. */
  #goesFromMs(entry: KeyEntry, end: number): number {
    return isConnectionKey(entry) ? end + clocksApartMs : never
  }

  #warn(entry: KeyEntry, end: number, nowMs: number): void {
    const isNear = nowMs < end && nowMs >= nearEndMs(entry, end)
    if (!isNear || end === entry.warnedMs) return
    entry.warnedMs = end
    if (entry.state !== 'deleted') this.#nearEnds.push({ uid: entry.uid, name: entry.name, endMs: end })
  }

  /** An entry is in the queue at its next end or earlier. An earlier time only causes a check without effect. */
  #arm(entry: KeyEntry): void {
    const end = endMs(entry, this.#maxLifetimeSeconds)
    const next = Math.min(nextOf(entry, end), endOfPrevious(entry))
    if (next >= entry.armedMs || next === Number.POSITIVE_INFINITY) return
    entry.armedMs = next
    this.#expiries.push(next, entry)
  }
}

/**
 * The next of two events: the beginning of the last part of the key's life, and its end. Infinity: both were reported.
 */
function nextOf(entry: KeyEntry, end: number): number {
  if (end === entry.announcedMs) return Number.POSITIVE_INFINITY
  return end === entry.warnedMs ? end : nearEndMs(entry, end)
}

function endOfPrevious({ previous }: KeyEntry): number {
  return previous?.validUntilMs ?? Number.POSITIVE_INFINITY
}
