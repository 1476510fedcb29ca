import { forbidden, refusedBy } from '../../../api/error.ts'
import type { KeyRecord } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { endMsOf, type StoredLife } from '../life/status.ts'
import type { KeyParts } from '../parts.ts'
import { keyRecordOf } from '../record/key-record.ts'

/** The end of a key that is not used from now on, and the latest possible end. Infinity: never. */
interface Span {
  readonly endMs: number
  readonly latestEndMs: number
}

/**
 * A key with a scope, or a session started with one, can neither make a key that outlives it nor extend one beyond its
 * own end: otherwise access that should end would continue under another name. `old` is the key before a change; it may
 * keep the end that it has.
 */
export function requireNoLongerLife(
  key: KeyRecord,
  old: KeyRecord | undefined,
  { user }: WriteRequest,
  { kind, index, storedKey, settings }: KeyParts,
): void {
  if (user.credential?.scope === undefined) return
  const { keyUid, keyName } = user.credential.startedWith ?? user.credential
  const document = storedKey(keyName)
  const inUse = document === undefined ? undefined : keyRecordOf(document)
  const most = inUse?.uid === keyUid ? spanOf(inUse, settings.maxLifetimeSeconds, index.expiresAtMs(keyUid)) : noSpan
  const span = spanOf(
    { ...key, issuedAtMs: old?.issuedAtMs ?? key.issuedAtMs ?? key.createdAtMs },
    settings.maxLifetimeSeconds,
  )
  const kept = old === undefined ? noSpan : spanOf(old, settings.maxLifetimeSeconds)
  const isLonger =
    span.endMs > Math.max(most.endMs, kept.endMs) || span.latestEndMs > Math.max(most.latestEndMs, kept.latestEndMs)
  if (!isLonger) return
  throw refusedBy('scope', forbidden(kind, key.name, `it would outlive the access key in use, which ${endText(most)}`))
}

const noSpan: Span = { endMs: 0, latestEndMs: 0 }

function spanOf(life: StoredLife, maxLifetimeSeconds: number, exactEndMs?: number): Span {
  const fixed = life.ttlAfterLastActivity ? { ...life, ttlSeconds: 0 } : life
  return {
    endMs: exactEndMs ?? endMsOf(life, maxLifetimeSeconds),
    latestEndMs: endMsOf(fixed, maxLifetimeSeconds),
  }
}

function endText({ endMs, latestEndMs }: Span): string {
  if (endMs === 0) return 'is gone'
  const end = `ends at ${timestamp(endMs)}`
  return latestEndMs > endMs ? `${end} unless it is used before` : end
}
