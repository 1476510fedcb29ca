import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemRandom } from '../../src/base/random.ts'
import { OneTimeRecords } from '../../src/sign-on/stored/one-time-records.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { testClock } from '../support/registry.ts'

const aMinuteMs = 60_000
const place = { prefix: '/sign-on/codes/', validForMs: aMinuteMs }

it('a flood of unclaimed codes is limited to those of one minute', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-codes-'))
  const store = await openLmdbStore({ directory })
  try {
    const clock = testClock()
    const records = new OneTimeRecords<{ readonly at: number }>({ store, clock, random: systemRandom }, place)
    const perMinute = 300
    let latest = ''
    for (let at = 0; at < 3 * perMinute; at += 1) {
      latest = await records.issue({ at })
      clock.advance(aMinuteMs / perMinute)
    }
    const { items } = await store.list(place.prefix, { limit: 10_000 })
    expect(items.length).toBeLessThanOrEqual(perMinute * 1.1)
    expect(await records.take(latest)).toMatchObject({ at: 3 * perMinute - 1 })
    expect(await records.take(latest)).toBeUndefined()
  } finally {
    await store.close()
    await rm(directory, { recursive: true })
  }
})
