import { BackupRefused } from '../../backup/backup-refused.ts'
import { differenceOf, Tally } from '../../backup/records/tally.ts'
import type { Store, StoredValue } from '../../storage/contract.ts'
import { decodeFormat, encodeFormat, formatKey, formatRoot } from '../../storage/format/format-record.ts'
import { WritesUnderWay } from './writes-under-way.ts'

/** Receives one entry after the other, in the order of their keys. */
export type TakeEntry = (entry: Omit<StoredValue, 'revision'>) => Promise<void>

export interface FilledStore {
  readonly entries: number
  /** The newest revision of the store. */
  readonly revision: number
}

export interface StoreFilling {
  readonly store: Store
  /** As named by the operator. */
  readonly url: string
  /** The source of the content, for messages. */
  readonly from: string
  readonly storeFormat: number
}

/** Clients may know revisions from some time after the backup, so none of these is assigned again. */
export const revisionGap = 1_000_000_000

/** Throws BackupRefused for a store that is not empty. */
async function requireEmptyStore({ store, url }: Pick<StoreFilling, 'store' | 'url'>): Promise<void> {
  const { items } = await store.list('', { limit: 1 })
  if (items.length > 0)
    throw new BackupRefused(`the store ${url} is not empty, and nothing in it is replaced: name an empty one`)
}

/**
 * Fills an empty store. Until everything was written and read back, the store is marked as incomplete, and no server
 * opens it.
 */
export async function fillStore(filling: StoreFilling, send: SendEntries): Promise<FilledStore> {
  const { store, from } = filling
  await requireEmptyStore(filling)
  const begun = await store.create(formatKey, encodeFormat({ ...formatOf(filling), restoring: from }))
  if (begun.outcome !== 'written') throw anotherWriter()
  return fillMarked(filling, begun.revision, send, createEntry)
}

/**
 * The same, but continues if it was interrupted before. `isSent`: whether the source has an entry. A process that still
 * fills the store fails, and overwrites nothing that was written since.
 */
export async function continueFilling(
  filling: StoreFilling,
  send: SendEntries,
  isSent: (key: string) => Promise<boolean>,
): Promise<FilledStore> {
  const { store } = filling
  const mark = await store.get(formatKey)
  if (mark === undefined || decodeFormat(mark.value)?.restoring !== filling.from) return fillStore(filling, send)
  const taken = await store.update(formatKey, mark.value, mark.revision)
  if (taken.outcome !== 'written') throw anotherWriter()
  const { revision: begun } = taken
  await store.list('', {
    each: async ({ key, revision }) => {
      if (key.startsWith(formatRoot) || (await isSent(key))) return
      await store.delete(key, revision)
    },
  })
  return fillMarked(filling, begun, send, (to, entry) => putEntry(to, entry, begun))
}

type SendEntries = (take: TakeEntry) => Promise<void>

async function fillMarked(
  filling: StoreFilling,
  markRevision: number,
  send: SendEntries,
  write: (store: Store, entry: StoredValue) => Promise<void>,
): Promise<FilledStore> {
  const { store } = filling
  const writes = new WritesUnderWay()
  const tally = new Tally()
  await send(async ({ key, value }) => {
    const entry = { key, value, revision: 0 }
    tally.add(entry)
    await writes.begin(() => write(store, entry), value.byteLength)
  })
  await writes.ended()
  const entries = await requireWritten(store, tally)
  const ended = await store.update(formatKey, encodeFormat(formatOf(filling)), markRevision)
  if (ended.outcome !== 'written') throw anotherWriter()
  return { entries, revision: ended.revision }
}

function formatOf({ storeFormat }: StoreFilling) {
  return { version: storeFormat, readableBy: storeFormat }
}

async function createEntry(store: Store, { key, value }: StoredValue): Promise<void> {
  const { outcome } = await store.create(key, value)
  if (outcome !== 'written') throw anotherWriter()
}

/** Overwrites what was there when filling was continued. */
async function putEntry(store: Store, { key, value }: StoredValue, begunRevision: number): Promise<void> {
  const created = await store.create(key, value)
  if (created.outcome === 'written') return
  const { current } = created
  if (current === undefined) throw anotherWriter()
  if (Buffer.compare(current.value, value) === 0) return
  if (current.revision > begunRevision) throw anotherWriter()
  const { outcome } = await store.update(key, value, current.revision)
  if (outcome !== 'written') throw anotherWriter()
}

/** Returns the number of entries. */
async function requireWritten(store: Store, written: Tally): Promise<number> {
  const found = new Tally()
  await store.list('', {
    each: ({ key, value }) => {
      if (!key.startsWith(formatRoot)) found.add({ key, value, revision: 0 })
    },
  })
  const totals = found.totals()
  const difference = differenceOf(written.totals(), totals)
  if (difference !== undefined) throw new BackupRefused(`the store differs from the written data: ${difference}`)
  return totals.entries
}

function anotherWriter(): BackupRefused {
  return new BackupRefused('another process writes to the store: stop it, empty the store, and begin again')
}
