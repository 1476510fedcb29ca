import { asMembers } from '../base/json/lenient.ts'
import { parsePrinted } from '../base/json/parse.ts'
import { holdsLargeInteger } from '../registry/document.ts'
import { objectsRoot, parseRelativeKey, prefixOfKey } from '../registry/storage-key.ts'
import type { StoredValue } from '../storage/contract.ts'
import { newestFormat, storeFormat } from '../storage/format/store-format.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupHeader } from './envelope/header.ts'
import type { Keyring } from './envelope/keyring.ts'
import { parsedObject } from './parsed-object.ts'
import { type ReadBackup, readBackup } from './read-backup.ts'

/**
 * Reads a backup like a restore, into memory one frame at a time: every entry is decrypted, counted and compared with
 * the totals of its kind, and every object is decoded and must be under its own name. Throws BackupRefused otherwise.
 * `look` sees every entry.
 */
export function verifyBackup(
  name: string,
  bytes: AsyncIterable<Buffer>,
  keyring: Keyring,
  look: (entry: StoredValue) => void = () => {},
): Promise<ReadBackup> {
  const entry = (each: StoredValue) => {
    requireDecodable(each)
    look(each)
  }
  return readBackup(name, bytes, keyring, { begin: requireReadableFormat, entry })
}

/** A backup of a newer program contains what this one does not understand. */
function requireReadableFormat({ storeFormat: version, program }: BackupHeader): void {
  const newest = newestFormat(storeFormat)
  if (version <= newest) return
  throw new BackupRefused(
    `it was made by version ${program} with store format ${version}, and this program knows up to ${newest}: use a newer version of the program`,
  )
}

const lineFeed = 0x0a

function requireDecodable({ key, value }: StoredValue): void {
  if (!key.startsWith(objectsRoot)) return
  const { namespace, name } = parseRelativeKey(key.slice(prefixOfKey(key).length))
  const metadata = metadataOf(objectIn(shownPart(value), key))
  if (metadata.name !== name || (metadata.namespace ?? '') !== namespace)
    throw new BackupRefused(`the object at ${key} has another name or namespace`)
}

/** The sealed part follows on a separate line. */
export function shownPart(value: Uint8Array): Uint8Array {
  const end = value.indexOf(lineFeed)
  return end < 0 ? value : value.subarray(0, end)
}

/** Throws BackupRefused if it is not an object, without showing its content. */
export function objectIn(shown: Uint8Array, key: string): Readonly<Record<string, unknown>> {
  const object = parsedObject(() => parsePrinted(Buffer.from(shown).toString(), holdsLargeInteger(shown)))
  if (object === undefined) throw new BackupRefused(`the object at ${key} cannot be decoded`)
  return object
}

function metadataOf({ metadata }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return asMembers(metadata)
}
