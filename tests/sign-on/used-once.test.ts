import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UsedOnce } from '../../src/sign-on/stored/used-once.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { testClock } from '../support/registry.ts'

it('remembers tokens until they expire, and forgets expired ones among many others', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-used-'))
  const store = await openLmdbStore({ directory })
  try {
    const clock = testClock()
    const used = new UsedOnce(store, clock, 'tokens')
    const soonMs = clock.now() + 60_000
    for (let at = 0; at < 150; at += 1) expect(await used.take(`long-${at}`, soonMs + 3_600_000)).toBe(true)
    for (let at = 0; at < 50; at += 1) expect(await used.take(`short-${at}`, soonMs)).toBe(true)
    expect(await used.take('short-0', soonMs)).toBe(false)
    clock.advance(120_000)
    expect(await used.take('long-0', soonMs + 3_600_000)).toBe(false)
    expect((await store.list('', { limit: 1_000 })).items).toHaveLength(150)
  } finally {
    await store.close()
    await rm(directory, { recursive: true })
  }
})
