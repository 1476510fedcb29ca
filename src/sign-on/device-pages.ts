import type { Clock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import { networkOf } from '../base/network-of.ts'
import type { Random } from '../base/random.ts'
import type { Exchange } from '../server/exchange.ts'
import { headerOf, type Response } from '../server/http.ts'
import { jsonResponse, withHeaders } from '../server/responses.ts'
import { challengeForm } from './destination.ts'
import type { DeviceRequest, DeviceRequests } from './device-requests.ts'
import { deviceValidForMs } from './device-requests.ts'
import { SignOnFailure } from './failure.ts'
import { type Choice, codePage, machinePage, signOnHeaders } from './pages.ts'
import { printUserCode, readUserCode } from './user-code.ts'

export const devicePath = '/auth/device'
const burst = 20
const refillMs = 30_000
const mostNetworks = 10_000
const longestMachine = 64
const pollSeconds = 5

export interface DevicePageParts {
  readonly devices: DeviceRequests
  /** How a user signs in for the machine with this code. */
  readonly choices: (code: string) => readonly Choice[]
  readonly clock: Clock
  readonly random: Random
}

/**
 * `POST /auth/device` begins a sign-in for a machine without a browser; on the page of the same address the user types the
 * code that it shows, and is told which machine asks. No address fills in the code: it takes a form of this very page.
 */
export class DevicePages {
  readonly #parts: DevicePageParts
  readonly #turns: LeakyBuckets

  constructor(parts: DevicePageParts) {
    this.#parts = parts
    this.#turns = new LeakyBuckets({ clock: parts.clock, burst, refillMs, most: mostNetworks })
  }

  async begin(exchange: Exchange): Promise<Response> {
    const { query } = exchange.info
    const challenge = query.get('challenge') ?? ''
    const isOfPage = headerOf(exchange.request, 'sec-fetch-site') !== undefined
    if (!challengeForm.test(challenge) || isOfPage) {
      throw new SignOnFailure('untrusted', 'a machine asks without a challenge, or as a page')
    }
    this.#takeTurn(exchange)
    const machine = shownName(query.get('machine') ?? '')
    const address = exchange.request.peer.remoteAddress
    const code = await this.#parts.devices.begin({ challenge, machine, address })
    const begun = { userCode: printUserCode(code), expiresInSeconds: deviceValidForMs / 1000, pollSeconds }
    return withHeaders(jsonResponse(200, begun), signOnHeaders)
  }

  /** What was typed counts only from the form of this page: a link could come from anyone. */
  async show(exchange: Exchange): Promise<Response> {
    const { devices, random } = this.#parts
    const typed = exchange.info.query.get('code')
    const isTyped = headerOf(exchange.request, 'sec-fetch-site') === 'same-origin'
    if (typed === undefined || !isTyped) return codePage('', random)
    this.#takeTurn(exchange)
    const code = readUserCode(typed)
    const request = code === undefined ? undefined : await devices.find(code)
    if (code === undefined || request === undefined) {
      return codePage(
        'No machine waits with this code. Codes end after ten minutes: is it the one that is shown now?',
        random,
      )
    }
    return machinePage({ ...this.#asked(request), code: printUserCode(code) }, this.#parts.choices(code), random)
  }

  #asked({ machine, address, beganMs }: DeviceRequest) {
    const minutes = Math.floor((this.#parts.clock.now() - beganMs) / 60_000)
    return { machine, address, minutes }
  }

  #takeTurn({ request }: Exchange): void {
    if (this.#turns.add(networkOf(request.peer.remoteAddress)) === 0) return
    throw new SignOnFailure('too-many', 'too many codes from one network')
  }
}

/** It is what the machine says of itself: only what can be seen of it, and not all of it. */
function shownName(machine: string): string {
  return machine.replace(/[^\x20-\x7e]/g, '?').slice(0, longestMachine) || 'a machine without a name'
}
