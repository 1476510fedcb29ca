import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'

const pauseMs = 20
/** No process holds a lock this long: its holder has ended. */
const staleMs = 10_000

/** Runs `act` while holding the lock, which excludes all other holders, also in other processes. */
export async function withLock<T>(lock: string, act: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
  while (!(await isTaken(lock))) {
    if (await isStale(lock, clock)) await rmdir(lock).catch(ignoreAbsent)
    else await pause(pauseMs)
  }
  try {
    return await act()
  } finally {
    await rmdir(lock).catch(ignoreAbsent)
  }
}

/** Making a directory succeeds for one alone. */
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
    return clock.now() - (await stat(lock)).mtimeMs > staleMs
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
