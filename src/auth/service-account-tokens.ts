import { hash } from 'node:crypto'
import type { UserInfo } from '../api/access.ts'
import type { KubeObject } from '../api/object.ts'
import type { Pod } from '../api/types/core-v1.ts'
import type { Clock } from '../base/clock.ts'
import type { VerifyingKey } from '../base/keys/keypair.ts'
import { sharedAudiences } from './audiences.ts'
import type { AuthenticationResult, Authenticator } from './contract.ts'
import { unverifiedClaims, verifiedClaims } from './jwt.ts'
import {
  type BoundKind,
  type BoundObject,
  fromJwtClaims,
  type ObjectIdentity,
  type ServiceAccountClaims,
} from './service-account-claims.ts'
import { authenticatedServiceAccountGroups, serviceAccountUserName } from './service-account-name.ts'
import { textList } from './text-list.ts'

/** Reads the current state of an object. `namespace` is empty for nodes. */
export type FindObject = (
  kind: 'ServiceAccount' | BoundKind,
  namespace: string,
  name: string,
) => KubeObject | undefined | Promise<KubeObject | undefined>

interface AuthenticatorOptions {
  readonly issuer: string
  /** The currently valid keys: the same list object as long as they are unchanged. */
  readonly keys: () => readonly VerifyingKey[]
  /** The audiences of tokens that this server accepts. */
  readonly serverAudiences: readonly string[]
  readonly clock: Clock
  readonly findObject: FindObject
}

const unknown: AuthenticationResult = { outcome: 'unknown' }
const invalidated = refused('service account token has been invalidated', 'TokenInvalidated')
const maxRemembered = 1_000
/** How far the clock of the issuing server may be ahead of this one's. */
const clockLeewayMs = 60_000
/** How long an object may take to be deleted. A finalizer must not keep its tokens valid for longer. */
const endingMs = 60_000

/**
 * Accepts tokens that this issuer signed, while they have not expired and their account, and any object they are bound
 * to, still has the same uid. Tokens signed by others are left to other authenticators.
 */
export function createServiceAccountAuthenticator(options: AuthenticatorOptions): Authenticator {
  const verified = createSignatureMemory(options)
  return {
    async authenticateToken(token, audiences = options.serverAudiences) {
      const claims = await verified(token)
      return claims === undefined ? unknown : authenticate(claims, audiences, options)
    },
  }
}

async function authenticate(
  claims: ServiceAccountClaims,
  audiences: readonly string[],
  { clock, findObject }: AuthenticatorOptions,
): Promise<AuthenticationResult> {
  const problem = timeProblem(claims, clock.now())
  if (problem !== undefined) return problem
  const bound = await boundObjects(claims, findObject, clock.now())
  if (bound === undefined) return invalidated
  const shared = sharedAudiences(audiences, claims.audiences)
  if (shared.length === 0) return wrongAudience(claims.audiences, audiences)
  return { outcome: 'authenticated', user: userOf(claims, await nodeOf(claims, bound, findObject)), audiences: shared }
}

/**
 * Verifying a signature is the expensive part, and its result holds as long as the keys do, so the latest tokens are
 * cached by hash. Everything else that can change is checked for every request.
 */
function createSignatureMemory({ issuer, keys }: AuthenticatorOptions) {
  const remembered = new Map<string, ServiceAccountClaims>()
  let remembering = keys()
  return async (token: string): Promise<ServiceAccountClaims | undefined> => {
    const current = keys()
    if (current !== remembering) remembered.clear()
    remembering = current
    const key = hash('sha256', token, 'base64')
    const known = remembered.get(key)
    if (known !== undefined) return known
    // The signature is verified last, because that costs most.
    const unverified = unverifiedClaims(token)
    if (unverified?.iss !== issuer || fromJwtClaims(unverified) === undefined) return undefined
    const jwt = await verifiedClaims(token, current)
    const claims = jwt && fromJwtClaims(jwt)
    if (claims === undefined) return undefined
    if (current !== remembering) return claims
    if (remembered.size >= maxRemembered) forgetOldest(remembered)
    remembered.set(key, claims)
    return claims
  }
}

