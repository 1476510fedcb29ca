import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../../base/log.ts'
import { type AdminRecord, adminRecordKey, readableRecord, replaceAdmin } from '../../platform/identity/admin-record.ts'
import { type Store, StoreUnavailable } from '../../storage/contract.ts'
import { openLmdbStore } from '../../storage/lmdb/open.ts'
import { adminResetFile, askForReset, isResetTaken, takeReset } from './admin-reset.ts'

let directory = ''
let store: Store
let lines: string[] = []
const log = createLog({ level: 'error', write: (line) => lines.push(line) })
beforeEach(async () => {
  lines = []
  directory = mkdtempSync(join(tmpdir(), 'tenant-reset-'))
  store = await openLmdbStore({ directory: join(directory, 'store') })
  await replaceAdmin(store, record('first'))
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

function record(hash: string): AdminRecord {
  return { hash, madeBy: 'a machine', madeAtMs: 1 }
}

async function current(): Promise<string | undefined> {
  return readableRecord((await store.get(adminRecordKey))?.value ?? new Uint8Array())?.hash
}

/** The store, with an action that runs before each update. */
function storeWith(beforeUpdate: () => void): Store {
  const update: Store['update'] = async (key, value, revision) => {
    beforeUpdate()
    return store.update(key, value, revision)
  }
  return new Proxy(store, {
    get: (target, property) => {
      if (property === 'update') return update
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

it('a request that arrives while another is processed is processed next', async () => {
  askForReset(directory, record('second'))
  await takeReset(
    storeWith(() => askForReset(directory, record('third'))),
    directory,
    log,
  )
  expect([await current(), await isResetTaken(directory, 0)]).toEqual(['second', false])
  await takeReset(store, directory, log)
  expect([await current(), await isResetTaken(directory, 0)]).toEqual(['third', true])
})

it('a request that could not be processed is logged, and processed later', async () => {
  askForReset(directory, record('second'))
  const failing = storeWith(() => {
    throw new Error('the disk is full')
  })
  await takeReset(failing, directory, log)
  expect(lines.join()).toContain('the disk is full')
  expect([await current(), await isResetTaken(directory, 0)]).toEqual(['first', false])
  await takeReset(store, directory, log)
  expect([await current(), await isResetTaken(directory, 0)]).toEqual(['second', true])
})

it('an unavailable store is not an answer', async () => {
  askForReset(directory, record('second'))
  const away = storeWith(() => {
    throw new StoreUnavailable('away')
  })
  await expect(takeReset(away, directory, log)).rejects.toThrow(StoreUnavailable)
  expect(await isResetTaken(directory, 0)).toBe(false)
})

it('anything other than a file is not a request', async () => {
  mkdirSync(adminResetFile(directory))
  await takeReset(store, directory, log)
  expect(await current()).toBe('first')
})
