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

it('a given record counts, and a newer one in its place', async () => {
  expect(await agreeOnNewerAdmin(store, record('one', 10))).toEqual(record('one', 10))
  expect(await agreeOnNewerAdmin(store, record('two', 20))).toEqual(record('two', 20))
  expect(await agreeOnNewerAdmin(store, record('one', 10))).toEqual(record('two', 20))
  expect(await stored()).toEqual(record('two', 20))
})

it('a key that was replaced at the store never comes back, whatever the clocks say', async () => {
  const given = record('given by a clock that is fast', 1_000)
  await agreeOnNewerAdmin(store, given)
  await replaceAdmin(store, record('made by a clock that is right', 500))
  expect(await agreeOnNewerAdmin(store, given)).toMatchObject({ hash: 'made by a clock that is right' })
})

it('a platform that was given none stays with the first', async () => {
  await agreeOnAdmin(store, record('first', 1))
  expect(await agreeOnAdmin(store, record('second', 2))).toEqual(record('first', 1))
})
