import type { KeyIndex } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import { MemberCursor } from '../../../base/json/member-cursor.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { accessKeyOf } from '../record/access-key.ts'
import { rotationStatus } from './previous-value.ts'

/** The key with the last use that this process knows of, which is stored only from time to time. */
export function withLiveActivity(document: StoredDocument, index: KeyIndex): StoredDocument {
  const uid = document.readShown(uidIn) ?? document.object.metadata.uid ?? ''
  const lastUsedFrom = index.lastUsedFrom(uid)
  const lastMs = lastUsedFrom === undefined ? undefined : index.lastActivityMs(uid)
  if (lastUsedFrom === undefined || lastMs === undefined) return document
  const lastActivity = timestamp(lastMs)
  const previousUsers = index.previousUsers(uid)
  const isStored = document.itemJson.includes(`"lastActivity":"${lastActivity}"`)
  if (isStored && previousUsers.length === 0) return document
  const { object } = document
  const { status = {}, spec = {} } = accessKeyOf(object)
  const { rotation } = status
  const endMs = spec.ttlAfterLastActivity === true ? index.expiresAtMs(uid) : undefined
  return document.showing({
    ...object,
    status: {
      ...status,
      lastActivity,
      lastUsedFrom,
      ...(endMs === undefined ? {} : { expiresAt: timestamp(endMs) }),
      ...(rotation === undefined ? {} : { rotation: rotationStatus(rotation, previousUsers) }),
    },
  })
}

/**
 * Reads the uid from the text without parsing, because lists are long and few keys in them were used since they were
 * stored.
 */
function uidIn(bytes: Buffer, start: number, end: number): string | undefined {
  const cursor = new MemberCursor(bytes, start, end)
  const isAtMetadata = cursor.enter() && cursor.next() && cursor.isNamed('metadata')
  for (let more = isAtMetadata && cursor.enter() && cursor.next(); more; more = cursor.next()) {
    const value = cursor.isNamed('uid') ? cursor.value() : cursor.passOver()
    if (typeof value === 'string') return value
  }
  return undefined
}
