import { methodNotAllowed } from '../api/error.ts'
import { redirectUriOf } from '../api/management/connector-settings.ts'
import type { SignedOn } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import type { Log } from '../base/log.ts'
import { networkOf } from '../base/network-of.ts'
import type { Random } from '../base/random.ts'
import type { EnteredUser } from '../server/contract.ts'
import type { Exchange } from '../server/exchange.ts'
import { type BodyLimit, headerOf, type Response } from '../server/http.ts'
import type { PipelineStep } from '../server/pipeline.ts'
import { hostOf, isPlainHost } from '../server/plain-host.ts'
import { parseQuery, type Query } from '../server/query.ts'
import { jsonResponse, withHeaders } from '../server/responses.ts'
import type { Store } from '../storage/contract.ts'
import { requireAllowed } from './allow-list.ts'
import type { Connectors, KnownConnector } from './connectors.ts'
import type { ExpectedAnswer, ProviderIdentity, RedirectConnector } from './contract.ts'
import { destinationAddress, readDestination } from './destination.ts'
import { type Announcements, DevicePages, devicePath, type ReadBody } from './device-pages.ts'
import type { DeviceRequests } from './device-requests.ts'
import { type FailureCode, SignOnFailure } from './failure.ts'
import { latestEndOf } from './latest-end.ts'
import { type Destination, endedCookie, type PendingSignOn, printLoginCookie, readLoginCookie } from './login-cookie.ts'
import { type EndSignedOn, LogoutEndpoint, logoutPrefix } from './logout-endpoint.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import { type Choice, choicePage, confirmPath, failurePage, signOnHeaders } from './pages.ts'
import { PasswordPages, passwordPrefix } from './password-pages.ts'
import { withSealedData } from './sealed-data.ts'
import { type TriedSignIns, trySignIn } from './tried-sign-ins.ts'

/** The User that an identity leads to, or why there is none. */
export type EnterUser = (
  signedOn: SignedOn,
  creates: { readonly createsUsers: boolean; readonly createsTeams: boolean },
) => Promise<
  | { readonly outcome: 'known'; readonly name: string }
  | { readonly outcome: Extract<FailureCode, 'no-account' | 'locked' | 'ambiguous'> }
>

