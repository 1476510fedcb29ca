import { existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { type AdminRecord, readableRecord, replaceAdmin } from '../../platform/identity/admin-record.ts'
import { type Store, StoreUnavailable } from '../../storage/contract.ts'

const lookMs = 500
const mostBytes = 16_384

/**
 * The file in which an operator of the machine requests another administrator's key. It contains the hash of the key,
 * not its value.
 */
export function adminResetFile(directory: string): string {
  return join(directory, 'admin-reset.json')
}

/** The request that a server is processing, moved so that the next request does not overwrite it. */
function takenFile(directory: string): string {
  return join(directory, 'admin-reset.taken.json')
}

export function askForReset(directory: string, record: AdminRecord): void {
  writeWhole(adminResetFile(directory), `${JSON.stringify(record)}\n`)
}

/** False: no server has processed the request yet. */
export async function isResetTaken(directory: string, timeoutMs: number): Promise<boolean> {
  const { signal } = new AbortController()
  const isPending = () => [adminResetFile(directory), takenFile(directory)].some((file) => existsSync(file))
  for (let waitedMs = 0; isPending(); waitedMs += lookMs) {
    if (waitedMs >= timeoutMs) return false
    await rest(lookMs, signal)
  }
  return true
}

/**
 * Makes the requested key the administrator's. Repeating it after a crash changes nothing. A request that cannot be
 * processed is logged, and the previous key stays valid. Rejects if the store is unavailable.
 */
export async function takeReset(store: Store, directory: string, log: Log): Promise<void> {
  const [asked, taken] = [adminResetFile(directory), takenFile(directory)]
  try {
    if (isFile(taken)) await take(store, taken, log)
    if (!isFile(asked)) return
    renameSync(asked, taken)
    await take(store, taken, log)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    log.error("another administrator's key was not taken", { error })
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

async function take(store: Store, file: string, log: Log): Promise<void> {
  const record = statSync(file).size > mostBytes ? undefined : readableRecord(readFileSync(file))
  if (record === undefined) log.error('this file names no key: make it with tenant platform admin reset', { file })
  else await replaceAdmin(store, record)
  rmSync(file, { force: true })
}

/** Checks repeatedly until the returned function is called, which resolves when no check is under way. */
export function followResets(store: Store, directory: string, log: Log): () => Promise<void> {
  const stop = new AbortController()
  const following = follow(store, directory, log, stop.signal)
  return async () => {
    stop.abort()
    await following
  }
}

async function follow(store: Store, directory: string, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The store is unavailable: retry later.
    await takeReset(store, directory, log).catch(() => {})
    await rest(lookMs, signal)
  }
}
