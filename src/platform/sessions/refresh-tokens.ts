import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { AccessKeySpec, User } from '../../api/types/management.ts'
import type { KnownKey, StartedWith } from '../../auth/keys/contract.ts'
import { mintKey } from '../../auth/keys/values/key-value.ts'
import { hashRefresh, mintRefresh, refreshFamilyOf, sidOf } from '../../auth/keys/values/refresh-value.ts'
import type {
  BrowserSession,
  OidcApplication,
  OidcGrant,
  OidcGrants,
  OidcUser,
  RefreshedGrant,
} from '../../auth/oidc-grants.ts'
import { timestamp } from '../../base/clock.ts'
import type { Admitted, ResourceContext } from '../../registry/context.ts'
import { type StoredDocument, sealedBytes } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { storeChanged } from '../../registry/stored-write.ts'
import { refusingWhenUnavailable } from '../../registry/unavailable.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { livingStatus } from '../access-keys/life/status.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { recordOf, sealedOf, timeOf } from '../access-keys/record/key-record.ts'
import { type SealedKey, sealedForm } from '../access-keys/record/sealed-key.ts'
import { isByMachine } from '../by-machine.ts'
import { userNameOf } from '../owners/caller.ts'
import { platformRequest } from '../platform-user.ts'
import { removeSession } from './remove-session.ts'
import { sessionsToEnd } from './sessions-to-end.ts'

const manager = 'oidc-provider'
const namePrefix = 'oidc-'
/** Limit for each user: one more ends another one. */
const mostOfUser = 100

export interface OidcGrantParts {
  readonly keyParts: KeyParts
  readonly keys: () => ResourceContext
  readonly users: () => ResourceContext
}

/**
 * Refresh tokens of applications: each is an access key of type `OIDCRefreshToken`, whose value grants nothing else.
 */
export function createOidcGrants(parts: OidcGrantParts): OidcGrants {
  return {
    caughtUp: () => refusingWhenUnavailable(caughtUp(parts.keys().engine)),
    sessionOf: (user) => sessionOf(parts, user),
    userOf: (name, uid) => userOf(parts, name, uid),
    isOpen: (sessionUid) => isOpen(parts, sessionUid),
    issue: (grant, family, sessionUid, ttlSeconds) => issue(parts, grant, family, sessionUid, ttlSeconds),
    use: (token, client) => use(parts, token, client),
    find: (token, client) => {
      const key = goodKey(parts, token)
      const document = key && parts.keyParts.storedKey(key.name)
      const grant = document && grantOf(document)
      if (key === undefined || grant === undefined || !isOf(grant, client)) return undefined
      return { grant, endMs: parts.keyParts.index.expiresAtMs(key.uid) }
    },
    revoke: async (token, client) => {
      const family = refreshFamilyOf(token)
      if (family !== undefined) await endSession(parts, sidOf(family), client)
    },
    isHeld: (sid, client) => isHeld(parts, sid, client),
    endFamily: async (family) => {
      // Another replica may just have issued its first token.
      await refusingWhenUnavailable(caughtUp(parts.keys().engine))
      await removeSession(parts.keys(), nameOf(sidOf(family)), undefined)
    },
    endSession: (sid, client) => endSession(parts, sid, client),
  }
}

async function endSession({ keyParts, keys }: OidcGrantParts, sid: string, client: OidcApplication): Promise<void> {
  const document = keyParts.storedKey(nameOf(sid))
  if (document === undefined || !isOf(grantOf(document), client)) return
  await removeSession(keys(), document.name, document.object.metadata.uid)
}

function isOf(grant: OidcGrant | undefined, { id, uid }: OidcApplication): boolean {
  return grant !== undefined && grant.clientId === id && grant.clientUid === uid
}

function isHeld({ keyParts: { index, storedKey, clock } }: OidcGrantParts, sid: string, client: OidcApplication) {
  const document = storedKey(nameOf(sid))
  const sealed = document && sealedOf(document)
  if (document === undefined || sealed === undefined || !isOf(grantOf(document), client)) return false
  return index.checkSession(sealed.hash, clock.now()).state === 'valid'
}