export interface SignOnPageParts {
  readonly connectors: Connectors
  readonly codes: OneTimeCodes
  readonly tried: TriedSignIns
  readonly devices: DeviceRequests
  readonly enterUser: EnterUser
  readonly endSignedOn: EndSignedOn
  readonly announcements: Announcements
  /** Of what others keep for the platform. */
  readonly sealingKey: () => Promise<Uint8Array>
  readonly readBody: ReadBody
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

interface EndpointParts extends SignOnPageParts {
  readonly devicePages: DevicePages
  readonly passwordPages: PasswordPages
  readonly logouts: LogoutEndpoint
}

const loginPath = '/auth/login'
const connectorsPath = '/auth/connectors'
const callbackPrefix = '/auth/callback/'
const metadataPrefix = '/auth/saml/'
const answerLimit: BodyLimit = { maxBytes: 512 * 1024, timeoutMs: 10_000 }
const longestUrl = 8_192
/** Of what the log shows. */
const longestPath = 100
const burst = 300
const refillMs = 25
const mostNetworks = 10_000

/**
 * `/auth/connectors` tells the ways to sign in, `/auth/login` sends the browser to a provider, and
 * `/auth/callback/<connector>` takes what it comes back with. No user is signed in by that: what comes out is a code that
 * only the one who began can use. `/auth/password/<connector>` takes the place of the provider's page where there is none.
 * `/auth/device` and `/auth/device/confirm` are for machines without a browser.
 */
export function signOnPages(options: SignOnPageParts): PipelineStep {
  const choices = () => choicesOf({ device: '1' }, options.connectors)
  const devicePages = new DevicePages({ ...options, choices })
  const passwordPages = new PasswordPages(options)
  const parts: EndpointParts = { ...options, devicePages, passwordPages, logouts: new LogoutEndpoint(options) }
  const turns = new LeakyBuckets({ clock: parts.clock, burst, refillMs, most: mostNetworks })
  return (exchange) => {
    const { info, onward } = exchange
    if (onward !== undefined || info.form !== 'path') return undefined
    const answer = routeOf(info.path)
    if (answer === undefined) return undefined
    const takesPost =
      [devicePath, confirmPath].includes(info.path) ||
      [passwordPrefix, logoutPrefix].some((prefix) => info.path.startsWith(prefix)) ||
      isAnsweredByForm(info.path, parts.connectors)
    if (exchange.request.method !== 'GET' && !(takesPost && exchange.request.method === 'POST'))
      throw methodNotAllowed()
    exchange.isAuthorized = true
    exchange.isOpenToAll = true
    if (answer === tellConnectors) return answer(exchange, parts)
    const isTooMany = turns.add(networkOf(exchange.request.clientAddress, 48)) > 0
    return answered(exchange, parts, isTooMany ? tooMany : answer)
  }
}

function isAnsweredByForm(path: string, connectors: Connectors): boolean {
  return path.startsWith(callbackPrefix) && connectors.find(path.slice(callbackPrefix.length))?.spec.type === 'saml'
}

type Answer = (exchange: Exchange, parts: EndpointParts) => Response | Promise<Response>

function routeOf(path: string): Answer | undefined {
  if (path === connectorsPath) return tellConnectors
  if (path === loginPath) return sendToProvider
  if (path === devicePath) return answerDevice
  if (path === confirmPath) return confirmDevice
  if (path.startsWith(passwordPrefix)) return answerPassword
  if (path.startsWith(metadataPrefix)) return tellMetadata
  if (path.startsWith(logoutPrefix)) return takeLogout
  return path.startsWith(callbackPrefix) ? takeAnswer : undefined
}

const answerPassword: Answer = (exchange, parts) =>
  exchange.request.method === 'POST' ? takePassword(exchange, parts) : askForPassword(exchange, parts)

const answerDevice: Answer = (exchange, { devicePages }) =>
  exchange.request.method === 'POST' ? devicePages.begin(exchange) : devicePages.show()

/** A browser has nothing to do there. */
const takeLogout: Answer = (exchange, { logouts }) => {
  if (exchange.request.method !== 'POST') throw methodNotAllowed()
  return logouts.answer(exchange)
}

/** By its address alone it leads back to the beginning. */
const confirmDevice: Answer = (exchange, { devicePages }) =>
  exchange.request.method === 'POST' ? devicePages.confirm(exchange) : redirect(devicePath)

const tooMany: Answer = () => {
  throw new SignOnFailure('too-many', 'too many sign-ins from one network')
}

/** Whatever fails is told on a page, and why in the log. */
async function answered(exchange: Exchange, parts: EndpointParts, answer: Answer): Promise<Response> {
  try {
    return await answer(exchange, parts)
  } catch (error) {
    if (!(error instanceof SignOnFailure)) throw error
    logFailure(exchange, error, parts)
    const page = failurePage(error.code, exchange.auditId, parts.random)
    return withHeaders(page, endsSignIn(exchange) ? endedHeaders : [])
  }
}

function logFailure(
  { info, auditId }: Exchange,
  { code, message: reason }: SignOnFailure,
  { log }: EndpointParts,
): void {
  // A client that sends too much must not fill the log with it.
  if (code === 'too-many') return
  log.warn('a sign-in failed', { code, reason, path: info.path.slice(0, longestPath), auditId })
}

const tellConnectors: Answer = (_exchange, { connectors }) => {
  const items = connectors.enabled().map(({ name, spec }) => ({ name, displayName: labelOf({ name, spec }) }))
  return jsonResponse(200, { connectors: items })
}

function labelOf({ name, spec }: Pick<KnownConnector, 'name' | 'spec'>): string {
  return spec.displayName || name
}

async function sendToProvider(exchange: Exchange, parts: EndpointParts): Promise<Response> {
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

/** Where the user goes on. */
async function begun(exchange: Exchange, known: KnownConnector, parts: EndpointParts): Promise<Begun> {
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
  return request.url.length > longestUrl ? undefined : readDestination(info.query)
}

function choices(destination: Destination, name: string | undefined, parts: EndpointParts): Response {
  if (destination.kind !== 'command') return redirect('/')
  const { challenge, port, state, isTest } = destination
  const query = { challenge, port: String(port), state, ...(isTest ? { test: '1' } : {}) }
  return choicePage(choicesOf(query, parts.connectors, isTest ? name : undefined), parts.random, isTest)
}

/** A link for each provider, or for one, which goes on with what the query says. */
function choicesOf(
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

async function takeAnswer(exchange: Exchange, parts: EndpointParts): Promise<Response> {
  const { request, info } = exchange
  const { pending, known } = await begunHere(exchange, callbackPrefix, parts)
  const state = info.query.get('state')
  if (state !== undefined && state !== pending.expected.state) {
    throw new SignOnFailure('expired', 'the answer is that to another sign-in of this browser')
  }
  const connector = await parts.connectors.open(known)
  if (connector.form === 'password') throw new SignOnFailure('untrusted', 'this connector sends no browsers back')
  const form = await formOf(exchange, connector, parts)
  const { expected } = pending
  const answer = { url: answeredUrl(exchange, expected.redirectUri), expected, ...(form && { form }) }
  return finished(() => connector.finish(answer, request.signal), known, pending.destination, parts)
}

/** Undefined: the browser comes back with a query. What comes in another way than it has to is not looked at. */
async function formOf(
  exchange: Exchange,
  { answersBy }: RedirectConnector,
  { readBody }: EndpointParts,
): Promise<Query | undefined> {
  if ((exchange.request.method === 'POST') !== (answersBy === 'form')) {
    throw new SignOnFailure('untrusted', 'the answer came by another way than the provider has to send it')
  }
  return answersBy === 'form' ? parseQuery((await readBody(exchange, answerLimit)).toString('utf8')) : undefined
}

/** What a provider is set up with. It is no secret. */
const tellMetadata: Answer = async (exchange, parts) => {
  const known = enabledConnector(parts.connectors, exchange.info.path.slice(metadataPrefix.length))
  const connector = await parts.connectors.open(known)
  const text = connector.form === 'redirect' ? connector.metadata?.(redirectUriFor(exchange, known)) : undefined
  if (text === undefined) throw new SignOnFailure('unknown', 'this connector has no metadata')
  return {
    status: 200,
    headers: ['Content-Type', 'application/samlmetadata+xml', ...signOnHeaders],
    body: Buffer.from(text),
  }
}

async function askForPassword(exchange: Exchange, parts: EndpointParts): Promise<Response> {
  const { pending, known } = await begunHere(exchange, passwordPrefix, parts)
  return parts.passwordPages.show({ pending, label: labelOf(known) })
}

/** What is wrong is told on the page where it was typed, so that the user can try again. */
async function takePassword(exchange: Exchange, parts: EndpointParts): Promise<Response> {
  const { pending, known } = await begunHere(exchange, passwordPrefix, parts)
  const connector = await parts.connectors.open(known)
  if (connector.form !== 'password') throw new SignOnFailure('untrusted', 'this connector takes no passwords')
  try {
    const identify = () => parts.passwordPages.take(exchange, pending, connector)
    return await finished(identify, known, pending.destination, parts)
  } catch (error) {
    if (!(error instanceof SignOnFailure) || error.code !== 'wrong-password') throw error
    logFailure(exchange, error, parts)
    return parts.passwordPages.show({ pending, label: labelOf(known) }, error.code)
  }
}

interface BegunHere {
  readonly pending: PendingSignOn
  readonly known: KnownConnector
}

/** The sign-in that this browser has begun, by the connector that the path names. */
async function begunHere({ request, info }: Exchange, prefix: string, parts: EndpointParts): Promise<BegunHere> {
  const pending = await readLoginCookie(request.headers.cookie, await parts.sealingKey(), parts.clock)
  if (pending === undefined || request.url.length > longestUrl) {
    throw new SignOnFailure('expired', 'the browser brought no sign-in that was begun here')
  }
  const known = enabledConnector(parts.connectors, info.path.slice(prefix.length))
  if (known.name !== pending.connector || known.uid !== pending.connectorUid) {
    throw new SignOnFailure('untrusted', 'the answer came by another connector than the question')
  }
  return { pending, known }
}

/** The user proves who they are; one who only tries a connector is told how that went. */
async function finished(
  identify: () => Promise<ProviderIdentity>,
  known: KnownConnector,
  destination: Destination,
  parts: EndpointParts,
): Promise<Response> {
  if (destination.kind !== 'command' || !destination.isTest) {
    return letIn(await identify(), known, destination, parts)
  }
  const tried = await trySignIn(identify, known.spec, parts.clock)
  const code = await parts.tried.issue(tried, destination.challenge, known.uid)
  return redirect(destinationAddress(destination, code), endedHeaders)
}

/** The user has proven who they are. */
async function letIn(
  identity: ProviderIdentity,
  known: KnownConnector,
  destination: Destination,
  parts: EndpointParts,
): Promise<Response> {
  requireAllowed(identity, known.spec)
  const latestEndMs = latestEndOf(identity, known.spec, parts.clock.now())
  const limited = { ...identity, connector: known.name, ...(latestEndMs === undefined ? {} : { latestEndMs }) }
  const signedOn = await withSealedData(limited, await parts.sealingKey())
  const { disableUserCreation, createTeams } = known.spec
  const creates = { createsUsers: disableUserCreation !== true, createsTeams: createTeams === true }
  const entered = await parts.enterUser(signedOn, creates)
  if (entered.outcome !== 'known') throw new SignOnFailure(entered.outcome, 'the identity leads to no user')
  return sendOn({ user: entered.name, signedOn }, destination, parts)
}

async function sendOn(entered: EnteredUser, destination: Destination, parts: EndpointParts): Promise<Response> {
  if (destination.kind === 'device') return withHeaders(await parts.devicePages.askForCode(entered), endedHeaders)
  const use = destination.kind === 'console' ? 'session' : 'key'
  const code = await parts.codes.issue(entered, destination.challenge, use)
  return redirect(destinationAddress(destination, code), endedHeaders)
}

const endedHeaders: readonly string[] = ['Set-Cookie', endedCookie]

/** What a browser came back with is of no use a second time. */
function endsSignIn({ info }: Exchange): boolean {
  return info.form === 'path' && info.path.startsWith(callbackPrefix)
}

function enabledConnector(connectors: Connectors, name: string): KnownConnector {
  const known = connectors.find(name)
  if (known !== undefined && known.spec.disabled !== true) return known
  throw new SignOnFailure('unknown', 'there is no such connector, or it is switched off')
}

/** As the provider was told it, with what the browser came back with. */
function answeredUrl({ request }: Exchange, redirectUri: string): URL {
  const url = new URL(redirectUri)
  const question = request.url.indexOf('?')
  url.search = question < 0 ? '' : request.url.slice(question)
  return url
}

function redirectUriFor({ request }: Exchange, { name, spec }: KnownConnector): string {
  const redirectUri = redirectUriOf(spec)
  if (redirectUri !== '') return redirectUri
  const host = hostOf(request)
  if (isPlainHost(host)) return `https://${host}${callbackPrefix}${name}`
  throw new SignOnFailure('misconfigured', 'the request names no host to come back to')
}

function redirect(location: string, headers: readonly string[] = []): Response {
  return { status: 302, headers: ['Location', location, ...signOnHeaders, ...headers], body: Buffer.alloc(0) }
}
