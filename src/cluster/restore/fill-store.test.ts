import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '../../storage/contract.ts'
import { encodeFormat, formatKey } from '../../storage/format/format-record.ts'
import { openLmdbStore } from '../../storage/lmdb/open.ts'
import { continueFilling, type TakeEntry } from './fill-store.ts'

const [one, two] = ['/objects/one', '/objects/two']
let directory = ''
let store: Store

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-fill-store-'))
  store = await openLmdbStore({ directory })
  await store.create(formatKey, encodeFormat({ version: 1, readableBy: 1, restoring: 'the source' }))
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

/** `between` runs before the last entry is sent. */
function filled(between = async () => {}) {
  const send = async (take: TakeEntry) => {
    await take({ key: one, value: Buffer.from('source') })
    await between()
    await take({ key: two, value: Buffer.from('source') })
  }
  const filling = { store, url: 'the store', from: 'the source', storeFormat: 1 }
  return continueFilling(filling, send, async (key) => [one, two].includes(key))
}

async function write(key: string, text: string): Promise<void> {
  const stored = await store.get(key)
  const value = Buffer.from(text)
  await (stored === undefined ? store.create(key, value) : store.update(key, value, stored.revision))
}

const textOf = async (key: string) => Buffer.from((await store.get(key))?.value ?? []).toString()

it('what an interrupted filling left is completed', async () => {
  await write(one, 'left')
  await write('/objects/removed', 'left')
  expect(await filled()).toMatchObject({ entries: 2 })
  expect([await textOf(one), await textOf(two), await textOf('/objects/removed')]).toEqual(['source', 'source', ''])
})

it('a process that still fills a store which another one has completed overwrites nothing in it', async () => {
  const late = filled(async () => {
    await filled()
    await write(two, 'of a server')
  })
  await expect(late).rejects.toThrow('another process writes to the store')
  expect(await textOf(two)).toBe('of a server')
})

it('of two processes that fill a store at once, the later one completes it', async () => {
  const [begun, ended] = [signal(), signal()]
  const later: { filling?: Promise<unknown> } = {}
  const earlier = filled(async () => {
    later.filling = filled(async () => {
      begun.give()
      await ended.given
    })
    await begun.given
  })
  await expect(earlier).rejects.toThrow('another process writes to the store')
  ended.give()
  await expect(later.filling).resolves.toMatchObject({ entries: 2 })
})

function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give, given }
}
