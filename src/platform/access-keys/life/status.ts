import type { AccessKeyStatus } from '../../../api/types/management.ts'
import type { KeyRecord } from '../../../auth/keys/contract.ts'
import { endOfKeyMs, type Lifetime, lastPartBeginsMs } from '../../../auth/keys/index/expiry.ts'
import { timestamp } from '../../../base/clock.ts'
import type { KeySettings } from '../parts.ts'

export type Phase = 'Active' | 'Disabled' | 'Expired' | 'Deleting'

/** The fields that decide when a stored key ends. */
export type StoredLife = Pick<
  KeyRecord,
  'createdAtMs' | 'issuedAtMs' | 'ttlSeconds' | 'ttlAfterLastActivity' | 'lastActivityMs' | 'session'
>

/** Infinity: never. */
export function endMsOf(life: StoredLife, maxLifetimeSeconds: number): number {
  const endMs = endOfKeyMs(lifetimeOf(life), life.lastActivityMs ?? life.createdAtMs, maxLifetimeSeconds)
  return Math.min(endMs, life.session?.latestEndMs ?? Number.POSITIVE_INFINITY)
}

/** When the last part of a stored key's life begins. Infinity: the key never ends. */
export function lastPartMsOf(life: StoredLife, maxLifetimeSeconds: number): number {
  const endMs = endMsOf(life, maxLifetimeSeconds)
  return Number.isFinite(endMs) ? lastPartBeginsMs(lifetimeOf(life), life.lastActivityMs, endMs) : endMs
}

function lifetimeOf({ createdAtMs, issuedAtMs = createdAtMs, ttlSeconds, ttlAfterLastActivity }: StoredLife): Lifetime {
  return { createdAtMs, issuedAtMs, ttlSeconds, ttlAfterLastActivity }
}

function phaseOf(record: KeyRecord, endMs: number, nowMs: number): Phase {
  if (record.deletionRequested) return 'Deleting'
  if (endMs <= nowMs) return 'Expired'
  return record.disabled ? 'Disabled' : 'Active'
}

/** Adds the phase and the end, which follow from the rest of the key. */
export function withLife(status: AccessKeyStatus, record: KeyRecord, endMs: number, nowMs: number): AccessKeyStatus {
  const { expiresAt: _, ...rest } = status
  return {
    ...rest,
    phase: phaseOf(record, endMs, nowMs),
    ...(Number.isFinite(endMs) ? { expiresAt: timestamp(endMs) } : {}),
  }
}

/** The same for a key that is about to be stored. */
export function livingStatus(
  status: AccessKeyStatus,
  record: KeyRecord | undefined,
  { maxLifetimeSeconds }: KeySettings,
  nowMs: number,
): AccessKeyStatus {
  return record === undefined ? status : withLife(status, record, endMsOf(record, maxLifetimeSeconds), nowMs)
}
