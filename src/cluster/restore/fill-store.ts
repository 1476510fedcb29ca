import { BackupRefused } from '../../backup/backup-refused.ts'
import { differenceOf, Tally } from '../../backup/records/tally.ts'
import type { Store, StoredValue } from '../../storage/contract.ts'
import { encodeFormat, formatKey, formatRoot } from '../../storage/format/format-record.ts'
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
export async function requireEmptyStore({ store, url }: Pick<StoreFilling, 'store' | 'url'>): Promise<void> {
  const { items } = await store.list('', { limit: 1 })
  if (items.length > 0)
    throw new BackupRefused(`the store ${url} is not empty, and nothing in it is replaced: name an empty one`)
}

/**
 * Fills an empty store. Until everything was written and read back, the store is marked as incomplete, and no server
 * opens it.
 */
export async function fillStore(filling: StoreFilling, send: (take: TakeEntry) => Promise<void>): Promise<FilledStore> {
  const { store, from, storeFormat } = filling
  await requireEmptyStore(filling)
  const format = { version: storeFormat, readableBy: storeFormat }
  const begun = await store.create(formatKey, encodeFormat({ ...format, restoring: from }))
  if (begun.outcome !== 'written') throw anotherWriter()
  const writes = new WritesUnderWay()
  const tally = new Tally()
  await send(async ({ key, value }) => {
    const entry = { key, value, revision: 0 }
    tally.add(entry)
    await writes.begin(() => createEntry(store, entry), value.byteLength)
  })
  await writes.ended()
  const entries = await requireWritten(store, tally)
  const ended = await store.update(formatKey, encodeFormat(format), begun.revision)
  if (ended.outcome !== 'written') throw anotherWriter()
  return { entries, revision: ended.revision }
}

async function createEntry(store: Store, { key, value }: StoredValue): Promise<void> {
  const { outcome } = await store.create(key, value)
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
  if (difference !== undefined) throw new BackupRefused(`the store does not hold what was written: ${difference}`)
  return totals.entries
}

function anotherWriter(): BackupRefused {
  return new BackupRefused('another process writes to the store: stop it, empty the store, and begin again')
}
