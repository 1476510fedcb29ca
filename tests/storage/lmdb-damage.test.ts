import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Store, StoreDamaged, StoreLocked, StoreUnavailable } from '../../src/storage/contract.ts'
import { openEnvironment, takeOwnership } from '../../src/storage/lmdb/environment.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { livePointer } from '../../src/storage/lmdb/pointer.ts'
import { bytes, failure, text, written } from './helpers.ts'

let directory: string
let stores: Store[] = []
const data = () => join(directory, 'data.mdb')

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-damage-'))
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  stores = []
  await rm(directory, { recursive: true })
})

async function open(): Promise<Store> {
  const store = await openLmdbStore({ directory })
  stores.push(store)
  return store
}

/** A store with some objects of a few pages each, closed again. */
async function fill(): Promise<void> {
  const store = await open()
  for (let index = 0; index < 40; index++) await written(store.create(`/thing-${index}`, bytes('x'.repeat(9_000))))
  await written(store.create('/precious', bytes('{"data":"precious"}')))
  await store.close()
  stores = []
}

describe('a store with a damaged file', () => {
  beforeEach(fill)

  test.each([
    ['cut off in the middle', () => truncateSync(data(), 100_000)],
    ['cut off by one page', () => truncateSync(data(), readFileSync(data()).length - 4_096)],
    ['emptied', () => truncateSync(data(), 0)],
    ['removed', () => rmSync(data())],
  ])('is refused with its name, and is not created again: %s', async (_how, damage) => {
    damage()
    const error = await failure(open())
    expect(error).toBeInstanceOf(StoreDamaged)
    expect(String(error)).toContain(data())
    expect(String(error)).toContain('restore the data directory from a backup')
  })

  test('is created again once the operator has removed store.json too', async () => {
    rmSync(data())
    rmSync(join(directory, 'store.json'))
    expect((await (await open()).list('/')).items).toEqual([])
  })

  test('never returns a value that differs from the written one', async () => {
    const file = readFileSync(data())
    for (let at = file.indexOf('"precious"'); at >= 0; at = file.indexOf('"precious"', at + 1)) file[at] = 0x7b
    writeFileSync(data(), file)
    const store = await open()
    expect(await failure(store.get('/precious'))).toBeInstanceOf(StoreDamaged)
    expect(await failure(store.list('/'))).toBeInstanceOf(StoreDamaged)
    expect((await store.get('/thing-1'))?.value).toHaveLength(9_000)
  })
})

test('a store of the previous format, without checksums, is readable and writable', async () => {
  const environment = openEnvironment(directory)
  takeOwnership(environment, directory)
  const entry = Buffer.from('\x01\0\0\0\0\0\0\0\0\0\x04/old{"a":1}', 'latin1')
  await environment.root.transaction(() => {
    environment.log.put(1, entry)
    environment.pointers.put('/old', livePointer(1))
  })
  await environment.root.close()
  const store = await open()
  expect(text((await store.get('/old'))?.value)).toBe('{"a":1}')
  expect(await written(store.update('/old', bytes('{"a":2}'), 1))).toBe(2)
  expect(text((await store.get('/old'))?.value)).toBe('{"a":2}')
})

describe('an owner in another process namespace', () => {
  const stranger = JSON.stringify({ pid: 1, startTime: '1', boot: 'elsewhere', namespace: 'pid:[1]' })

  test('keeps the store while its heartbeat continues, and no longer', async () => {
    writeFileSync(join(directory, 'owner.7'), stranger)
    let beats = 0
    const beating = setInterval(() => writeFileSync(join(directory, 'beat.7'), String(beats++)), 100)
    const error = await failure(open())
    clearInterval(beating)
    expect(error).toBeInstanceOf(StoreLocked)
    expect(String(error)).toContain('in another container or on another machine')
    expect(await (await open()).currentRevision()).toBe(0)
    expect(readdirSync(directory).filter((name) => /^(owner|beat)\./.test(name))).toContain('owner.8')
  })

  test('that takes over the store is detected, and all operations fail', async () => {
    const store = await open()
    await written(store.create('/a', bytes('1')))
    writeFileSync(join(directory, 'owner.9'), stranger)
    expect(await store.lost).toBeInstanceOf(StoreUnavailable)
    expect(String(await failure(store.get('/a')))).toContain('another process has taken over the store')
    expect(String(await failure(store.create('/b', bytes('1'))))).toContain('taken over')
  })
})
