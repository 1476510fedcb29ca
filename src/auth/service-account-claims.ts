import type { JwtClaims } from './jwt.ts'
import { numberAt, objectAt, textAt, textsAt, type UnknownMembers } from './member.ts'
import { serviceAccountUserName } from './service-account-name.ts'

export interface ObjectIdentity {
  readonly name: string
  readonly uid: string
}

/** What a token may be bound to besides its service account: it is void when that object is deleted. */
export type BoundKind = 'Pod' | 'Secret' | 'Node'

export interface BoundObject extends ObjectIdentity {
  readonly kind: BoundKind
}

/** Times are in seconds since the epoch, as in tokens. */
export interface ServiceAccountClaims {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly namespace: string
  readonly serviceAccount: ObjectIdentity
  readonly boundTo: readonly BoundObject[]
  readonly id: string
  readonly issuedAt: number
  readonly notBefore: number
  readonly expiresAt: number
}

const boundMembers: readonly (readonly [BoundKind, string])[] = [
  ['Pod', 'pod'],
  ['Secret', 'secret'],
  ['Node', 'node'],
]

export function toJwtClaims(claims: ServiceAccountClaims): JwtClaims {
  return {
    aud: claims.audiences,
    exp: claims.expiresAt,
    iat: claims.issuedAt,
    iss: claims.issuer,
    jti: claims.id,
    'kubernetes.io': {
      namespace: claims.namespace,
      ...Object.fromEntries(claims.boundTo.map((each) => [each.kind.toLowerCase(), identity(each)])),
      serviceaccount: identity(claims.serviceAccount),
    },
    nbf: claims.notBefore,
    sub: serviceAccountUserName(claims.namespace, claims.serviceAccount.name),
  }
}

/** Undefined when something is missing, has another type, or contradicts the rest. */
export function fromJwtClaims(jwt: JwtClaims): ServiceAccountClaims | undefined {
  const own = objectAt(jwt, 'kubernetes.io')
  const namespace = textAt(own, 'namespace')
  const serviceAccount = identityAt(own, 'serviceaccount')
  const issuedAt = numberAt(jwt, 'iat')
  const notBefore = numberAt(jwt, 'nbf')
  const expiresAt = numberAt(jwt, 'exp')
  if (own === undefined || serviceAccount === undefined || namespace === '') return undefined
  if (issuedAt === undefined || notBefore === undefined || expiresAt === undefined) return undefined
  if (jwt.sub !== serviceAccountUserName(namespace, serviceAccount.name)) return undefined
  return {
    issuer: textAt(jwt, 'iss'),
    audiences: typeof jwt.aud === 'string' ? [jwt.aud] : textsAt(jwt, 'aud'),
    namespace,
    serviceAccount,
    boundTo: boundMembers.flatMap(([kind, member]) => boundAt(own, kind, member)),
    id: textAt(jwt, 'jti'),
    issuedAt,
    notBefore,
    expiresAt,
  }
}

function identity({ name, uid }: ObjectIdentity): ObjectIdentity {
  return { name, uid }
}

function boundAt(own: UnknownMembers, kind: BoundKind, member: string): readonly BoundObject[] {
  const found = identityAt(own, member)
  return found === undefined ? [] : [{ kind, ...found }]
}

function identityAt(own: UnknownMembers | undefined, member: string): ObjectIdentity | undefined {
  const found = objectAt(own, member)
  return found === undefined ? undefined : { name: textAt(found, 'name'), uid: textAt(found, 'uid') }
}