function isOpen({ keyParts }: OidcGrantParts, sessionUid: string): boolean {
  const document = sessionWith(keyParts, sessionUid)
  const sealed = document && sealedOf(document)
  return sealed !== undefined && keyParts.index.checkSession(sealed.hash, keyParts.clock.now()).state === 'valid'
}

/** Another key may have the name of a session that has ended. */
function sessionWith({ index, storedKey }: KeyParts, uid: string): StoredDocument | undefined {
  const document = storedKey(index.find(uid)?.name ?? '')
  return document?.object.metadata.uid === uid ? document : undefined
}

function nameOf(sid: string): string {
  return namePrefix + sid
}

/** A session with a scope, or of a machine, may do less than its user, which applications would not know. */
function sessionOf({ keyParts, users }: OidcGrantParts, user: UserInfo): BrowserSession | undefined {
  const { index, directory, storedKey } = keyParts
  const key = user.credential && index.find(user.credential.keyUid)
  if (key?.type !== 'Login' || key.session === undefined || key.session.connectionWithin !== undefined) return undefined
  if (key.owner.kind !== 'user' || userNameOf(key.owner, directory) !== user.name) return undefined
  if (key.scope !== undefined || isByMachine(user, index)) return undefined
  const uid = directory.uidOf(key.owner)
  const told = uid === undefined ? undefined : userOf({ keyParts, users }, key.owner.name, uid)
  const startedAtMs = timeOf(storedKey(key.name)?.object.metadata.creationTimestamp ?? undefined)
  if (told === undefined || startedAtMs === undefined) return undefined
  return { user: told, keyUid: key.uid, startedAtMs }
}

function userOf(
  { keyParts: { directory }, users }: Pick<OidcGrantParts, 'keyParts' | 'users'>,
  name: string,
  uid: string,
): OidcUser | undefined {
  const state = directory.user(name)
  const stored = users().cache.get({ namespace: '', name })
  if (state === undefined || state.locked || state.uid !== uid || stored === undefined) return undefined
  const { displayName = '', email = '' } = (stored.object as User).spec ?? {}
  return { name, uid, displayName: displayName || name, email, teams: state.teams }
}

async function issue(
  parts: OidcGrantParts,
  grant: OidcGrant,
  family: string,
  sessionUid: string,
  ttlSeconds: number,
): Promise<string | undefined> {
  const { index, clock, random } = parts.keyParts
  const session = sessionWith(parts.keyParts, sessionUid)
  const startedWith = session && originOf(session)
  if (session === undefined || startedWith === undefined) return undefined
  const token = mintRefresh(family, random)
  await create(parts, { grant, session, startedWith, family, token, ttlSeconds })
  if (index.checkSession(hashRefresh(token), clock.now()).state !== 'valid') {
    await removeSession(parts.keys(), nameOf(sidOf(family)), undefined)
    return undefined
  }
  await makeRoom(parts, grant.user, nameOf(sidOf(family)))
  return token
}

/**
 * What a refresh token ends with. Only the session asks the provider again, so the token of a user who signed in at a
 * provider ends with that session.
 */
function originOf(session: StoredDocument): StartedWith | undefined {
  const startedWith = sealedOf(session)?.session?.startedWith
  // The server's own token can be replaced at any time without notice.
  if (startedWith === undefined || startedWith.kind === 'token') return undefined
  return startedWith.kind === 'key' ? startedWith : { ...startedWith, session: session.object.metadata.uid ?? '' }
}

interface NewRefresh {
  readonly grant: OidcGrant
  readonly session: StoredDocument
  readonly startedWith: StartedWith
  readonly family: string
  readonly token: string
  readonly ttlSeconds: number
}

