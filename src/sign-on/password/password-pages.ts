import { type Clock, monotonicClock } from '../../base/clock.ts'
import { networkOf } from '../../base/network/network-of.ts'
import { pause } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { BodyLimit, Response } from '../../server/http.ts'
import { parseQuery, type Query } from '../../server/request/query.ts'
import type { Credentials, PasswordConnector, ProviderIdentity } from '../contract.ts'
import type { ReadBody } from '../device/device-pages.ts'
import { SignOnFailure } from '../failure.ts'
import type { PendingSignOn } from '../login-cookie.ts'
import { requireOwnForm } from '../own-form.ts'
import { passwordPage } from '../pages.ts'
import type { ProviderTurns } from '../provider-turns.ts'
import { untilStepMs } from './even-answers.ts'
import { PasswordTries } from './password-tries.ts'

export const passwordPrefix = '/auth/password/'
const formLimit: BodyLimit = { maxBytes: 8_192, timeoutMs: 5_000 }
const longestUsername = 256
const longestPassword = 1_024

export interface PasswordPageParts {
  readonly readBody: ReadBody
  readonly clock: Clock
  readonly random: Random
  readonly providerTurns: ProviderTurns
}

/** A sign-in with a password in progress. */
export interface PasswordSignOn {
  readonly pending: PendingSignOn
  /** The connector's name for users. */
  readonly label: string
}

/** `/auth/password/<connector>`: where a user enters name and password, and how they are handled. */
export class PasswordPages {
  readonly #parts: PasswordPageParts
  readonly #tries: PasswordTries

  constructor(parts: PasswordPageParts) {
    this.#parts = parts
    this.#tries = new PasswordTries(parts.clock)
  }

  show({ pending, label }: PasswordSignOn, problem?: 'wrong-password'): Response {
    const { connector, expected } = pending
    const form = {
      action: passwordPrefix + connector,
      state: expected.state,
      connector: label,
      problem,
    }
    return passwordPage(form, this.#parts.random)
  }

  /**
   * Returns who has entered the right password. Rejects with `SignOnFailure`; wrong credentials are reported only at
   * whole steps of time.
   */
  async take(exchange: Exchange, pending: PendingSignOn, connector: PasswordConnector): Promise<ProviderIdentity> {
    requireOwnForm(exchange)
    const body = await this.#parts.readBody(exchange, formLimit)
    const form = parseQuery(body.toString('utf8'))
    if (form.get('state') !== pending.expected.state) {
      throw new SignOnFailure('expired', 'the form is that of another sign-in of this browser')
    }
    const credentials = credentialsIn(form)
    const { username } = credentials
    const tried = { connector: pending.connector, username, address: exchange.request.clientAddress }
    if (!this.#tries.take(tried)) throw new SignOnFailure('too-many', 'too many passwords were tried')
    const beganMs = monotonicClock.now()
    try {
      const { signal } = exchange.request
      const asker = { owner: networkOf(tried.address, 48), signal }
      const identity = await this.#parts.providerTurns.take(pending.connectorUid, asker, () =>
        connector.check(credentials, signal),
      )
      this.#tries.succeeded(tried)
      return identity
    } catch (error) {
      if (error instanceof SignOnFailure && error.code === 'wrong-password') {
        await pause(untilStepMs(monotonicClock.now() - beganMs), exchange.request.signal)
      }
      throw error
    }
  }
}

/**
 * Empty, and therefore answered like a wrong password, if a part is too long, the name contains control characters, or
 * the password a NUL, at which a directory might take it to end: the directory never sees them, and a different answer
 * would reveal what it accepts.
 */
function credentialsIn(form: Query): Credentials {
  const [username, password] = [form.get('username') ?? '', form.get('password') ?? '']
  const isName = username.length <= longestUsername && !/\p{C}/u.test(username)
  const isPassword = password.length <= longestPassword && !password.includes('\0')
  return isName && isPassword ? { username, password } : { username: '', password: '' }
}
