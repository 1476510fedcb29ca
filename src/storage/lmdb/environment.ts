import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { isStoreFile } from './file-check.ts'
import { type KeyBound, revisionKeys, textKeys } from './keys.ts'
import { type Pointer, pointerEncoding } from './pointer.ts'
import { decodeState, encodeState, formatVersion, type StoreState, stateFrom, stateKey } from './state.ts'

/** The tables of one directory. */
export interface Environment {
  readonly root: RootDatabase<Buffer, string>
  /** revision → entry */
  readonly log: Database<Buffer, number>
  /** key → latest revision */
  readonly pointers: Database<Pointer, KeyBound>
  /** One record; its lmdb version is the epoch of the process that owns the store. */
  readonly meta: Database<Buffer, string>
}

/**
 * The file grows as needed; its limits are the disk and the 128 TiB address space of a process. Commits are synced
 * before they become visible (`overlappingSync: false`): what a reader sees has survived a power cut, and a failed sync
 * fails the commit, which the overlapping mode would only print.
 */
export function openEnvironment(directory: string): Environment {
  if (!isStoreFile(directory)) throw unreadable(directory)
  try {
    const environment = openTables(directory)
    hideFromOthers(directory)
    return environment
  } catch (error) {
    throw unreadable(directory, error)
  }
}

/** lmdb creates files that everyone can read, in a directory that everyone may be able to enter. */
function hideFromOthers(directory: string): void {
  for (const file of ['data.mdb', 'lock.mdb']) {
    try {
      chmodSync(join(directory, file), 0o600)
    } catch {
      // The file belongs to another user, who decides on its mode: on a volume, for example.
    }
  }
}

function unreadable(directory: string, cause?: unknown): Error {
  const message = `cannot open the store in ${directory}: data.mdb is damaged or no store; restore it or move it away`
  return new Error(message, { cause })
}

function openTables(directory: string): Environment {
  const root = open<Buffer, string>({
    path: directory,
    noSubdir: false,
    maxDbs: 4,
    encoding: 'binary',
    overlappingSync: false,
    // The writer forms the batches. lmdb's own batching by event turn leaves unhandled rejections when a commit fails.
    eventTurnBatching: false,
  })
  const log = { encoding: 'binary' as const, keyEncoder: revisionKeys }
  const pointers = { encoding: 'binary' as const, keyEncoder: textKeys, encoder: pointerEncoding }
  const meta = { encoding: 'binary' as const, useVersions: true }
  return {
    root,
    log: root.openDB<Buffer, number>('log', log),
    pointers: root.openDB<Pointer, KeyBound>('pointers', pointers),
    meta: root.openDB<Buffer, string>('meta', meta),
  }
}

export interface StoreOwnership {
  readonly state: StoreState
  readonly epoch: number
}

/**
 * Reads the state and raises the epoch in one transaction. Every later commit is conditional on the epoch, so that a
 * process that has lost the store, for whatever reason, can no longer write to it.
 */
export function takeOwnership(environment: Environment, directory: string, firstRevision = 0): StoreOwnership {
  const { meta } = environment
  return meta.transactionSync(() => {
    const entry = meta.getEntry(stateKey)
    const recorded = entry === undefined ? stateFrom(firstRevision) : readState(entry.value, directory)
    const state = { ...recorded, revision: Math.max(recorded.revision, lastLogged(environment)) }
    const epoch = (entry?.version ?? 0) + 1
    meta.putSync(stateKey, encodeState(state), epoch)
    return { state, epoch }
  })
}

/** Whether the process with this epoch still owns the store. */
export function ownsEpoch({ meta }: Environment, epoch: number): boolean {
  return meta.getEntry(stateKey)?.version === epoch
}

function lastLogged(environment: Environment): number {
  for (const revision of environment.log.getKeys({ start: Number.MAX_SAFE_INTEGER, end: 0, reverse: true, limit: 1 })) {
    return revision
  }
  return 0
}

function readState(bytes: Buffer, directory: string): StoreState {
  const reading = decodeState(bytes)
  switch (reading.kind) {
    case 'valid':
      return reading.state
    case 'too-new':
      throw new Error(
        `the store in ${directory} has format ${reading.version}, this version reads up to ${formatVersion}: use a newer version`,
      )
    case 'corrupt':
      throw new Error(`the store in ${directory} is damaged: its state record cannot be read; restore it from a backup`)
  }
}
