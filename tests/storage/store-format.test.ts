import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/cluster/store/open-store.ts'
import type { Store } from '../../src/storage/contract.ts'
import { agreeOnFormat } from '../../src/storage/format/agree-on-format.ts'
import { encodeFormat, type FormatRecord, formatKey } from '../../src/storage/format/format-record.ts'
import type { KnownFormat } from '../../src/storage/format/store-format.ts'
import { markBeginning } from '../../src/storage/lmdb/beginning.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { bytes, text, written } from './helpers.ts'

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-format-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

async function newStore(): Promise<Store> {
  const store = await openLmdbStore({ directory: await newDirectory() })
  onTestFinished(() => store.close())
  return store
}

async function formatOf(store: Store): Promise<FormatRecord> {
  return JSON.parse(text((await store.get(formatKey))?.value) ?? '{}')
}

/** Renames the value at /old, as a later version might. */
const later: KnownFormat = {
  version: 3,
  migrations: [
    { to: 2, readableBy: 1, run: async () => {} },
    {
      to: 3,
      readableBy: 2,
      run: async (store) => {
        const old = await store.get('/old')
        if (old === undefined) return
        await store.create('/new', old.value)
        await store.delete('/old', old.revision)
      },
    },
  ],
}

describe('a store records its format', () => {
  it('a new store has the format of the program', async () => {
    const store = await newStore()
    await agreeOnFormat(store, 'the store', later)
    expect(await formatOf(store)).toEqual({ version: 3, readableBy: 2 })
  })

  it('a store without a record is migrated step by step', async () => {
    const store = await newStore()
    await written(store.create('/old', bytes('kept')))
    await agreeOnFormat(store, 'the store', later)
    expect(text((await store.get('/new'))?.value)).toBe('kept')
    expect(await store.get('/old')).toBeUndefined()
    expect(await formatOf(store)).toEqual({ version: 3, readableBy: 2 })
  })

  it('replicas that start together agree, and no migration runs twice', async () => {
    const store = await newStore()
    await written(store.create('/old', bytes('kept')))
    await Promise.all([1, 2, 3].map(() => agreeOnFormat(store, 'the store', later)))
    expect(text((await store.get('/new'))?.value)).toBe('kept')
    expect(await formatOf(store)).toEqual({ version: 3, readableBy: 2 })
  })

  it('an interrupted migration runs again', async () => {
    const store = await newStore()
    await written(store.create('/old', bytes('kept')))
    const cut = later.migrations.map((each) => ({
      ...each,
      run: async (target: Store) => {
        await each.run(target)
        if (each.to === 3) throw new Error('power cut')
      },
    }))
    await expect(agreeOnFormat(store, 'the store', { version: 3, migrations: cut })).rejects.toThrow('power cut')
    expect(await formatOf(store)).toEqual({ version: 2, readableBy: 1 })
    await agreeOnFormat(store, 'the store', later)
    expect(text((await store.get('/new'))?.value)).toBe('kept')
  })

  it.each<[string, object | string, number, string | undefined]>([
    ['a newer one that this program may use', { version: 3, readableBy: 2 }, 2, undefined],
    [
      'a newer one',
      { version: 3, readableBy: 2 },
      1,
      'the store has store format 3, which programs of format 2 and newer read; this one reads up to 1: use the version of the program that wrote it, or a newer one',
    ],
    [
      'one that is being restored',
      { version: 1, readableBy: 1, restoring: 'nightly' },
      1,
      'the store is incomplete: the restore of nightly did not finish; remove it, and start again',
    ],
    [
      'a record that says nothing',
      'x',
      1,
      'the store does not say which format it has (/store/format cannot be read): restore it from a backup',
    ],
    [
      'a record that makes no sense',
      { version: 1, readableBy: 2 },
      1,
      'the store does not say which format it has (/store/format cannot be read): restore it from a backup',
    ],
    [
      'an older one without a way',
      { version: 1, readableBy: 1 },
      9,
      'the store has store format 1, and this program knows no way from there to 9: open it with an older version of the program first',
    ],
  ])('%s', async (_, record, version, refusal) => {
    const store = await newStore()
    await written(store.create(formatKey, bytes(JSON.stringify(record))))
    const opened = agreeOnFormat(store, 'the store', { version, migrations: [] })
    if (refusal === undefined) await opened
    else await expect(opened).rejects.toThrow(refusal)
  })
})

const newer = encodeFormat({ version: 99, readableBy: 99 })

it('a server refuses an embedded store of a newer program, and leaves it unchanged', async () => {
  const directory = await newDirectory()
  const store = await openLmdbStore({ directory })
  await written(store.create(formatKey, newer))
  await store.close()
  await expect(openStore(`file:${directory}`)).rejects.toThrow(/has store format 99.*use the version of the program/)
  await (await openLmdbStore({ directory })).close()
})

it.skipIf(missingEtcd() !== undefined)('and a store in etcd', async () => {
  const etcd = await startEtcd()
  onTestFinished(() => etcd.remove())
  const url = `etcd:${etcd.endpoint}`
  const store = await openStore(url)
  const { revision = 0 } = (await store.get(formatKey)) ?? {}
  expect(await formatOf(store)).toEqual({ version: 1, readableBy: 1 })
  await written(store.update(formatKey, newer, revision))
  await store.close()
  await expect(openStore(url)).rejects.toThrow(/has store format 99/)
})

it('a new store may start with a later revision, so that no earlier one is reused', async () => {
  const directory = await newDirectory()
  const store = await openLmdbStore({ directory, firstRevision: 5_000 })
  expect(await written(store.create('/a', bytes('1')))).toBe(5_001)
  await expect(store.list('', { atRevision: 4_999 })).rejects.toThrow(/compacted/)
  await store.close()
  const again = await openLmdbStore({ directory, firstRevision: 9_000 })
  expect(await written(again.create('/b', bytes('1')))).toBe(5_002)
  await again.close()
})

it('a server refuses a store whose restore was interrupted, and a new restore replaces it', async () => {
  const directory = await newDirectory()
  await mkdir(directory, { recursive: true })
  markBeginning(directory)
  await expect(openStore(`file:${directory}`)).rejects.toThrow(
    /is incomplete: a copy into it did not finish; remove it/,
  )
  await (await openLmdbStore({ directory, firstRevision: 1_000_000_100 })).close()
  const refused = openStore(`file:${directory}`)
  await expect(refused).rejects.toThrow(
    `the store file:${directory} is incomplete: a copy into it did not finish; remove it`,
  )
  const store = await openLmdbStore({ directory })
  expect((await store.list('')).items).toEqual([])
  await store.close()
})
