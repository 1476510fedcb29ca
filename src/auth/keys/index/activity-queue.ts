import type { DueFlush } from '../contract.ts'
import { flushIntervalMs } from './expiry.ts'
import { type KeyActivity, type KeyEntry, never } from './key-entry.ts'

/**
 * Uses that are not stored yet. Recording one allocates nothing after the first, because it happens for every request.
 */
export class ActivityQueue {
  #dirty: KeyEntry[] = []

  /** True when the use must be stored at once, because none was stored for a while. */
  note(entry: KeyEntry, nowMs: number, from: string): boolean {
    entry.activity ??= newActivity(nowMs, from)
    const { activity } = entry
    if (nowMs > activity.lastMs) activity.lastMs = nowMs
    activity.lastFrom = from
    if (activity.dirty) return false
    activity.dirty = true
    this.#dirty.push(entry)
    return isDue(entry, activity, nowMs)
  }

  /** Uses that have waited long enough; each is returned once. */
  due(nowMs: number): readonly DueFlush[] {
    return this.#take(nowMs, (entry, activity) => isDue(entry, activity, nowMs))
  }

  all(nowMs: number): readonly DueFlush[] {
    return this.#take(nowMs, () => true)
  }

  #take(nowMs: number, isWanted: (entry: KeyEntry, activity: KeyActivity) => boolean): readonly DueFlush[] {
    const waiting: KeyEntry[] = []
    const flushes: DueFlush[] = []
    for (const entry of this.#dirty) {
      const { activity, state } = entry
      if (activity === undefined || state === 'removed') continue
      if (isWanted(entry, activity)) flushes.push(handedOut(entry, activity, nowMs))
      else waiting.push(entry)
    }
    this.#dirty = waiting
    return flushes
  }
}

function newActivity(lastMs: number, lastFrom: string): KeyActivity {
  return { lastMs, lastFrom, flushedMs: never, flushedAtMs: never, dirty: false }
}

function isDue({ storedMs, ttlSeconds }: KeyEntry, { flushedAtMs }: KeyActivity, nowMs: number): boolean {
  const intervalMs = flushIntervalMs(ttlSeconds)
  return nowMs - Math.max(storedMs, flushedAtMs) >= intervalMs
}

function handedOut({ uid, name }: KeyEntry, activity: KeyActivity, nowMs: number): DueFlush {
  activity.dirty = false
  activity.flushedMs = activity.lastMs
  activity.flushedAtMs = nowMs
  return { uid, name, lastActivityMs: activity.lastMs, lastUsedFrom: activity.lastFrom }
}
