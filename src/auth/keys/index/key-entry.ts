import type { KeyScope } from '../../../api/access.ts'
import type { KeyOwner, SessionOrigin } from '../contract.ts'
import { endOfKeyMs, lastPartBeginsMs, unstoredMs } from './expiry.ts'

/**
 * A key in memory. There may be a million, so equal parts are shared and rare fields are kept separately. An unknown
 * time is infinitely far in the past.
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
  /** The last use according to the store. */
  storedMs: number
  /** Absent until this process sees a use. */
  activity: KeyActivity | undefined
  /** The earliest time at which the entry is in the expiry queue. */
  armedMs: number
  /** The end that was announced. */
  announcedMs: number
  /** The end that was warned about. */
  warnedMs: number
}

/** The previous value. */
export interface PreviousEntry {
  readonly keyId: string
  readonly row: number
  readonly validUntilMs: number
}

/** Uses of a key in this process. */
export interface KeyActivity {
  lastMs: number
  lastFrom: string
  /** The last use that was returned for storing, and when. */
  flushedMs: number
  flushedAtMs: number
  /** Whether a use waits to be returned. */
  dirty: boolean
}

/** The time of something that never happened. */
export const never = Number.NEGATIVE_INFINITY

export function lastActivityMs({ activity, storedMs }: KeyEntry): number | undefined {
  const last = Math.max(activity?.lastMs ?? never, storedMs)
  return last === never ? undefined : last
}

/** When the key ends; Infinity: never. */
export function endMs(entry: KeyEntry, maxLifetimeSeconds: number): number {
  const ownMs = endOfKeyMs(entry, latestUseMs(entry), maxLifetimeSeconds)
  return entry.session === undefined ? ownMs : Math.min(ownMs, entry.session.latestEndMs)
}

/** Whether this is a session whose value is a bearer token, made for one connection. */
export function isConnectionKey({ session }: Pick<KeyEntry, 'session'>): boolean {
  return session?.connectionWithin !== undefined
}

/**
 * When the last part of the key's life begins, before the given end. Connection keys are replaced automatically, so
 * there is no warning.
 */
export function nearEndMs(entry: KeyEntry, endMs: number): number {
  if (isConnectionKey(entry)) return endMs
  return endMs === Number.POSITIVE_INFINITY ? endMs : lastPartBeginsMs(entry, lastActivityMs(entry), endMs)
}

/** A time that this process stored is exact; for one that another process stored, a later use may not be stored yet. */
function latestUseMs({ createdAtMs, activity, storedMs, ttlSeconds }: KeyEntry): number {
  const seenMs = activity?.lastMs ?? createdAtMs
  const isOwn = activity !== undefined && storedMs <= activity.flushedMs
  const storedLatestMs = isOwn ? storedMs : storedMs + unstoredMs(ttlSeconds)
  return Math.max(storedLatestMs, seenMs)
}
