import { hash } from 'node:crypto'
import type { UserInfo } from '../api/access.ts'
import type { KubeObject } from '../api/object.ts'
import type { Clock } from '../base/clock.ts'
import type { VerifyingKey } from '../base/keypair.ts'
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

/** Reads an object as it is now. `namespace` is empty for nodes. */
export type FindObject = (
  kind: 'ServiceAccount' | BoundKind,
  namespace: string,
  name: string,
) => KubeObject | undefined | Promise<KubeObject | undefined>

interface AuthenticatorOptions {
  readonly issuer: string
  /** Those that count at the moment. */
  readonly keys: () => readonly VerifyingKey[]
  /** The names under which this server takes tokens. */
  readonly serverAudiences: readonly string[]
  readonly clock: Clock
  readonly findObject: FindObject
}

const unknown: AuthenticationResult = { outcome: 'unknown' }
const maxRemembered = 1_000
/** How far the clock of the server that issued a token may be ahead of this one's. */
const clockLeewayMs = 60_000

/**
 * Takes tokens that this issuer signed, as long as they have not expired and the account they speak for, and whatever
 * they are bound to, is the very object it was then. Tokens that it did not sign are left to others.
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
  const problem = timeProblem(claims, clock.now()) ?? (await identityProblem(claims, findObject))
  if (problem !== undefined) return problem
  const shared = sharedAudiences(audiences, claims.audiences)
  if (shared.length === 0) return wrongAudience(claims.audiences, audiences)
  return { outcome: 'authenticated', user: userOf(claims), audiences: shared }
}

/**
 * Checking a signature is the expensive part and its result never changes, so the tokens seen last are remembered by
 * hash. Everything that can change is checked for every request.
 */
function createSignatureMemory({ issuer, keys }: AuthenticatorOptions) {
  const remembered = new Map<string, ServiceAccountClaims>()
  return async (token: string): Promise<ServiceAccountClaims | undefined> => {
    const key = hash('sha256', token, 'base64')
    const known = remembered.get(key)
    if (known !== undefined) return known
    // A signature is checked only if the rest is in order, since that costs most.
    const unverified = unverifiedClaims(token)
    if (unverified?.iss !== issuer || fromJwtClaims(unverified) === undefined) return undefined
    const jwt = await verifiedClaims(token, keys())
    const claims = jwt && fromJwtClaims(jwt)
    if (claims === undefined) return undefined
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

async function identityProblem(
  { namespace, serviceAccount, boundTo }: ServiceAccountClaims,
  findObject: FindObject,
): Promise<AuthenticationResult | undefined> {
  const account = await findObject('ServiceAccount', namespace, serviceAccount.name)
  if (!isSame(account, serviceAccount)) return refused('service account token has been invalidated', 'TokenInvalidated')
  for (const each of boundTo) {
    const found = await findObject(each.kind, each.kind === 'Node' ? '' : namespace, each.name)
    if (!isSame(found, each)) return refused('service account token has been invalidated', 'TokenInvalidated')
  }
  return undefined
}

function isSame(found: KubeObject | undefined, expected: ObjectIdentity): boolean {
  return found !== undefined && found.metadata.uid === expected.uid && expected.uid !== ''
}

function wrongAudience(meantFor: readonly string[], wanted: readonly string[]): AuthenticationResult {
  const message = `token audiences ${textList(meantFor)} is invalid for the target audiences ${textList(wanted)}`
  return refused(message, 'WrongAudience')
}

function refused(message: string, causeReason: string): AuthenticationResult {
  return { outcome: 'refused', message, causeReason }
}

function userOf({ namespace, serviceAccount, boundTo, id }: ServiceAccountClaims): UserInfo {
  return {
    name: serviceAccountUserName(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: authenticatedServiceAccountGroups(namespace),
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${id}`],
      ...Object.fromEntries(boundTo.filter((each) => each.kind !== 'Secret').flatMap(boundExtra)),
    },
  }
}

function boundExtra({ kind, name, uid }: BoundObject): readonly (readonly [string, readonly string[]])[] {
  const prefix = `authentication.kubernetes.io/${kind.toLowerCase()}`
  return [
    [`${prefix}-name`, [name]],
    [`${prefix}-uid`, [uid]],
  ]
}
