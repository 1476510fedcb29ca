import { utimesSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { withLock } from './lock.ts'

let directory: string
let lock: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-lock-'))
  lock = join(directory, 'some.lock')
})
afterEach(() => rm(directory, { recursive: true }))

async function takenAt(seconds: number): Promise<void> {
  await mkdir(lock)
  await utimes(lock, seconds, seconds)
}

it('excludes all other processes, and leaves no file behind', async () => {
  let [inside, most] = [0, 0]
  const act = async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise(setImmediate)
    inside -= 1
  }
  await Promise.all(Array.from({ length: 10 }, () => withLock(lock, act)))
  expect(most).toBe(1)
  expect(await readdir(directory)).toEqual([])
})

it.each([
  ['has not been renewed', -11],
  ['was taken before the clock was set back', 3_600],
])('is taken over from a process that is gone, if it %s', async (_name, seconds) => {
  await takenAt(systemClock.now() / 1000 + seconds)
  expect(await withLock(lock, async () => 'done')).toBe('done')
})

it('is waited for only for a limited time', async () => {
  let nowMs = systemClock.now()
  await takenAt(nowMs / 1000)
  // Its holder renews it all the time.
  const hurrying = {
    now: () => {
      nowMs += 4_000
      utimesSync(lock, nowMs / 1000, nowMs / 1000)
      return nowMs
    },
  }
  await expect(withLock(lock, async () => 'done', hurrying)).rejects.toThrow(`another process holds ${lock}`)
})
