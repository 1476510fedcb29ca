import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openAnyFormat, openStore } from '../../src/cluster/store/open-store.ts'
import { embeddedStoreIn, moveEmbedded } from '../../src/cluster/virtual-cluster/move-embedded.ts'
import type { Store } from '../../src/storage/contract.ts'
import { encodeFormat, formatKey, formatRoot } from '../../src/storage/format/format-record.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'

const names = Array.from({ length: 40 }, (_, index) => `/core/configmaps/default/c-${index}`)

describe.skipIf(missingEtcd() !== undefined)('a virtual cluster that is started on an etcd', () => {
  let etcd: Etcd
  let directory: string
  let to: string
  let count = 0

  beforeAll(async () => {
    etcd = await startEtcd()
  })
  afterAll(() => etcd.remove())
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'move-embedded-'))
    count += 1
    to = `etcd:${etcd.endpoint}?prefix=/moved-${count}`
    await using(openStore(embeddedStoreIn(directory)), async (store) => {
      for (const name of names) await store.create(name, Buffer.from(name))
    })
    return () => rm(directory, { recursive: true })
  })

  async function using<T>(opening: Promise<Store>, act: (store: Store) => Promise<T>): Promise<T> {
    const store = await opening
    try {
      return await act(store)
    } finally {
      await store.close()
    }
  }

  const move = () => moveEmbedded(directory, to, silentLog)

  /** Keys with values, except for those of the format. */
  const contents = () =>
    using(openStore(to), async (store) => {
      const { items } = await store.list('')
      const kept = items.filter(({ key }) => !key.startsWith(formatRoot))
      return Object.fromEntries(kept.map(({ key, value }) => [key, Buffer.from(value).toString()]))
    })

  const all = Object.fromEntries(names.map((name) => [name, name]))

  it('moves the objects of its directory there, once, and closes the old store', async () => {
    await move()
    expect(await contents()).toEqual(all)
    await expect(openStore(embeddedStoreIn(directory))).rejects.toThrow(`were moved to ${to}, and are outdated here`)
    await using(openStore(to), (store) => store.create('/core/configmaps/default/later', Buffer.from('later')))
    await move()
    expect(await contents()).toEqual({ ...all, '/core/configmaps/default/later': 'later' })
  })

  it('continues a move that was interrupted', async () => {
    const [kept = '', changed = ''] = names
    await using(openAnyFormat(to), async (store) => {
      const mark = { version: 1, readableBy: 1, restoring: embeddedStoreIn(directory) }
      await store.create(formatKey, encodeFormat(mark))
      await store.create(kept, Buffer.from(kept))
      await store.create(changed, Buffer.from('before'))
      await store.create('/core/configmaps/default/gone', Buffer.from('gone'))
    })
    await expect(openStore(to)).rejects.toThrow('is incomplete')
    await move()
    expect(await contents()).toEqual(all)
  })

  it('starts after the move even if the old store is damaged', async () => {
    await move()
    await truncate(join(directory, 'virtual', 'data.mdb'), 100)
    await move()
    expect(await contents()).toEqual(all)
  })

  it('refuses another, empty etcd after the move', async () => {
    await move()
    await expect(moveEmbedded(directory, `${to}-other`, silentLog)).rejects.toThrow(`were moved to ${to}`)
  })

  it('refuses to start empty if the file of its objects is missing', async () => {
    await rm(join(directory, 'virtual', 'data.mdb'))
    await expect(move()).rejects.toThrow(/there is no store|and now it is gone/)
  })

  it('does not change an etcd that has its own objects', async () => {
    await using(openStore(to), (store) => store.create('/core/configmaps/default/own', Buffer.from('own')))
    await move()
    expect(await contents()).toEqual({ '/core/configmaps/default/own': 'own' })
    await using(openStore(embeddedStoreIn(directory)), async (store) => {
      expect((await store.list('', { limit: 1 })).items).toHaveLength(1)
    })
  })
})
