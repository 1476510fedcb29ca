import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { AccessKeySpec, User } from '../../api/types/management.ts'
import type { Log } from '../../base/log.ts'
import type { Admitted, ResourceContext } from '../../registry/context.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import type { Store } from '../../storage/contract.ts'
import { livingStatus } from '../access-keys/life/status.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { recordOf, sealedOf } from '../access-keys/record/key-record.ts'
import { type SealedKey, sealedForm } from '../access-keys/record/sealed-key.ts'
import { administrator, administratorName } from '../bootstrap.ts'
import { platformRequest } from '../platform-user.ts'
import { removeSession } from '../sessions/remove-session.ts'
import {
  type AdminRecord,
  accessKeyHash,
  adminRecordKey,
  firstKeyName,
  isCurrentAdmin,
  noteMade,
  publicIdIn,
  readAdminRecord,
} from './admin-record.ts'

const manager = 'first-administrator'
const masters = 'system:masters'

export interface FirstKeyParts {
  readonly store: Store
  readonly keyParts: KeyParts
  readonly keys: () => ResourceContext
  readonly users: () => ResourceContext
  readonly log: Log
}

/**
 * Turns the administrator's key into an access key, once for each record: a key that is revoked, rotated or deleted
 * later stays so. A record that replaces others deletes their access keys. Every replica may run this, and again after
 * a crash. Returns the record if this replaced another one.
 */
export async function settleFirstKey(parts: FirstKeyParts): Promise<AdminRecord | undefined> {
  const { store, keys, users, keyParts } = parts
  const stored = await store.get(adminRecordKey)
  if (stored === undefined) return undefined
  const record = readAdminRecord(stored.value)
  if (!store.soleWriter) await caughtUp(keys().engine)
  if (record.isMade === true) {
    tellIfRevoked(parts, record)
    return undefined
  }
  const { replaced = [] } = record
  await ensureObject(
    users(),
    administrator(keyParts.kind.group),
    platformRequest(manager, new AbortController().signal),
  )
  if (replaced.length > 0) await unlock(parts)
  await createKey(parts, record)
  if (!(await isCurrentAdmin(store, record))) {
    // A replica that has made the next key by now did not find this one to delete.
    await removeSession(keys(), firstKeyName(record), undefined)
    return undefined
  }
  for (const name of replaced) await removeSession(keys(), name, undefined)
  await noteMade(store, record)
  return replaced.length > 0 ? record : undefined
}

function tellIfRevoked({ keyParts, log }: FirstKeyParts, record: AdminRecord): void {
  const document = keyParts.storedKey(firstKeyName(record))
  if (document === undefined) {
    log.warn("the first administrator's key was deleted; if it is missed: tenant platform admin reset")
  } else if (sealedOf(document)?.hash !== accessKeyHash(record.hash)) {
    log.info("the first administrator's key was rotated: its value is no longer that of admin.key", {
      key: document.name,
    })
  }
}

async function createKey(parts: FirstKeyParts, record: AdminRecord): Promise<void> {
  const { keyParts } = parts
  const context: ResourceContext = {
    ...parts.keys(),
    hooks: { admitCreate: (object) => admitted(object, record, keyParts) },
  }
  const { kind } = keyParts
  const spec: AccessKeySpec = {
    displayName: 'First administrator',
    description: `Its value was made by ${record.madeBy}.`,
    user: administratorName,
    groups: [masters],
    type: 'User',
  }
  const metadata = { name: firstKeyName(record) }
  const value = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata, spec }
  try {
    const request = platformRequest(manager, new AbortController().signal)
    await createObject(context, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
  } catch (error) {
    // Created by another replica, or by this one before a crash.
    if (!isRefusal(error, 409)) throw error
  }
}

function admitted(object: KubeObject, record: AdminRecord, { directory, settings, clock }: KeyParts): Admitted {
  const nowMs = clock.now()
  const ownerUid = directory.uidOf({ kind: 'user', name: administratorName })
  const sealed: SealedKey = {
    hash: accessKeyHash(record.hash),
    issuedAtMs: nowMs,
    ...(ownerUid === undefined ? {} : { ownerUid }),
  }
  const status = { keyId: publicIdIn(record) }
  const life = livingStatus(status, recordOf({ ...object, status }, sealed), settings, nowMs)
  return { object: { ...object, status: life }, sealed: sealedForm(sealed) }
}

/** An operator who makes a new key expects to sign in with it. */
async function unlock({ users, log }: FirstKeyParts): Promise<void> {
  const unlocked = (object: KubeObject): KubeObject | undefined => {
    const { spec = {} } = object as User
    if (spec.disabled !== true) return undefined
    log.warn('the user admin was locked, and is unlocked by a new key of the first administrator')
    return { ...object, spec: { ...spec, disabled: false } }
  }
  const request = platformRequest(manager, new AbortController().signal)
  await editObject(users(), { namespace: '', name: administratorName }, unlocked, request)
}
