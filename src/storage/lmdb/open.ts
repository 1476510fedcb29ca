import { resolve } from 'node:path'
import { isDiskFull } from '../../base/files/disk-full.ts'
import { type Store, StoreFull } from '../contract.ts'
import type { BufferLimits } from '../feed/live-buffer.ts'
import { markBeginning, requireBegun } from './beginning.ts'
import { type Environment, openEnvironment, type StoreOwnership, takeOwnership } from './environment.ts'
import { lockDirectory } from './lock.ts'
import { requireWholeFile } from './marker.ts'
import { requireRoomToStart } from './room.ts'
import { LmdbStore } from './store.ts'

export interface LmdbStoreOptions {
  /** Created if it does not exist. Only one process at a time may have it open. */
  readonly directory: string
  /** Where the revisions of a new store begin, so that they do not repeat those of another store. */
  readonly firstRevision?: number
  /** How much a slow watcher may leave unread before it returns to reading the log. */
  readonly watchBuffer?: Partial<BufferLimits>
}

const defaultWatchBuffer: BufferLimits = { changes: 10_000, bytes: 32 * 1024 * 1024 }

/** Throws StoreLocked while another process has the directory open, and StoreFull if its disk is full. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  const directory = resolve(options.directory)
  return openLocked(directory, options).catch((error: unknown) => {
    throw isDiskFull(error) ? fullAtStart(directory, error) : error
  })
}

function fullAtStart(directory: string, cause: unknown): StoreFull {
  const message = `the disk of ${directory} is full: free some space there, then start again; nothing of the store was changed`
  return new StoreFull(message, { cause })
}

async function openLocked(directory: string, options: LmdbStoreOptions): Promise<Store> {
  const lock = await lockDirectory(directory)
  try {
    const { environment, ownership } = await openOwned(directory, options.firstRevision)
    const watchBuffer = { ...defaultWatchBuffer, ...options.watchBuffer }
    return new LmdbStore({ directory, environment, ownership, lock, watchBuffer })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openOwned(
  directory: string,
  firstRevision: number | undefined,
): Promise<{ environment: Environment; ownership: StoreOwnership }> {
  requireWholeFile(directory)
  requireRoomToStart(directory)
  if (firstRevision === undefined) requireBegun(directory)
  const begun = firstRevision === undefined ? undefined : markBeginning(directory)
  const environment = openEnvironment(directory)
  try {
    const ownership = takeOwnership(environment, directory, firstRevision)
    begun?.()
    return { environment, ownership }
  } catch (error) {
    await environment.root.close()
    throw error
  }
}
