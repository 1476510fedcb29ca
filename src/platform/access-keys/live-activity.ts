import type { KeyIndex } from '../../auth/keys/contract.ts'
import { timestamp } from '../../base/clock.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { accessKeyOf } from './access-key.ts'
import { rotationStatus } from './previous-value.ts'

/** The key with its last use as this process knows it, which is stored only now and then. */
export function withLiveActivity(document: StoredDocument, index: KeyIndex): StoredDocument {
  const uid = uidOf(document, index)
  const lastUsedFrom = index.lastUsedFrom(uid)
  const lastMs = index.lastActivityMs(uid)
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

const uidMember = '"uid":"'

/** Found in the text, because lists are long and few keys in them have been used since they were stored. */
function uidOf(document: StoredDocument, index: KeyIndex): string {
  const { itemJson, name } = document
  const start = itemJson.indexOf(uidMember) + uidMember.length
  const uid = itemJson.toString('latin1', start, itemJson.indexOf('"', start))
  return index.find(uid)?.name === name ? uid : (document.object.metadata.uid ?? '')
}
