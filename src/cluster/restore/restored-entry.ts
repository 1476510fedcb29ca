import { objectIn, shownPart } from '../../backup/verify-backup.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { adminRecordKey, firstKeyName, publicIdIn, readableRecord } from '../../platform/identity/admin-record.ts'
import { identityRoot } from '../../platform/identity/root.ts'
import { signOnRoot } from '../../sign-on/stored/store-root.ts'
import type { StoredValue } from '../../storage/contract.ts'
import { accessKeyPlace } from './access-key-place.ts'
import type { FirstKey } from './first-key-survey.ts'
import { restoredIdentity, virtualClusterPlace } from './restored-identity.ts'
import { isFirstKeyRevoked, isRevoked, type KnownRevocations, keyIn } from './revocations.ts'

/** What happens to an entry of a backup in a new store. */
export type RestoredEntry =
  | { readonly fate: 'kept'; readonly value: Uint8Array }
  /** An access key that grants nothing until an administrator enables it. */
  | { readonly fate: 'disabled'; readonly value: Uint8Array; readonly keyName: string }
  /** A virtual cluster whose proof is void until an administrator issues another. */
  | { readonly fate: 'without proof'; readonly value: Uint8Array; readonly name: string }
  | { readonly fate: 'left out' }

/** Data that is valid for minutes, and only once: a restore would make it valid again. */
const signInsUnderWay: readonly string[] = ['codes/', 'oidc-codes/', 'tickets/', 'devices/', 'tried/'].map(
  (place) => signOnRoot + place,
)

/** Facts for restoring entries. */
export interface RestoreKnowledge {
  readonly revocations: KnownRevocations
  /** The first key in the backup. */
  readonly firstKey: FirstKey | undefined
}

export function restoredEntry(entry: StoredValue, { revocations, firstKey }: RestoreKnowledge): RestoredEntry {
  const { key, value } = entry
  if (signInsUnderWay.some((place) => key.startsWith(place))) return { fate: 'left out' }
  if (givesWay(key, { revocations, firstKey })) return { fate: 'left out' }
  if (key === adminRecordKey) return { fate: 'kept', value: restoredRecord(value, revocations) }
  // Servers publish their own when they start.
  if (key.startsWith(identityRoot)) return { fate: 'left out' }
  if (accessKeyPlace.test(key)) return restoredKey(entry, revocations)
  return virtualClusterPlace.test(key) ? restoredInstance(entry, revocations) : { fate: 'kept', value }
}

function restoredInstance(entry: StoredValue, revocations: KnownRevocations): RestoredEntry {
  const identity = restoredIdentity(entry, revocations)
  if (!identity.isVoid) return { fate: 'kept', value: entry.value }
  return { fate: 'without proof', value: identity.value, name: identity.name }
}

/**
 * If nothing is known about revocations, the first administrator's key is that of the server that starts with the
 * store, from its data directory or Secret: the key in the backup may have been replaced since. If it was revoked by
 * then, it stays revoked. The same applies if the backup has none.
 */
export function takesKeyOfServer({ revocations, firstKey }: RestoreKnowledge): boolean {
  return firstKey === undefined || (revocations.known === 'nothing' && firstKey.isGood)
}

function givesWay(key: string, knowledge: RestoreKnowledge): boolean {
  const { firstKey } = knowledge
  if (firstKey === undefined) return false
  const isKey = (name: string) => accessKeyPlace.test(key) && key.endsWith(`/${name}`)
  if (firstKey.replaced.some(isKey)) return true
  return takesKeyOfServer(knowledge) && (key === adminRecordKey || isKey(firstKey.name))
}

/**
 * A server makes an access key from a record that has none yet. A record whose key was revoked since is marked as made,
 * so that it does not.
 */
function restoredRecord(value: Uint8Array, revocations: KnownRevocations): Uint8Array {
  const record = readableRecord(value)
  if (record === undefined || record.isMade === true) return value
  if (!isFirstKeyRevoked({ name: firstKeyName(record), keyId: publicIdIn(record) }, revocations)) return value
  const { replaced: _, ...rest } = record
  return Buffer.from(JSON.stringify({ ...rest, isMade: true }))
}

function restoredKey({ key, value }: StoredValue, revocations: KnownRevocations): RestoredEntry {
  const shown = shownPart(value)
  const object = objectIn(shown, key)
  const accessKey = keyIn(object)
  // Its value changes with each use, and only its hash would show that.
  if (accessKey.spec.type === 'OIDCRefreshToken') return { fate: 'left out' }
  const sealed = value.subarray(shown.length + 1)
  const parts = [Buffer.from(shown), withoutPrevious(sealed, key)]
  if (accessKey.isEnded || !isRevoked(accessKey, revocations)) return { fate: 'kept', value: joined(parts) }
  parts[0] = Buffer.from(JSON.stringify(disabled(object)))
  return { fate: 'disabled', value: joined(parts), keyName: accessKey.name }
}

function disabled(object: Readonly<Record<string, unknown>>): object {
  const spec = asMembers(object.spec)
  const status = asMembers(object.status)
  return { ...object, spec: { ...spec, disabled: true }, status: { ...status, phase: 'Disabled' } }
}

/** The overlap of a rotation ends with a restore, because it may have been ended early since. */
function withoutPrevious(sealed: Uint8Array, key: string): Buffer {
  if (sealed.length === 0) return Buffer.alloc(0)
  const { previous: _, ...rest } = objectIn(sealed, key)
  return Buffer.from(JSON.stringify(rest))
}

function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [part] : part.length === 0 ? [] : [lineFeed, part])),
  )
}

const lineFeed = Buffer.from('\n')
