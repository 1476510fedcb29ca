/** The fields that decide when a key ends. */
export interface Lifetime {
  readonly createdAtMs: number
  readonly issuedAtMs: number
  readonly ttlSeconds: number
  readonly ttlAfterLastActivity: boolean
}

/** When a key ends: at its own end or at the server-wide maximum, whichever comes first. Infinity: never. */
export function endOfKeyMs(lifetime: Lifetime, lastActivityMs: number, maxLifetimeSeconds: number): number {
  const { createdAtMs, issuedAtMs, ttlSeconds, ttlAfterLastActivity } = lifetime
  const countedFromMs = ttlAfterLastActivity ? Math.max(createdAtMs, lastActivityMs) : createdAtMs
  return Math.min(endMs(countedFromMs, ttlSeconds), endMs(issuedAtMs, maxLifetimeSeconds))
}

function endMs(fromMs: number, seconds: number): number {
  return seconds > 0 ? fromMs + seconds * 1000 : Number.POSITIVE_INFINITY
}

const lastPart = 0.1

/** When the last part of a key's life begins, in which callers that use it are warned. */
export function lastPartBeginsMs(lifetime: Lifetime, lastActivityMs: number | undefined, endMs: number): number {
  const { createdAtMs, ttlAfterLastActivity } = lifetime
  const beganMs = ttlAfterLastActivity ? (lastActivityMs ?? createdAtMs) : createdAtMs
  return endMs - (endMs - beganMs) * lastPart
}

const maxFlushIntervalMs = 60_000

/** How long activity may wait before it is stored. */
export function flushIntervalMs(ttlSeconds: number): number {
  return ttlSeconds > 0 ? Math.min(maxFlushIntervalMs, ttlSeconds * 50) : maxFlushIntervalMs
}

/** A stored time has whole seconds, and the write that would replace it may have been under way. */
const storedInaccuracyMs = 2000

/**
 * How much later than stored a key may have been used by a server that could not store it. Counting this keeps keys
 * from ending early after a restart or on another replica.
 */
export function unstoredMs(ttlSeconds: number): number {
  return flushIntervalMs(ttlSeconds) + storedInaccuracyMs
}
