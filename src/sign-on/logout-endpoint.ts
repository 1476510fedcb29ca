import type { SignOnLogout } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Exchange } from '../server/exchange.ts'
import type { BodyLimit, Response } from '../server/http.ts'
import { parseQuery } from '../server/request/query.ts'
import { jsonResponse, withHeaders } from '../server/responses/responses.ts'
import type { Store } from '../storage/contract.ts'
import type { Connectors } from './connectors.ts'
import type { ReadBody } from './device/device-pages.ts'
import { SignOnFailure } from './failure.ts'
import { signOnHeaders } from './pages.ts'
import { UsedOnce } from './stored/used-once.ts'

export const logoutPrefix = '/auth/backchannel-logout/'
const formLimit: BodyLimit = { maxBytes: 32_768, timeoutMs: 5_000 }
const longestPath = 100

/** Ends sessions that a provider reports as over. Returns how many. */
export type EndSignedOn = (logout: SignOnLogout) => Promise<number>

export interface LogoutParts {
  readonly connectors: Connectors
  readonly endSignedOn: EndSignedOn
  readonly readBody: ReadBody
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** `POST /auth/backchannel-logout/<connector>`: a provider reports that a user has signed out there. */
export class LogoutEndpoint {
  readonly #parts: LogoutParts
  readonly #used: UsedOnce

  constructor(parts: LogoutParts) {
    this.#parts = parts
    this.#used = new UsedOnce(parts.store, parts.clock, 'logouts')
  }

  /** The answers are those of the protocol. Only the log has the reason for a refusal. */
  async answer(exchange: Exchange): Promise<Response> {
    const { log } = this.#parts
    try {
      await this.#take(exchange)
      return told(200, {})
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error
      const { code, message: reason } = error
      log.warn('a sign-out by a provider failed', { code, reason, path: exchange.info.path.slice(0, longestPath) })
      return code === 'unavailable' ? told(503, {}) : told(400, { error: 'invalid_request' })
    }
  }

  async #take(exchange: Exchange): Promise<void> {
    const { connectors, readBody, endSignedOn, log } = this.#parts
    const name = exchange.info.path.slice(logoutPrefix.length)
    const known = connectors.find(name)
    const connector = known && (await connectors.open(known))
    if (connector?.form !== 'redirect' || connector.loggedOut === undefined) {
      throw new SignOnFailure('unknown', 'no connector of that name supports back-channel logout')
    }
    const tokens = parseQuery((await readBody(exchange, formLimit)).toString('utf8')).all('logout_token')
    if (tokens.length !== 1) throw new SignOnFailure('untrusted', 'the form holds no logout token')
    const { id, endMs, ...logout } = await connector.loggedOut(tokens[0] ?? '')
    if (await this.#used.has(id, endMs)) throw new SignOnFailure('expired', 'the logout token was used before')
    // Sessions first: after a failure, a provider sends the same token again.
    const ended = await endSignedOn({ connector: name, ...logout })
    await this.#used.take(id, endMs)
    log.info('a user has signed out at the provider', { connector: name, userId: logout.userId, ended })
  }
}

function told(status: number, body: object): Response {
  return withHeaders(jsonResponse(status, body), signOnHeaders)
}
