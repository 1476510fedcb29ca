import type { KubeObject } from '../../../api/object.ts'
import type { KeyValue } from '../../../auth/keys/values/key-value.ts'
import { timestamp } from '../../../base/clock.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { endMsOf, withLife } from '../life/status.ts'
import type { KeyParts, KeySettings } from '../parts.ts'
import { accessKeyOf } from '../record/access-key.ts'
import { recordOf, sealedOf } from '../record/key-record.ts'
import type { SealedKey, SealedPrevious } from '../record/sealed-key.ts'

export interface RotatedKey {
  readonly object: KubeObject
  readonly sealed: SealedKey
  /** Whether this rotation ends an older value whose overlap is not over. */
  readonly endsOlderValue: boolean
}

/** The key with a new value. The previous value stays valid for the overlap, but never beyond its own end. */
export function rotatedKey(
  { clock, settings }: Pick<KeyParts, 'clock' | 'settings'>,
  document: StoredDocument,
  value: KeyValue,
  overlapSeconds: number,
): RotatedKey {
  const nowMs = clock.now()
  const before = sealedOf(document)
  const { previous: older, ...kept } = before ?? { hash: '', issuedAtMs: 0 }
  const { rotation: _, ...status } = accessKeyOf(document.object).status ?? {}
  const previous = before && previousOf(before, status.keyId ?? '', overlapSeconds, nowMs, settings)
  const sealed: SealedKey = {
    ...kept,
    hash: value.hash,
    issuedAtMs: nowMs,
    ...(previous === undefined ? {} : { previous }),
  }
  const known = {
    ...status,
    keyId: value.keyId,
    ...(previous === undefined ? {} : { rotation: rotationOf(previous, nowMs) }),
  }
  const record = recordOf({ ...document.object, status: known }, sealed)
  const life =
    record === undefined ? known : withLife(known, record, endMsOf(record, settings.maxLifetimeSeconds), nowMs)
  const endsOlderValue = older !== undefined && older.validUntilMs > nowMs
  return { object: { ...document.object, status: life }, sealed, endsOlderValue }
}

/** Undefined when the previous value ends at once. */
function previousOf(
  { hash, issuedAtMs }: SealedKey,
  keyId: string,
  overlapSeconds: number,
  nowMs: number,
  { maxLifetimeSeconds }: KeySettings,
): SealedPrevious | undefined {
  const longestMs = maxLifetimeSeconds === 0 ? Number.POSITIVE_INFINITY : issuedAtMs + maxLifetimeSeconds * 1000
  const validUntilMs = Math.min(nowMs + overlapSeconds * 1000, longestMs)
  return validUntilMs > nowMs ? { keyId, hash, validUntilMs } : undefined
}

function rotationOf({ keyId, validUntilMs }: SealedPrevious, nowMs: number): Readonly<Record<string, unknown>> {
  return { startedAt: timestamp(nowMs), previousKeyId: keyId, previousValidUntil: timestamp(validUntilMs) }
}
