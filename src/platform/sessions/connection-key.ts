import type { Credential, UserInfo } from '../../api/access.ts'
import { forbidden, unauthorized } from '../../api/error.ts'
import { makesNoneReason } from '../../api/management/connection-key.ts'
import type { KubeObject } from '../../api/object.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { KnownKey } from '../../auth/keys/contract.ts'
import { scopeText } from '../../auth/keys/index/key-checks.ts'
import { type KeyValue, mintKey } from '../../auth/keys/values/key-value.ts'
import { isWithin } from '../../auth/scope/within.ts'
import { timestamp } from '../../base/clock.ts'
import type { Admitted, ResourceContext } from '../../registry/context.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { livingStatus } from '../access-keys/life/status.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { ownerFieldsOf } from '../access-keys/record/access-key.ts'
import { recordOf, timeOf } from '../access-keys/record/key-record.ts'
import { type SealedKey, sealedForm } from '../access-keys/record/sealed-key.ts'
import { userNameOf } from '../owners/caller.ts'
import { platformRequest } from '../platform-user.ts'
import { removeSession } from './remove-session.ts'
import { heldSession, sessionsToEnd } from './sessions-to-end.ts'

const manager = 'connection-keys'

export interface ConnectionScope {
  readonly project: string
  readonly virtualCluster: string
  readonly ttlSeconds: number
}

export interface MadeConnectionKey {
  readonly name: string
  /** Returned once; only its hash is stored. */
  readonly value: string
  readonly endMs: number
}

/**
 * A key for one virtual cluster that belongs to the owner of the key in use, is short-lived, and ends with that key at
 * the latest. Apart from its value being a bearer token, it is a session.
 */
export async function makeConnectionKey(
  parts: KeyParts,
  keys: ResourceContext,
  user: UserInfo,
  connection: ConnectionScope,
): Promise<MadeConnectionKey> {
  const { clock, random, index } = parts
  const inUse = keyInUse(user, parts)
  const nowMs = clock.now()
  const ownEndMs = nowMs + connection.ttlSeconds * 1000
  const endMs = Math.min(ownEndMs, index.expiresAtMs(inUse.key.uid) ?? ownEndMs)
  const minted = mintKey(random)
  const context: ResourceContext = {
    ...keys,
    hooks: { admitCreate: (object) => admitted(object, { parts, inUse, minted, nowMs, endMs }) },
  }
  const value = manifest(parts, inUse.key, connection)
  const request = platformRequest(manager, new AbortController().signal)
  const { document } = await createObject(context, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
  if (index.check(minted.value, clock.now()).state !== 'valid') {
    // The key in use has ended meanwhile.
    await removeSession(keys, document.name, undefined)
    throw unauthorized()
  }
  await makeRoom(parts, keys, inUse.key, document.name)
  return { name: document.name, value: minted.value, endMs }
}

interface KeyInUse {
  readonly key: KnownKey
  readonly credential: Credential
}

/** Throws a 403 unless the caller uses an access key of their own. */
export function keyInUse({ name, credential }: UserInfo, { index, directory, kind }: KeyParts): KeyInUse {
  const key = credential && index.find(credential.keyUid)
  const refusal = (why: string, reason?: string) => {
    const details = reason === undefined ? {} : { causes: [{ reason, message: why }] }
    return forbidden({ plural: 'connectionkeys', group: kind.group }, '', why, details)
  }
  if (credential === undefined || key === undefined) {
    throw refusal('a connection key is made with an access key', makesNoneReason)
  }
  if (key.session !== undefined) {
    throw refusal('a session or a connection key cannot make connection keys', makesNoneReason)
  }
  if (userNameOf(key.owner, directory) !== name)
    throw refusal('a connection key is not made in the name of another user')
  return { key, credential }
}

function manifest(
  { kind, environment }: KeyParts,
  key: KnownKey,
  { project, virtualCluster, ttlSeconds }: ConnectionScope,
) {
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { generateName: 'connection-' },
    spec: {
      displayName: `Connection to ${project}/${virtualCluster}`,
      ...ownerFieldsOf(key.owner),
      ...(key.groups.length === 0 ? {} : { groups: key.groups }),
      scope: scopeFor(key.scope?.source, { virtualClusters: [{ project, virtualCluster }] }, environment),
      ttl: ttlSeconds,
      type: 'Login',
      parent: key.name,
    },
  }
}

/** The scope of the connection. If the key in use does not cover all of it, the narrower scope of that key. */
function scopeFor(
  held: AccessKeyScope | undefined,
  wanted: AccessKeyScope,
  environment: KeyParts['environment'],
): AccessKeyScope {
  return held === undefined || isWithin(wanted, held, environment) ? wanted : held
}

interface Making {
  readonly parts: KeyParts
  readonly inUse: KeyInUse
  readonly minted: KeyValue
  readonly nowMs: number
  readonly endMs: number
}

function admitted(object: KubeObject, { parts, inUse: { key, credential }, minted, nowMs, endMs }: Making): Admitted {
  const ownerUid = parts.directory.uidOf(key.owner)
  const sealed: SealedKey = {
    hash: minted.hash,
    issuedAtMs: nowMs,
    ...(ownerUid === undefined ? {} : { ownerUid }),
    session: {
      startedWith: { kind: 'key', uid: key.uid, keyId: credential.keyId },
      latestEndMs: endMs,
      connectionWithin: scopeText(key.scope?.source),
    },
  }
  const status = { keyId: minted.keyId, session: { startedWith: key.name, latestEnd: timestamp(endMs) } }
  const record = recordOf({ ...object, status }, sealed)
  return {
    object: { ...object, status: livingStatus(status, record, parts.settings, nowMs) },
    sealed: sealedForm(sealed),
  }
}

/** As with sessions, one more key ends another. A new key counts as just used. */
async function makeRoom(
  { index, storedKey, settings }: KeyParts,
  keys: ResourceContext,
  { owner }: KnownKey,
  newest: string,
): Promise<void> {
  const all = index.connectionKeysOf(owner)
  if (all.length <= settings.connectionKeysPerOwner) return
  const createdMs = (name: string) => timeOf(storedKey(name)?.object.metadata.creationTimestamp ?? undefined) ?? 0
  const held = all.map((key) => heldSession(key, index, createdMs(key.name)))
  const ending = sessionsToEnd(held, newest, settings.connectionKeysPerOwner)
  await Promise.all(ending.map(({ name, uid }) => removeSession(keys, name, uid)))
}
