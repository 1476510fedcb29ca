import type { Credential } from '../../api/access.ts'
import { parseBody, parsePatchBody } from '../../api/decode/body.ts'
import { type ApiError, forbidden, refusedBy, unsupportedMediaType } from '../../api/error.ts'
import { bodyFormat, contentTypeOf } from '../../server/bodies/body.ts'
import type { Exchange, ForwardTarget } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import {
  asksForClientCertificate,
  longestTokenSeconds,
  makesToken,
  shortestTokenSeconds,
  withShorterLife,
} from './lasting-body.ts'
import { applyPatchType, type LastingRequest, lastingRequest } from './lasting-request.ts'
import type { Pass, Sent } from './self-reviews.ts'

/** Limits of a key besides the rights of its owner. */
export interface KeyLimits {
  /** Whether the key has a scope or an end of its own. */
  readonly isLimited: boolean
  /** Infinity: the key never ends. */
  readonly leftSeconds: number
}

export type LimitsOf = (credential: Credential) => KeyLimits

/**
 * In a cluster, or a space of one, a key cannot create a credential that outlives it: otherwise a thief who has a key
 * for an hour would have its owner's rights there for years. An inspected request is passed on in its parsed form.
 * Inside virtual clusters, credentials are up to that cluster.
 */
export function withoutLastingCredentials(limitsOf: LimitsOf, pass: Pass): Pass {
  return (exchange, onward, sent) => {
    const { credential } = exchange.user
    const asked = lastingRequest(exchange.info, contentTypeOf(exchange))
    if (credential === undefined || asked === undefined || onward.target.kind === 'virtual-cluster') {
      return pass(exchange, onward, sent)
    }
    return checked(asked, limitsOf(credential), exchange, onward, pass)
  }
}

async function checked(
  asked: LastingRequest,
  limits: KeyLimits,
  exchange: Exchange,
  onward: ForwardTarget,
  pass: Pass,
): Promise<Response> {
  if (limits.isLimited && asked !== 'secret') throw refused(exchange, asked, limitedKey)
  if (asked === 'approval') return pass(exchange, onward)
  const { value, contentType } = bodyIn(exchange, asked)
  if (asked === 'secret' && makesToken(value)) throw refused(exchange, asked, anyKey)
  if (asked === 'certificate' && asksForClientCertificate(value)) throw refused(exchange, asked, anyKey)
  const written = asked === 'token' ? shortened(value, limits, exchange) : value
  return pass(exchange, onward, { body: Buffer.from(JSON.stringify(written)), contentType, wantsJson: false })
}

function shortened(value: unknown, { leftSeconds }: KeyLimits, exchange: Exchange): unknown {
  const longestSeconds = Math.min(longestTokenSeconds, Math.floor(leftSeconds))
  if (longestSeconds < shortestTokenSeconds) throw refused(exchange, 'token', 'the access key in use ends too soon')
  const { request, isShorter } = withShorterLife(value, longestSeconds)
  if (isShorter)
    exchange.warn(`spec.expirationSeconds: with an access key a token lives ${longestSeconds} seconds at most`)
  return request
}

const limitedKey =
  'in clusters and spaces, an access key with a scope or an end cannot create a credential that outlives it'
const anyKey =
  'in clusters and spaces, an access key cannot create a credential without an end; create it on the cluster itself'

const reachedObjectText: Readonly<Record<LastingRequest, string>> = {
  token: 'tokens of service accounts',
  secret: 'Secrets with tokens',
  certificate: 'certificates for clients of the API',
  approval: 'certificates for clients of the API',
}

function refused({ info }: Exchange, asked: LastingRequest, why: string): ApiError {
  const { resource: plural, group, name } = info.form === 'path' ? { resource: '', group: '', name: '' } : info
  return refusedBy('scope', forbidden({ plural, group }, name, `${reachedObjectText[asked]}: ${why}`))
}

const kinds: Readonly<Record<LastingRequest, { readonly kind: string; readonly protobufMessage?: string }>> = {
  token: { kind: 'TokenRequest', protobufMessage: 'k8s.io.api.authentication.v1.TokenRequest' },
  secret: { kind: 'Secret', protobufMessage: 'k8s.io.api.core.v1.Secret' },
  certificate: { kind: 'CertificateSigningRequest' },
  approval: { kind: 'CertificateSigningRequest' },
}

interface ReadBody extends Pick<Required<Sent>, 'contentType'> {
  readonly value: unknown
}

/** A body that cannot be parsed is not passed on. */
function bodyIn(exchange: Exchange, asked: LastingRequest): ReadBody {
  const { body: bytes } = exchange
  exchange.hidesBody = true
  if (exchange.info.verb !== 'patch') {
    return {
      value: parseBody(bytes, bodyFormat(exchange), kinds[asked], exchange.reading).value,
      contentType: 'application/json',
    }
  }
  const contentType = contentTypeOf(exchange)
  const type = patchTypes.get(contentType)
  if (type === undefined) throw unsupportedMediaType([...patchTypes.keys()])
  return { value: parsePatchBody(bytes, type, exchange.reading).value, contentType }
}

const patchTypes: ReadonlyMap<string, Parameters<typeof parsePatchBody>[1]> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  [applyPatchType, 'apply'],
])
