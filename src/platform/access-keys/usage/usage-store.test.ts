import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../storage/contract.ts'
import { openLmdbStore } from '../../../storage/lmdb/open.ts'
import { UsageStore } from './usage-store.ts'

const used = (name: string, lastMs: number) => ({
  verb: 'get',
  group: 'g',
  resource: 'users',
  namespace: '',
  name,
  path: '',
  target: 'management',
  lastMs,
})
let directory: string
let store: Store
let replicas: readonly UsageStore[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-usage-store-'))
  store = await openLmdbStore({ directory })
  replicas = [new UsageStore(store), new UsageStore(store)]
})

afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true })
})

describe('the stored records of what keys were used for', () => {
  it('contain everything that several replicas add to one of them at the same time', async () => {
    const adding = Array.from({ length: 40 }, (_, at) => replicas[at % 2]?.add('shared', [used(`n${at >> 1}`, at)]))
    await Promise.all(adding)
    for (const replica of replicas) {
      const uses = await replica.read('shared')
      expect(uses).toEqual(Array.from({ length: 20 }, (_, at) => used(`n${19 - at}`, 39 - 2 * at)))
    }
  })

  it('are gone once removed, even if several remove them while others add', async () => {
    await Promise.all(replicas.flatMap((replica) => [replica.add('gone', [used('a', 1)]), replica.remove('gone')]))
    await Promise.all(replicas.map((replica) => replica.remove('gone')))
    expect(await replicas[0]?.read('gone')).toEqual([])
  })

  it('begin when the first replica looks, for all', async () => {
    expect(await Promise.all(replicas.map((replica, at) => replica.beginningMs(100 + at)))).toEqual([100, 100])
    expect(await new UsageStore(store).beginningMs(200)).toBe(100)
  })

  it('are listed by whether their keys are known', async () => {
    await replicas[0]?.add('known', [used('a', 1)])
    await replicas[0]?.add('stray', [used('a', 1)])
    const isKnown = (uid: string) => uid !== 'stray'
    expect(await replicas[0]?.unknown(isKnown, new AbortController().signal)).toEqual(['stray'])
  })
})
