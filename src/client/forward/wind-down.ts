import { setTimeout as pause } from 'node:timers/promises'
import { linkLimits } from '../../api/link-limits.ts'
import type { OpenStreams } from './open-streams.ts'

/**
 * Resolves when the connection may be closed: requests under way have had their time, and the last messages are sent.
 */
export async function windDown(streams: OpenStreams, graceMs: number): Promise<void> {
  const isOver = new AbortController()
  await Promise.race([streams.idle(), pause(graceMs, undefined, { signal: isOver.signal }).catch(() => {})])
  isOver.abort()
  await pause(linkLimits.lastWordsMs)
}
