import type { SignedOn } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { EnteredUser } from '../server/contract.ts'
import type { Exchange } from '../server/exchange.ts'
import type { Response } from '../server/http.ts'
import { withHeaders } from '../server/responses/responses.ts'
import { requireAllowed } from './allow-list.ts'
import { enabledConnector, longestSignInUrl } from './begin-sign-in.ts'
import type { Connectors, KnownConnector } from './connectors.ts'
import type { ProviderIdentity } from './contract.ts'
import { destinationAddress } from './destination.ts'
import type { DevicePages } from './device/device-pages.ts'
import { type FailureCode, SignOnFailure } from './failure.ts'
import { latestEndOf } from './latest-end.ts'
import { type Destination, endedCookie, type PendingSignOn, readLoginCookie } from './login-cookie.ts'
import { type AskingCommand, commandPage, redirect } from './pages.ts'
import type { OneTimeCodes } from './stored/one-time-codes.ts'
import { withSealedData } from './stored/sealed-data.ts'
import { type TriedSignIns, trySignIn } from './tried-sign-ins.ts'

/** Finds the User of an identity, or the reason why there is none. */
export type EnterUser = (
  signedOn: SignedOn,
  creates: { readonly createsUsers: boolean; readonly createsTeams: boolean },
) => Promise<
  | { readonly outcome: 'known'; readonly name: string }
  | { readonly outcome: Extract<FailureCode, 'no-account' | 'no-room' | 'locked' | 'ambiguous'> }
>

export interface FinishingParts {
  readonly connectors: Connectors
  readonly codes: OneTimeCodes
  readonly tried: TriedSignIns
  readonly devicePages: DevicePages
  readonly enterUser: EnterUser
  /** The key for data that others keep for the platform. */
  readonly sealingKey: () => Promise<Uint8Array>
  readonly clock: Clock
  readonly random: Random
}

export interface BegunHere {
  readonly pending: PendingSignOn
  readonly known: KnownConnector
}

/** The sign-in that this browser has begun, with the connector in the path. */
export async function begunHere(
  { request, info }: Exchange,
  prefix: string,
  parts: FinishingParts,
): Promise<BegunHere> {
  const pending = await readLoginCookie(request.headers.cookie, await parts.sealingKey(), parts.clock)
  if (pending === undefined || request.url.length > longestSignInUrl) {
    throw new SignOnFailure('expired', 'the browser brought no sign-in that was begun here')
  }
  const known = enabledConnector(parts.connectors, info.path.slice(prefix.length))
  if (known.name !== pending.connector || known.uid !== pending.connectorUid) {
    throw new SignOnFailure('untrusted', 'the answer came by another connector than the question')
  }
  return { pending, known }
}

/** Identifies the user. When a connector is only tested, the user is shown the result. */
export async function finishSignIn(
  identify: () => Promise<ProviderIdentity>,
  known: KnownConnector,
  destination: Destination,
  parts: FinishingParts,
): Promise<Response> {
  if (destination.kind !== 'command' || !destination.isTest) {
    return letIn(await identify(), known, destination, parts)
  }
  const tried = await trySignIn(identify, known.spec, parts.clock)
  const code = await parts.tried.issue(tried, destination.challenge, known.uid)
  return asking({ address: destinationAddress(destination, code) }, parts)
}

/** The user has been identified. */
async function letIn(
  identity: ProviderIdentity,
  known: KnownConnector,
  destination: Destination,
  parts: FinishingParts,
): Promise<Response> {
  requireAllowed(identity, known.spec)
  const latestEndMs = latestEndOf(identity, known.spec, parts.clock.now())
  const limited = { ...identity, connector: known.name, ...(latestEndMs === undefined ? {} : { latestEndMs }) }
  const signedOn = await withSealedData(limited, await parts.sealingKey())
  const { disableUserCreation, createTeams } = known.spec
  const creates = { createsUsers: disableUserCreation !== true, createsTeams: createTeams === true }
  const entered = await parts.enterUser(signedOn, creates)
  if (entered.outcome !== 'known') throw new SignOnFailure(entered.outcome, 'no user has the identity')
  return sendOn({ user: entered.name, signedOn }, destination, parts)
}

async function sendOn(entered: EnteredUser, destination: Destination, parts: FinishingParts): Promise<Response> {
  if (destination.kind === 'device') return withHeaders(await parts.devicePages.askForCode(entered), endedHeaders)
  const use = destination.kind === 'console' ? 'session' : 'key'
  const code = await parts.codes.issue(entered, destination.challenge, use)
  const address = destinationAddress(destination, code)
  return use === 'key' ? asking({ user: entered.user, address }, parts) : redirect(address, endedHeaders)
}

function asking(command: AskingCommand, { random }: FinishingParts): Response {
  return withHeaders(commandPage(command, random), endedHeaders)
}

export const endedHeaders: readonly string[] = ['Set-Cookie', endedCookie]