function forgetOldest(remembered: Map<string, ServiceAccountClaims>): void {
  const oldest = remembered.keys().next()
  if (!oldest.done) remembered.delete(oldest.value)
}

function timeProblem(claims: ServiceAccountClaims, nowMs: number): AuthenticationResult | undefined {
  if (nowMs >= claims.expiresAt * 1000) return refused('service account token has expired', 'TokenExpired')
  if (nowMs + clockLeewayMs < claims.notBefore * 1000)
    return refused('service account token is not valid yet', 'TokenNotYetValid')
  return undefined
}

/** The objects that the token is bound to, in the order of its claims. Undefined: one of them, or its account, is gone. */
async function boundObjects(
  { namespace, serviceAccount, boundTo }: ServiceAccountClaims,
  findObject: FindObject,
  nowMs: number,
): Promise<readonly KubeObject[] | undefined> {
  const account = await findObject('ServiceAccount', namespace, serviceAccount.name)
  if (!isThere(account, serviceAccount, nowMs)) return undefined
  const all: KubeObject[] = []
  for (const each of boundTo) {
    const found = await findObject(each.kind, each.kind === 'Node' ? '' : namespace, each.name)
    if (!isThere(found, each, nowMs)) return undefined
    all.push(found)
  }
  return all
}

/**
 * The node of the Pod that the token is bound to, if its claims name none: tokens of a virtual cluster are issued before
 * the host has chosen a node.
 */
async function nodeOf(
  { boundTo }: ServiceAccountClaims,
  bound: readonly KubeObject[],
  findObject: FindObject,
): Promise<BoundObject | undefined> {
  if (boundTo.some(({ kind }) => kind === 'Node')) return undefined
  const pod = bound[boundTo.findIndex(({ kind }) => kind === 'Pod')] as Pod | undefined
  const name = pod?.spec?.nodeName
  if (!name) return undefined
  const node = await findObject('Node', '', name)
  return { kind: 'Node', name, uid: node?.metadata.uid ?? '' }
}

/** Whether this is the object that the token was issued for, and its deletion did not begin too long ago. */
function isThere(found: KubeObject | undefined, expected: ObjectIdentity, nowMs: number): found is KubeObject {
  if (found === undefined || expected.uid === '' || found.metadata.uid !== expected.uid) return false
  const { deletionTimestamp } = found.metadata
  return deletionTimestamp === undefined || Date.parse(deletionTimestamp) >= nowMs - endingMs
}

function wrongAudience(meantFor: readonly string[], wanted: readonly string[]): AuthenticationResult {
  const message = `token audiences ${textList(meantFor)} is invalid for the target audiences ${textList(wanted)}`
  return refused(message, 'WrongAudience')
}

function refused(message: string, causeReason: string): AuthenticationResult {
  return { outcome: 'refused', message, causeReason }
}

function userOf(
  { namespace, serviceAccount, boundTo, id }: ServiceAccountClaims,
  node: BoundObject | undefined,
): UserInfo {
  const named = [...boundTo.filter(({ kind }) => kind !== 'Secret'), ...(node === undefined ? [] : [node])]
  return {
    name: serviceAccountUserName(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: authenticatedServiceAccountGroups(namespace),
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${id}`],
      ...Object.fromEntries(named.flatMap(boundExtra)),
    },
  }
}

function boundExtra({ kind, name, uid }: BoundObject): readonly (readonly [string, readonly string[]])[] {
  const prefix = `authentication.kubernetes.io/${kind.toLowerCase()}`
  return [[`${prefix}-name`, [name]], ...(uid === '' ? [] : [[`${prefix}-uid`, [uid]] as const])]
}
