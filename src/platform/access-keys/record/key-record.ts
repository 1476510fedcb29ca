import type { KubeObject } from '../../../api/object.ts'
import type { KeyRecord } from '../../../auth/keys/contract.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { accessKeyOf, ownerOf } from './access-key.ts'
import { readSealed, type SealedKey } from './sealed-key.ts'

/** The facts that the index needs about a stored key; undefined if the key has no usable value. */
export function keyRecordOf(document: StoredDocument): KeyRecord | undefined {
  return storedKeyOf(document)?.record
}

/** For a key that is known to have a value. */
export function readKeyRecord(document: StoredDocument): KeyRecord {
  const record = keyRecordOf(document)
  if (record === undefined) throw new Error(`The access key ${document.name} has no value or no owner.`)
  return record
}

/** The record together with the sealed part. */
export function storedKeyOf(
  document: StoredDocument,
): { readonly record: KeyRecord; readonly sealed: SealedKey } | undefined {
  const sealed = sealedOf(document)
  const record = sealed && recordOf(JSON.parse(document.itemText), sealed)
  return sealed === undefined || record === undefined ? undefined : { record, sealed }
}

export function sealedOf({ sealedText }: Pick<StoredDocument, 'sealedText'>): SealedKey | undefined {
  return sealedText === undefined ? undefined : readSealed(JSON.parse(sealedText))
}

export function recordOf(object: KubeObject, sealed: SealedKey): KeyRecord | undefined {
  const { metadata, spec = {}, status = {} } = accessKeyOf(object)
  const owner = ownerOf(spec)
  if (owner === undefined) return undefined
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    keyId: status.keyId ?? '',
    hash: sealed.hash,
    previous: sealed.previous,
    owner,
    groups: spec.groups ?? [],
    type: spec.type ?? '',
    disabled: spec.disabled === true,
    deletionRequested: metadata.deletionTimestamp !== undefined,
    createdAtMs: timeOf(metadata.creationTimestamp ?? undefined) ?? 0,
    issuedAtMs: sealed.issuedAtMs,
    ttlSeconds: spec.ttl ?? 0,
    ttlAfterLastActivity: spec.ttlAfterLastActivity === true,
    hasExpired: status.phase === 'Expired',
    lastActivityMs: timeOf(status.lastActivity),
    scope: spec.scope,
    session: sealed.session,
  }
}

export function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
