import { redirectUriOf } from '../api/management/connectors/connector-settings.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Exchange } from '../server/exchange.ts'
import { headerOf, type Response } from '../server/http.ts'
import { hostOf, isPlainHost } from '../server/request/plain-host.ts'
import type { Connectors, KnownConnector } from './connectors.ts'
import type { ExpectedAnswer, RedirectConnector } from './contract.ts'
import { readDestination } from './destination.ts'
import { devicePath } from './device/device-pages.ts'
import { SignOnFailure } from './failure.ts'
import { type Destination, printLoginCookie } from './login-cookie.ts'
import { type Choice, choicePage, redirect } from './pages.ts'
import { passwordPrefix } from './password/password-pages.ts'

export const loginPath = '/auth/login'
export const callbackPrefix = '/auth/callback/'
export const longestSignInUrl = 8_192

export interface BeginningParts {
  readonly connectors: Connectors
  /** The key for data that others keep for the platform. */
  readonly sealingKey: () => Promise<Uint8Array>
  readonly clock: Clock
  readonly random: Random
}

/** Sends the browser to the chosen provider, with a cookie that identifies it when it returns. */
export async function beginSignIn(exchange: Exchange, parts: BeginningParts): Promise<Response> {
  const { request, info } = exchange
  const isOwnLink = headerOf(request, 'sec-fetch-site') === 'same-origin'
  const name = info.query.get('connector')
  const device = info.query.get('device')
  if (device !== undefined && (!isOwnLink || name === undefined)) return redirect(devicePath)
  const destination = device === undefined ? codeDestinationOf(exchange) : deviceDestination
  if (destination === undefined) return redirect('/')
  if (name === undefined || (destination.kind === 'command' && !isOwnLink)) return choices(destination, name, parts)
  const known = enabledConnector(parts.connectors, name)
  const { location, expected, answersBy } = await begun(exchange, known, parts)
  const pending = { connector: known.name, connectorUid: known.uid, expected, destination }
  const cookie = await printLoginCookie(pending, await parts.sealingKey(), parts.clock, answersBy)
  return redirect(location, ['Set-Cookie', cookie])
}

interface Begun {
  readonly location: string
  readonly expected: ExpectedAnswer
  readonly answersBy: RedirectConnector['answersBy']
}

/** Where the user continues. */
async function begun(exchange: Exchange, known: KnownConnector, parts: BeginningParts): Promise<Begun> {
  const connector = await parts.connectors.open(known)
  if (connector.form === 'password') {
    const state = Buffer.from(parts.random.bytes(32)).toString('base64url')
    const expected = { state, nonce: '', codeVerifier: '', redirectUri: '' }
    return { location: passwordPrefix + known.name, expected, answersBy: 'query' }
  }
  const { url, expected } = await connector.begin(redirectUriFor(exchange, known), exchange.request.signal)
  return { location: url.href, expected, answersBy: connector.answersBy }
}

const deviceDestination: Destination = { kind: 'device' }

function codeDestinationOf({ request, info }: Exchange): Destination | undefined {
  return request.url.length > longestSignInUrl ? undefined : readDestination(info.query)
}

function choices(destination: Destination, name: string | undefined, parts: BeginningParts): Response {
  if (destination.kind !== 'command') return redirect('/')
  const { challenge, port, state, isTest } = destination
  const query = { challenge, port: String(port), state, ...(isTest ? { test: '1' } : {}) }
  return choicePage(providerChoices(query, parts.connectors, isTest ? name : undefined), parts.random, isTest)
}

/** A link for each provider, or for one, which passes on the query. */
export function providerChoices(
  query: Readonly<Record<string, string>>,
  connectors: Connectors,
  only?: string | undefined,
): readonly Choice[] {
  const shown = connectors.enabled().filter(({ name }) => only === undefined || name === only)
  return shown.map(({ name, spec }) => {
    const href = `${loginPath}?${new URLSearchParams({ connector: name, ...query })}`
    return { label: labelOf({ name, spec }), href }
  })
}

export function labelOf({ name, spec }: Pick<KnownConnector, 'name' | 'spec'>): string {
  return spec.displayName || name
}

export function enabledConnector(connectors: Connectors, name: string): KnownConnector {
  const known = connectors.find(name)
  if (known !== undefined && known.spec.disabled !== true) return known
  throw new SignOnFailure('unknown', 'there is no such connector, or it is switched off')
}

export function redirectUriFor({ request }: Exchange, { name, spec }: KnownConnector): string {
  const redirectUri = redirectUriOf(spec)
  if (redirectUri !== '') return redirectUri
  const host = hostOf(request)
  if (isPlainHost(host)) return `https://${host}${callbackPrefix}${name}`
  throw new SignOnFailure('misconfigured', 'the request has no Host header for the redirect')
}
