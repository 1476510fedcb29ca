import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'

const pauseMs = 20
/** How often a process renews its lock. */
const renewMs = 2_000
/** A lock that was not renewed for this long belongs to a process that is gone. */
const staleMs = 10_000
/** A lock this far in the future was taken before the clock was set back. */
const futureMs = 60_000
const longestWaitMs = 30_000

/** Runs `act` while holding the lock, which excludes all other holders, including other processes. */
export async function withLock<T>(lock: string, act: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
  const giveUpMs = clock.now() + longestWaitMs
  while (!(await isTaken(lock))) {
    if (await isStale(lock, clock)) await rmdir(lock).catch(ignoreAbsent)
    else if (clock.now() < giveUpMs) await pause(pauseMs)
    else throw new Error(`another process holds ${lock} for too long; if no tenant command is running, remove it`)
  }
  const renewing = setInterval(() => void renew(lock, clock), renewMs)
  try {
    return await act()
  } finally {
    clearInterval(renewing)
    await rmdir(lock).catch(ignoreAbsent)
  }
}

/** A missing lock was considered stale by another process, because this one was suspended for too long. */
async function renew(lock: string, clock: Clock): Promise<void> {
  const now = clock.now() / 1000
  await utimes(lock, now, now).catch(() => {})
}

/** Creating a directory succeeds for only one process. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock, { mode: 0o700 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(lock: string, clock: Clock): Promise<boolean> {
  try {
    const agoMs = clock.now() - (await stat(lock)).mtimeMs
    return agoMs > staleMs || agoMs < -futureMs
  } catch (error) {
    ignoreAbsent(error)
    return false
  }
}

function ignoreAbsent(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
