import type { KeyScope } from '../../api/access.ts'
import type { KeyOwner, SessionOrigin } from './contract.ts'
import { endOfKeyMs, lastPartBeginsMs, unstoredMs } from './expiry.ts'

/**
 * A key in memory. There may be a million of them, so equal parts are shared, and what few keys have is kept apart.
 * A time that is not known lies infinitely far back.
 */
export interface KeyEntry {
  readonly name: string
  readonly uid: string
  owner: KeyOwner
  groups: readonly string[]
  type: string
  scope: KeyScope | undefined
  session: SessionOrigin | undefined
  keyId: string
  /** Row of the current value's digest; -1 when another key has the same value. */
  row: number
  previous: PreviousEntry | undefined
  state: 'enabled' | 'disabled' | 'deleted' | 'removed'
  createdAtMs: number
  issuedAtMs: number
  ttlSeconds: number
  ttlAfterLastActivity: boolean
  hasExpired: boolean
  /** The last use that the store has. */
  storedMs: number
  /** Absent until this process sees a use. */
  activity: KeyActivity | undefined
  /** The earliest time for which the entry stands in the expiry queue. */
  armedMs: number
  /** The end that has been announced. */
  announcedMs: number
  /** The end that has been warned of. */
  warnedMs: number
}

/** The value before a rotation. */
export interface PreviousEntry {
  readonly keyId: string
  readonly row: number
  readonly validUntilMs: number
}

/** What this process has seen of a key. */
export interface KeyActivity {
  lastMs: number
  lastFrom: string
  /** The last use that was handed out to be stored, and when that was. */
  flushedMs: number
  flushedAtMs: number
  /** Waits to be handed out. */
  dirty: boolean
}

/** When something was that never was. */
export const never = Number.NEGATIVE_INFINITY

export function lastActivityMs({ activity, storedMs }: KeyEntry): number | undefined {
  const last = Math.max(activity?.lastMs ?? never, storedMs)
  return last === never ? undefined : last
}

/** When the key ends by itself; Infinity: never. */
export function endMs(entry: KeyEntry, maxLifetimeSeconds: number): number {
  const ownMs = endOfKeyMs(entry, latestUseMs(entry), maxLifetimeSeconds)
  return entry.session === undefined ? ownMs : Math.min(ownMs, entry.session.latestEndMs)
}

/** A session whose value is a bearer token, made for one connection. */
export function isConnectionKey({ session }: Pick<KeyEntry, 'session'>): boolean {
  return session?.connectionWithin !== undefined
}

/** When the last part of the key's life begins, before the given end. Connection keys are replaced unasked, so that none is told. */
export function nearEndMs(entry: KeyEntry, endMs: number): number {
  if (isConnectionKey(entry)) return endMs
  return endMs === Number.POSITIVE_INFINITY ? endMs : lastPartBeginsMs(entry, lastActivityMs(entry), endMs)
}

/** What this process stored itself is exact; of what others stored, a later use may not have been stored yet. */
function latestUseMs({ createdAtMs, activity, storedMs, ttlSeconds }: KeyEntry): number {
  const seenMs = activity?.lastMs ?? createdAtMs
  const isOwn = activity !== undefined && storedMs <= activity.flushedMs
  const storedLatestMs = isOwn ? storedMs : storedMs + unstoredMs(ttlSeconds)
  return Math.max(storedLatestMs, seenMs)
}
