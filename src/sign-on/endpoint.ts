import { methodNotAllowed } from '../api/error.ts'
import type { Clock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import type { Log } from '../base/log.ts'
import { networkOf } from '../base/network/network-of.ts'
import type { Random } from '../base/random.ts'
import type { Exchange } from '../server/exchange.ts'
import type { Response } from '../server/http.ts'
import type { PipelineStep } from '../server/pipeline.ts'
import { jsonResponse, withHeaders } from '../server/responses/responses.ts'
import type { Store } from '../storage/contract.ts'
import {
  beginSignIn,
  callbackPrefix,
  enabledConnector,
  labelOf,
  loginPath,
  providerChoices,
  redirectUriFor,
} from './begin-sign-in.ts'
import type { Connectors } from './connectors.ts'
import { type Announcements, DevicePages, devicePath, type ReadBody } from './device/device-pages.ts'
import type { DeviceRequests } from './device/device-requests.ts'
import { SignOnFailure } from './failure.ts'
import { begunHere, type EnterUser, endedHeaders, finishSignIn } from './finish-sign-in.ts'
import { type EndSignedOn, LogoutEndpoint, logoutPrefix } from './logout-endpoint.ts'
import { confirmPath, failurePage, redirect, signOnHeaders } from './pages.ts'
import { PasswordPages, passwordPrefix } from './password/password-pages.ts'
import { takeProviderAnswer } from './provider-answer.ts'
import { ProviderTurns } from './provider-turns.ts'
import type { OneTimeCodes } from './stored/one-time-codes.ts'
import type { TriedSignIns } from './tried-sign-ins.ts'

export interface SignOnPageParts {
  readonly connectors: Connectors
  readonly codes: OneTimeCodes
  readonly tried: TriedSignIns
  readonly devices: DeviceRequests
  readonly enterUser: EnterUser
  readonly endSignedOn: EndSignedOn
  readonly announcements: Announcements
  /** The key for data that others keep for the platform. */
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
  readonly providerTurns: ProviderTurns
  readonly logouts: LogoutEndpoint
}

const connectorsPath = '/auth/connectors'
const metadataPrefix = '/auth/saml/'
/** The length of a path in the log. */
const longestPath = 100
const burst = 300
const refillMs = 25
const mostNetworks = 10_000

/**
 * `/auth/connectors` lists the ways to sign in, `/auth/login` sends the browser to a provider, and
 * `/auth/callback/<connector>` handles its return. That does not sign a user in: it yields a code that only the
 * initiator can use. `/auth/password/<connector>` replaces the provider's page where there is none. `/auth/device` and
 * `/auth/device/confirm` are for machines without a browser.
 */
export function signOnPages(options: SignOnPageParts): PipelineStep {
  const choices = () => providerChoices({ device: '1' }, options.connectors)
  const devicePages = new DevicePages({ ...options, choices })
  const providerTurns = new ProviderTurns()
  const passwordPages = new PasswordPages({ ...options, providerTurns })
  const logouts = new LogoutEndpoint(options)
  const parts: EndpointParts = { ...options, devicePages, passwordPages, providerTurns, logouts }
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
  if (path === loginPath) return beginSignIn
  if (path === devicePath) return answerDevice
  if (path === confirmPath) return confirmDevice
  if (path.startsWith(passwordPrefix)) return answerPassword
  if (path.startsWith(metadataPrefix)) return tellMetadata
  if (path.startsWith(logoutPrefix)) return takeLogout
  return path.startsWith(callbackPrefix) ? takeProviderAnswer : undefined
}

const answerPassword: Answer = (exchange, parts) =>
  exchange.request.method === 'POST' ? takePassword(exchange, parts) : askForPassword(exchange, parts)

const answerDevice: Answer = (exchange, { devicePages }) =>
  exchange.request.method === 'POST' ? devicePages.begin(exchange) : devicePages.show()

/** Not meant for browsers. */
const takeLogout: Answer = (exchange, { logouts }) => {
  if (exchange.request.method !== 'POST') throw methodNotAllowed()
  return logouts.answer(exchange)
}

/** Opened as a plain URL, it leads back to the beginning. */
const confirmDevice: Answer = (exchange, { devicePages }) =>
  exchange.request.method === 'POST' ? devicePages.confirm(exchange) : redirect(devicePath)

const tooMany: Answer = () => {
  throw new SignOnFailure('too-many', 'too many sign-ins from one network')
}

/** Failures are shown on a page; the log has the reason. */
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

/** The configuration for a provider. It is not secret. */
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

/** Errors appear on the page where the password was entered, so that the user can retry. */
async function takePassword(exchange: Exchange, parts: EndpointParts): Promise<Response> {
  const { pending, known } = await begunHere(exchange, passwordPrefix, parts)
  const connector = await parts.connectors.open(known)
  if (connector.form !== 'password') throw new SignOnFailure('untrusted', 'this connector takes no passwords')
  try {
    const identify = () => parts.passwordPages.take(exchange, pending, connector)
    return await finishSignIn(identify, known, pending.destination, parts)
  } catch (error) {
    if (!(error instanceof SignOnFailure) || error.code !== 'wrong-password') throw error
    logFailure(exchange, error, parts)
    return parts.passwordPages.show({ pending, label: labelOf(known) }, error.code)
  }
}

/** A browser's return from a provider cannot be used a second time. */
function endsSignIn({ info }: Exchange): boolean {
  return info.form === 'path' && info.path.startsWith(callbackPrefix)
}
