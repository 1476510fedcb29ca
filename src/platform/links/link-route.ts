import type { Duplex } from 'node:stream'
import type { Attributes, Credential, UserInfo } from '../../api/access.ts'
import { badRequest, notFound, serviceUnavailable, tooManyRequests, unauthorized } from '../../api/error.ts'
import { linkProtocol, processHeader, proofHeader, roleMissing, toldLicenseHeader } from '../../api/link.ts'
import { linkLimits } from '../../api/link-limits.ts'
import { printToldLicense } from '../../api/told-license.ts'
import type { Authenticator, Authorizer } from '../../auth/contract.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import type { Clock } from '../../base/clock.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import { headerOf, type Response } from '../../server/http.ts'
import type { ProofRefusal } from '../virtual-clusters/identity/proof-refused.ts'
import { requireProof } from '../virtual-clusters/identity/require-proof.ts'
import { type LicensedLinks, requireLinkLicense } from '../virtual-clusters/link-admission.ts'
import { Link, type LinkKeyCheck } from './link.ts'
import type { Links } from './links.ts'

export interface LinkRouteParts extends LicensedLinks {
  readonly links: Links
  readonly virtualClusters: () => ResourceContext
  readonly authenticator: Authenticator
  /** Applies the scope of the key in use. */
  readonly authorizer: Authorizer
  readonly clock: Clock
  /** For durations. */
  readonly elapsed: Clock
  /** Called when a caller asks for a link without the required proof. */
  readonly onRefused: (refusal: ProofRefusal) => void
}

/** `GET …/virtualclusterinstances/NAME/link`, upgraded: the request that becomes the link. */
export function linkRoute(parts: LinkRouteParts): ExtraRoute {
  return (asked) => {
    const { info } = asked
    if (info.form !== 'resource' || info.subresource !== 'link' || info.hasRest) return undefined
    const { kind } = parts.virtualClusters()
    if (info.group !== kind.group || info.resource !== kind.plural || info.verb !== 'get') return undefined
    const { namespace, pathName } = info
    asked.mayUpgrade = true
    return (exchange) => openLink(parts, exchange, { namespace, name: pathName })
  }
}

async function openLink(
  parts: LinkRouteParts,
  exchange: Exchange,
  id: { readonly namespace: string; readonly name: string },
): Promise<Response> {
  if (exchange.request.upgrade?.toLowerCase() !== linkProtocol) {
    throw badRequest(`a link is opened by an upgrade of the connection to ${linkProtocol}`)
  }
  const { credential } = exchange.user
  if (credential === undefined) throw unauthorized('a link is opened with an access key')
  if (parts.links.isDraining) throw serviceUnavailable('this replica of the platform is being stopped')
  if (projectOfNamespace(id.namespace) === undefined) throw notFound(parts.virtualClusters().kind, id.name)
  requireRoom(parts.links, credential)
  requireLinkLicense(parts, parts.virtualClusters().kind.group, id)
  const proof = headerOf(exchange.request, proofHeader) ?? ''
  const proofHash = await requireProof(parts, { ...id, keyName: credential.keyName }, proof)
  return {
    status: 101,
    headers: ['Connection', 'Upgrade', 'Upgrade', linkProtocol, ...toldLicense(parts.license)],
    body: {
      form: 'upgrade',
      start: (connection) => parts.links.add(linkOf(parts, { exchange, credential, id, proofHash, connection })),
      giveUp: () => {},
    },
  }
}

/** Sent with the link, so that the tenant need not register to receive it. */
function toldLicense(license: LicensedLinks['license']): readonly string[] {
  const { document, issuer } = license ?? {}
  const told = document === undefined ? undefined : { document, ...(issuer !== undefined && { issuer }) }
  const text = printToldLicense(told)
  return text === undefined ? [] : [toldLicenseHeader, text]
}

function requireRoom(links: Links, { keyUid, keyName }: Credential): void {
  if (links.keys.countOf(keyUid) < linkLimits.maxLinksPerKey) return
  throw tooManyRequests(`the access key ${keyName} carries ${linkLimits.maxLinksPerKey} links, and no more`, 10)
}

interface NewLink {
  readonly exchange: Exchange
  readonly credential: Credential
  readonly id: { readonly namespace: string; readonly name: string }
  readonly proofHash: string
  readonly connection: Duplex
}

function linkOf(parts: LinkRouteParts, { exchange, credential, id, proofHash, connection }: NewLink): Link {
  const { request } = exchange
  const { namespace, name } = id
  const source = { address: request.clientAddress, userAgent: headerOf(request, 'user-agent') ?? '' }
  return new Link({
    project: projectOfNamespace(namespace) ?? '',
    name,
    process: processOf(request),
    proofHash,
    connection,
    credential,
    keys: parts.links.keys,
    authenticate: (accessKey) => checkKey(parts, accessKey, source, id),
    onLeave: (link) => parts.links.leave(link),
    onEnd: (link, why) => parts.links.remove(link, why),
    clock: parts.clock,
    elapsed: parts.elapsed,
  })
}

/** An invalid process name counts as no name. */
function processOf(request: Exchange['request']): string {
  const name = headerOf(request, processHeader) ?? ''
  return /^[\w.-]{1,253}$/.test(name) ? name : ''
}

/** A replacement key must be allowed to open this same link. */
async function checkKey(
  { authenticator, authorizer, virtualClusters }: LinkRouteParts,
  accessKey: string,
  source: { readonly address: string; readonly userAgent: string },
  id: { readonly namespace: string; readonly name: string },
): Promise<LinkKeyCheck> {
  const result = await authenticator.authenticateToken(accessKey, undefined, source)
  if (result.outcome !== 'authenticated') {
    const message = result.outcome === 'unknown' ? 'the access key is unknown' : result.message
    return { outcome: 'refused', reason: 'KeyRefused', message }
  }
  const { credential } = result.user
  const decision = await authorizer.authorize(linking(result.user, virtualClusters(), id))
  if (decision.verdict === 'allow' && credential !== undefined) return { outcome: 'taken', credential }
  const isRole = decision.verdict === 'deny' && decision.layer === 'role'
  return { outcome: 'refused', reason: isRole ? roleMissing : 'NotAllowed', message: decision.reason }
}

function linking(
  user: UserInfo,
  { kind }: ResourceContext,
  id: { readonly namespace: string; readonly name: string },
): Attributes {
  const { group, version, plural: resource } = kind
  return { user, verb: 'get', group, version, resource, subresource: 'link', ...id }
}
