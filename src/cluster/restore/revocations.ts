import { deepEqual } from '../../base/equal.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import type { AnyInstance } from './any-instance.ts'

/** The parts of a key that matter for revocation. */
export interface AnyKey {
  readonly name: string
  readonly uid: string
  readonly keyId: string
  /** Without the value, and without `disabled`. */
  readonly spec: Readonly<Record<string, unknown>>
  readonly isEnded: boolean
}

/** What is known about keys revoked since a backup was made. */
export type KnownRevocations =
  /** The current keys and virtual clusters of the platform, by uid. */
  | {
      readonly known: 'platform'
      readonly keys: ReadonlyMap<string, AnyKey>
      readonly instances: ReadonlyMap<string, AnyInstance>
    }
  /** Names, uids and ids of keys, and uids or `PROJECT/NAME` of virtual clusters, listed by an operator. */
  | { readonly known: 'list'; readonly revoked: ReadonlySet<string> }
  | { readonly known: 'nothing' }

/** Reads an access key as stored, or as shown by a platform. */
export function keyIn(object: Readonly<Record<string, unknown>>): AnyKey {
  const { name, uid, deletionTimestamp } = asMembers(object.metadata)
  const { key: _, disabled, ...spec } = asMembers(object.spec)
  const { keyId, phase } = asMembers(object.status)
  const isEnded = disabled === true || deletionTimestamp !== undefined || phase === 'Expired'
  return { name: asText(name), uid: asText(uid), keyId: asText(keyId), spec, isEnded }
}

/**
 * Whether a key of a backup must not grant anything again. Compared with the current platform, a key survives only if
 * it is the same there: the same object with the same value, scope and owner, and neither disabled, deleted nor
 * expired.
 */
export function isRevoked(key: AnyKey, revocations: KnownRevocations): boolean {
  switch (revocations.known) {
    case 'nothing':
      return true
    case 'list':
      return [key.name, key.uid, key.keyId].some((each) => each !== '' && revocations.revoked.has(each))
    case 'platform': {
      const now = revocations.keys.get(key.uid)
      return now === undefined || now.isEnded || now.keyId !== key.keyId || !deepEqual(now.spec, key.spec)
    }
  }
}

/** The same for the first administrator's key, if a backup has only its record, which has no uid and no spec. */
export function isFirstKeyRevoked(key: Pick<AnyKey, 'name' | 'keyId'>, revocations: KnownRevocations): boolean {
  switch (revocations.known) {
    case 'nothing':
      return true
    case 'list':
      return revocations.revoked.has(key.name) || revocations.revoked.has(key.keyId)
    case 'platform':
      return ![...revocations.keys.values()].some(
        ({ name, keyId, isEnded }) => name === key.name && keyId === key.keyId && !isEnded,
      )
  }
}

const mostRevocations = 1_000_000

/** One name, uid or id of a key, or one virtual cluster, on each line; lines that begin with # are comments. */
export function readRevocations(lines: string): KnownRevocations {
  const revoked = new Set<string>()
  for (const line of lines.split('\n')) {
    const entry = line.trim()
    if (entry !== '' && !entry.startsWith('#')) revoked.add(entry)
    if (revoked.size > mostRevocations) throw new Error(`there are more than ${mostRevocations} revocations`)
  }
  return { known: 'list', revoked }
}
