import { hash, timingSafeEqual } from 'node:crypto'
import { oidcClientSecret } from '../../api/management/connectors/connector-settings.ts'
import type { OIDCClient, OIDCClientSpec } from '../../api/types/management.ts'
import type { OidcApplication, OidcUser } from '../../auth/oidc-grants.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Query } from '../../server/request/query.ts'
import { OauthError } from './oauth-error.ts'

export interface ClientParts {
  readonly clients: () => ResourceContext
  readonly secrets: () => ResourceContext
}

export interface KnownClient extends OidcApplication {
  readonly spec: OIDCClientSpec
}

/** The current applications: a change takes effect at the next request. */
export class Clients {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Undefined for disabled ones, too. */
  find(id: string): KnownClient | undefined {
    const found = this.#parts.clients().cache.get({ namespace: '', name: id })
    if (found === undefined) return undefined
    const { metadata, spec = {} } = found.object as OIDCClient
    return spec.disabled === true ? undefined : { id, uid: metadata.uid ?? '', spec }
  }

  /** The application that sends a request, which must authenticate in exactly one way. Throws if it fails to. */
  authenticated(form: Query, authorization: string | undefined): KnownClient {
    const shown = shownIn(form, authorization)
    const client = this.find(shown.id)
    const isProven = client !== undefined && this.#isProven(client, shown.secret)
    if (!isProven) throw new OauthError('invalid_client', 'the application is unknown, or its authentication failed')
    return client
  }

  #isProven({ spec }: KnownClient, shown: string | undefined): boolean {
    const place = oidcClientSecret(spec)
    if (place === undefined) return shown === undefined
    const data = this.#parts.secrets().cache.get(place)?.object.data
    const encoded = isJsonObject(data) && Object.hasOwn(data, place.entry) ? data[place.entry] : undefined
    if (typeof encoded !== 'string' || encoded === '' || shown === undefined) return false
    const secret = Buffer.from(encoded, 'base64').toString('utf8').trim()
    return secret !== '' && isSame(shown, secret)
  }
}

/** Whether the application admits the user. */
export function admits({ spec: { allowedTeams = [] } }: KnownClient, { teams }: OidcUser): boolean {
  return allowedTeams.length === 0 || allowedTeams.some((team) => teams.includes(team))
}

interface ShownClient {
  readonly id: string
  /** Undefined: none, as with public clients. */
  readonly secret: string | undefined
}

function shownIn(form: Query, authorization: string | undefined): ShownClient {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return { id: id ?? '', secret: secret === '' ? undefined : secret }
  const basic = basicIn(authorization)
  if (basic === undefined || secret !== undefined || (id !== undefined && id !== basic.id)) {
    throw new OauthError('invalid_client', 'the application must authenticate in exactly one way')
  }
  return basic
}

/** Both parts are form-encoded (RFC 6749, 2.3.1). */
function basicIn(authorization: string): ShownClient | undefined {
  const encoded = /^basic ([\w+/]+={0,2})$/i.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    return { id: id ?? '', secret: secret ?? '' }
  } catch {
    return undefined
  }
}

function isSame(shown: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', shown, 'buffer'), hash('sha256', secret, 'buffer'))
}