async function create({ keyParts, keys }: OidcGrantParts, made: NewRefresh): Promise<void> {
  const { kind, clock, random, settings } = keyParts
  const { grant, session, startedWith, token, ttlSeconds } = made
  const { clientId, clientUid, nonce, redirectUri, scopes, user, userUid } = grant
  const nowMs = clock.now()
  const latestEndMs = nowMs + ttlSeconds * 1000
  const sealed: SealedKey = {
    hash: hashRefresh(token),
    issuedAtMs: nowMs,
    ownerUid: userUid,
    clientUid,
    session: { startedWith, latestEndMs },
  }
  const admitCreate = (object: KubeObject): Admitted => {
    const status = { keyId: mintKey(random).keyId, session: { latestEnd: timestamp(latestEndMs) } }
    const record = recordOf({ ...object, status }, sealed)
    return { object: { ...object, status: livingStatus(status, record, settings, nowMs) }, sealed: sealedForm(sealed) }
  }
  const { groups = [] } = specOf(session.object)
  const spec: AccessKeySpec = {
    displayName: `Sign-in to ${clientId}`,
    user,
    ...(groups.length === 0 ? {} : { groups }),
    ttl: ttlSeconds,
    type: 'OIDCRefreshToken',
    oidcProvider: { clientId, nonce, redirectUri, scopes: scopes.join(' ') },
    parent: session.name,
  }
  const name = nameOf(sidOf(made.family))
  const value = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: { name }, spec }
  const request = platformRequest(manager, new AbortController().signal)
  const context: ResourceContext = { ...keys(), hooks: { admitCreate } }
  await createObject(context, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
}

async function use(parts: OidcGrantParts, token: string, client: OidcApplication): Promise<RefreshedGrant | undefined> {
  const family = refreshFamilyOf(token)
  if (family === undefined) return undefined
  const sid = sidOf(family)
  let document = parts.keyParts.storedKey(nameOf(sid))
  const grant = document && grantOf(document)
  while (document !== undefined && grant !== undefined && goodKey(parts, token) !== undefined && isOf(grant, client)) {
    const next = mintRefresh(family, parts.keyParts.random)
    const sealed = sealedOf(document)
    if (sealed?.hash !== hashRefresh(token)) break
    const renewed = sealedBytes(sealedForm({ ...sealed, hash: hashRefresh(next) }))
    const stored = await storeChanged(parts.keys(), document, document.object, renewed)
    if (stored.outcome === 'written') return { grant, token: next, sid }
    document = stored.current
  }
  // The token was already used, is used by another client, or has ended: if two clients have it, one has stolen it.
  if (document !== undefined) await removeSession(parts.keys(), document.name, document.object.metadata.uid)
  return undefined
}

/**
 * The key of a refresh token that is the latest of its family, if its user exists and the credential it was started
 * with is still valid.
 */
function goodKey({ keyParts: { index, clock, directory } }: OidcGrantParts, token: string): KnownKey | undefined {
  const check = index.checkSession(hashRefresh(token), clock.now())
  if (check.state !== 'valid' || check.key.type !== 'OIDCRefreshToken') return undefined
  return directory.owner(check.key.owner)?.locked === false ? check.key : undefined
}

function grantOf(document: StoredDocument): OidcGrant | undefined {
  const { type, user = '', oidcProvider = {} } = specOf(document.object)
  const { ownerUid: userUid, clientUid = '' } = sealedOf(document) ?? {}
  if (type !== 'OIDCRefreshToken' || userUid === undefined) return undefined
  const { clientId = '', nonce = '', redirectUri = '', scopes = '' } = oidcProvider
  return { clientId, clientUid, nonce, redirectUri, scopes: scopes.split(' '), user, userUid }
}

/** Those of the application with the most end: one application cannot sign a user out of the others. */
async function makeRoom({ keyParts, keys }: OidcGrantParts, user: string, newest: string): Promise<void> {
  const { keysByOwner, storedKey } = keyParts
  const held = keysByOwner
    .namesOf([{ kind: 'user', name: user }])
    .filter((name) => name.startsWith(namePrefix))
    .flatMap((name) => storedKey(name) ?? [])
    .flatMap((document) => {
      const { name, revision, object } = document
      const startedWith = grantOf(document)?.clientUid
      return startedWith === undefined ? [] : [{ name, uid: object.metadata.uid ?? '', startedWith, usedMs: revision }]
    })
  const ending = sessionsToEnd(held, newest, mostOfUser)
  await Promise.all(ending.map(({ name, uid }) => removeSession(keys(), name, uid)))
}
