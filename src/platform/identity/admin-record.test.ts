import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '../../storage/contract.ts'
import { openLmdbStore } from '../../storage/lmdb/open.ts'
import {
  type AdminRecord,
  adminRecordKey,
  agreeOnAdmin,
  agreeOnNewerAdmin,
  firstKeyName,
  noteMade,
  readAdminRecord,
  replaceAdmin,
} from './admin-record.ts'

let directory = ''
let store: Store
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-admin-'))
  store = await openLmdbStore({ directory })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

function record(hash: string, madeAtMs: number): AdminRecord {
  return { hash, madeBy: 'a machine', madeAtMs }
}

async function stored(): Promise<AdminRecord> {
  return readAdminRecord((await store.get(adminRecordKey))?.value ?? new Uint8Array())
}

it('a given record counts, and a newer one replaces it', async () => {
  expect(await agreeOnNewerAdmin(store, record('one', 10))).toEqual(record('one', 10))
  const second = { ...record('two', 20), replaced: [firstKeyName(record('one', 10))] }
  expect(await agreeOnNewerAdmin(store, record('two', 20))).toEqual(second)
  expect(await agreeOnNewerAdmin(store, record('one', 10))).toEqual(second)
  expect(await stored()).toEqual(second)
})

it('a key that was replaced in the store never returns, whatever the clocks say', async () => {
  const given = record('given by a clock that is fast', 1_000)
  await agreeOnNewerAdmin(store, given)
  await replaceAdmin(store, record('made by a clock that is right', 500))
  expect(await agreeOnNewerAdmin(store, given)).toMatchObject({ hash: 'made by a clock that is right' })
})

it('a platform without a given record keeps the first', async () => {
  await agreeOnAdmin(store, record('first', 1))
  expect(await agreeOnAdmin(store, record('second', 2))).toEqual(record('first', 1))
})

it('keys of replaced records are known until they are deleted, even if no server saw them', async () => {
  await agreeOnAdmin(store, record('first', 1))
  await noteMade(store, record('first', 1))
  expect(await stored()).toEqual({ ...record('first', 1), isMade: true })
  await replaceAdmin(store, record('second', 2))
  await replaceAdmin(store, record('third', 3))
  const replaced = [firstKeyName(record('first', 1)), firstKeyName(record('second', 2))]
  expect(await stored()).toEqual({ ...record('third', 3), replaced })
  await noteMade(store, record('second', 2))
  expect(await stored()).toEqual({ ...record('third', 3), replaced })
  await noteMade(store, record('third', 3))
  expect(await stored()).toEqual({ ...record('third', 3), isMade: true })
})

it('a record that is given again makes no second key', async () => {
  await agreeOnNewerAdmin(store, record('given', 1))
  await noteMade(store, record('given', 1))
  await agreeOnNewerAdmin(store, record('given', 5))
  expect(await stored()).toEqual({ ...record('given', 5), isMade: true })
})

it('a record that counts again is not among those whose keys are deleted', async () => {
  await agreeOnNewerAdmin(store, record('one', 1))
  await replaceAdmin(store, record('two', 2))
  await agreeOnNewerAdmin(store, record('one', 5_000))
  expect(await stored()).toEqual({ ...record('one', 5_000), replaced: [firstKeyName(record('two', 2))] })
})

it('a key that was made is noted although the record is written at the same time', async () => {
  await agreeOnNewerAdmin(store, record('given', 1))
  const reading: Store['get'] = async (key) => {
    const found = await store.get(key)
    await agreeOnNewerAdmin(store, record('given', 5))
    return found
  }
  const slow = new Proxy(store, {
    get: (target, property) => {
      if (property === 'get') return reading
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await noteMade(slow, record('given', 1))
  expect(await stored()).toEqual({ ...record('given', 5), isMade: true })
})
