import type { ConnectorSpec } from '../api/types/management.ts'
import type { Clock } from '../base/clock.ts'
import { requireAllowed } from './allow-list.ts'
import type { ProviderIdentity } from './contract.ts'
import { SignOnFailure } from './failure.ts'
import { latestEndOf } from './latest-end.ts'
import { commandWaitsMs } from './stored/one-time-codes.ts'
import { type OneTimeParts, OneTimeRecords } from './stored/one-time-records.ts'
import { signOnRoot } from './stored/store-root.ts'
import { isVerifier } from './stored/verifier.ts'

const place = { prefix: `${signOnRoot}tried/`, validForMs: commandWaitsMs }

/** The result of a sign-in that tested a connector: no user is created, found or signed in. */
export interface TriedSignIn {
  readonly steps: readonly string[]
  readonly warnings?: readonly string[]
  readonly problem?: string
}

interface StoredTry extends TriedSignIn {
  /** SHA-256 of the verifier. */
  readonly challenge: string
  readonly connectorUid: string
}

/** Tested sign-ins, until the command that began them asks. */
export class TriedSignIns {
  readonly #records: OneTimeRecords<StoredTry>

  constructor(parts: OneTimeParts) {
    this.#records = new OneTimeRecords(parts, place)
  }

  issue(tried: TriedSignIn, challenge: string, connectorUid: string): Promise<string> {
    return this.#records.issue({ ...tried, challenge, connectorUid })
  }

  /** A code is used up by any attempt. */
  async redeem(code: string, verifier: string, connectorUid: string): Promise<TriedSignIn | undefined> {
    const stored = await this.#records.take(code)
    return stored?.connectorUid === connectorUid && isVerifier(verifier, stored.challenge) ? stored : undefined
  }
}

/** Rejects with errors that do not concern the sign-in, and with a wrong password, which can be entered again. */
export async function trySignIn(
  identify: () => Promise<ProviderIdentity>,
  spec: ConnectorSpec,
  clock: Clock,
): Promise<TriedSignIn> {
  const steps: string[] = []
  try {
    const identity = await identify()
    steps.push(...toldBy(identity))
    requireAllowed(identity, spec)
    return letIn(steps, identity, latestEndText(identity, spec, clock.now()))
  } catch (error) {
    if (!(error instanceof SignOnFailure) || error.code === 'wrong-password') throw error
    return { steps, problem: error.message }
  }
}

function letIn(steps: readonly string[], { connectorData }: ProviderIdentity, ends: readonly string[]): TriedSignIn {
  const told = [...steps, 'the user is let in']
  if (connectorData !== undefined)
    return { steps: [...told, 'while a session lives, the provider is asked again', ...ends] }
  const warning =
    'nothing came by which the provider could be asked again: groups, and whether the account is still good, count from the sign-in on until the session ends'
  return { steps: [...told, ...ends], warnings: [warning] }
}

function latestEndText(identity: ProviderIdentity, spec: ConnectorSpec, nowMs: number): readonly string[] {
  const endMs = latestEndOf(identity, spec, nowMs)
  if (endMs === undefined) return []
  return [`a session ends ${hoursText(endMs - nowMs)} after the sign-in at the latest (spec.sessionSeconds)`]
}

function hoursText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
}

const mostShown = 50

function toldBy({ userId, username, preferredUsername, email, emailVerified, groups }: ProviderIdentity) {
  const shown = groups.slice(0, mostShown).join(', ')
  const more = groups.length > mostShown ? `, and ${groups.length - mostShown} more` : ''
  return [
    `a user has signed in, with the id ${userId} there`,
    `the user name is ${username}${preferredUsername === undefined ? '' : `, and the name ${preferredUsername}`}`,
    email === undefined
      ? 'without a mail address'
      : `the mail address is ${email}, which is ${emailVerified ? 'verified' : 'not verified'}`,
    groups.length === 0 ? 'no group counts' : `the groups that count are ${shown}${more}`,
  ]
}
