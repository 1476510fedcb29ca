import type { Store, StoredValue } from '../contract.ts'
import { decodeFormat, encodeFormat, type FormatRecord, firstFormat, formatKey } from './format-record.ts'
import { type KnownFormat, type Migration, newestFormat, storeFormat } from './store-format.ts'

/** The store has a format that this program must not touch. The message says which, and what to do. */
export class StoreFormatRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreFormatRefused'
  }
}

/**
 * Ensures that this program may read and write the store, before anything else does. A store without a record gets one,
 * an older one is migrated, and a newer one is refused. Replicas that start together do the same, and one of them
 * records it.
 */
export async function agreeOnFormat(store: Store, place: string, known: KnownFormat = storeFormat): Promise<void> {
  for (;;) {
    const stored = await store.get(formatKey)
    const isDone =
      stored === undefined ? await firstRecord(store, place, known) : await brought(store, stored, place, known)
    if (isDone) return
  }
}

/** A store that is not empty predates the record. */
async function firstRecord(store: Store, place: string, known: KnownFormat): Promise<boolean> {
  const { items, revision } = await store.list('', { limit: 1 })
  // Only a store that is about to be filled begins at a later revision.
  if (items.length === 0 && store.soleWriter && revision > 0) throw unfinished(place)
  const record = items.length === 0 ? currentRecord(known) : firstFormat
  const { outcome } = await store.create(formatKey, encodeFormat(record))
  return outcome === 'written' && record.version === known.version
}

function currentRecord({ version, migrations }: KnownFormat): FormatRecord {
  return { version, readableBy: migrations.at(-1)?.readableBy ?? version }
}

/** True once nothing is left to do. */
async function brought(store: Store, stored: StoredValue, place: string, known: KnownFormat): Promise<boolean> {
  const record = decodeFormat(stored.value)
  if (record === undefined) throw unreadable(place)
  if (record.movedTo !== undefined) throw moved(place, record.movedTo)
  if (record.restoring !== undefined) throw unfinished(place, record.restoring)
  if (record.readableBy > newestFormat(known)) throw tooNew(place, record, known)
  if (record.version >= known.version) return true
  const next = known.migrations.find(({ to }) => to === record.version + 1)
  if (next === undefined) throw tooOld(place, record, known)
  await migrated(store, stored, next)
  return false
}

/** Migrations are idempotent, so an interrupted or repeated one does no harm. */
async function migrated(store: Store, stored: StoredValue, { to, readableBy, run }: Migration): Promise<void> {
  await run(store)
  await store.update(formatKey, encodeFormat({ version: to, readableBy }), stored.revision)
}

function tooNew(place: string, { version, readableBy }: FormatRecord, known: KnownFormat): StoreFormatRefused {
  return new StoreFormatRefused(
    `${place} has store format ${version}, which programs of format ${readableBy} and newer read; this one reads up to ${newestFormat(known)}: use the version of the program that wrote it, or a newer one`,
  )
}

function tooOld(place: string, { version }: FormatRecord, known: KnownFormat): StoreFormatRefused {
  return new StoreFormatRefused(
    `${place} has store format ${version}, and this program knows no way from there to ${known.version}: open it with an older version of the program first`,
  )
}

function unfinished(place: string, backup?: string): StoreFormatRefused {
  const what = backup === undefined ? 'a copy into it' : `the restore of ${backup}`
  return new StoreFormatRefused(`${place} is incomplete: ${what} did not finish; remove it, and start again`)
}

function moved(place: string, to: string): StoreFormatRefused {
  return new StoreFormatRefused(`the objects of ${place} were moved to ${to}, and are outdated here: use that store`)
}

function unreadable(place: string): StoreFormatRefused {
  return new StoreFormatRefused(
    `${place} does not say which format it has (${formatKey} cannot be read): restore it from a backup`,
  )
}
