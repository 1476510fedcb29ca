import type { AccessKeyStatus } from '../../api/management/access-key-types.ts'
import type { KeyRecord } from '../../auth/keys/contract.ts'
import { endOfKeyMs } from '../../auth/keys/expiry.ts'
import { timestamp } from '../../base/clock.ts'

export type Phase = 'Active' | 'Disabled' | 'Expired' | 'Deleting'

/** Infinity: never. */
export function endMsOf(record: KeyRecord, maxLifetimeSeconds: number): number {
  const {
    createdAtMs,
    issuedAtMs = createdAtMs,
    ttlSeconds,
    ttlAfterLastActivity,
    lastActivityMs = createdAtMs,
  } = record
  const lifetime = { createdAtMs, issuedAtMs, ttlSeconds, ttlAfterLastActivity }
  return endOfKeyMs(lifetime, lastActivityMs, maxLifetimeSeconds)
}

export function phaseOf(record: KeyRecord, endMs: number, nowMs: number): Phase {
  if (record.deletionRequested) return 'Deleting'
  if (endMs <= nowMs) return 'Expired'
  return record.disabled ? 'Disabled' : 'Active'
}

/** The part of the status that follows from the rest of the key. */
export function withLife(status: AccessKeyStatus, record: KeyRecord, endMs: number, nowMs: number): AccessKeyStatus {
  const { expiresAt: _, ...rest } = status
  return {
    ...rest,
    phase: phaseOf(record, endMs, nowMs),
    keyId: record.keyId,
    ...(Number.isFinite(endMs) ? { expiresAt: timestamp(endMs) } : {}),
  }
}
