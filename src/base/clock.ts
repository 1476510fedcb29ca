/** The only source of time. Tests pass their own clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Milliseconds since an arbitrary start. The clock cannot be set, so two readings differ by the time that has really
 * passed.
 */
export const monotonicClock: Clock = { now: () => performance.now() }

/** The time that passes on a clock. When the clock is set back, that time stands still and then goes on from there. */
export function neverBack(clock: Clock): Clock {
  let lastMs = clock.now()
  let passedMs = 0
  return {
    now: () => {
      const nowMs = clock.now()
      passedMs += Math.max(0, nowMs - lastMs)
      lastMs = nowMs
      return passedMs
    },
  }
}

/** RFC 3339 in UTC with whole seconds, the form of every Kubernetes timestamp. */
export function timestamp(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  if (second !== last.second) last = { second, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` }
  return last.text
}

/** Writes within the same second share the text. */
let last = { second: Number.NaN, text: '' }

/** RFC 3339 in UTC with six decimals, the form of leases and events. */
export function microTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`
}
