import { badRequest, isRefusal, tooManyRequests } from '../../api/error.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { AnnouncedKey, EnteredUser, Sessions } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import { type BodyLimit, headerOf, type Response } from '../../server/http.ts'
import { parseQuery, type Query } from '../../server/request/query.ts'
import { jsonResponse, withHeaders } from '../../server/responses/responses.ts'
import { challengeForm } from '../destination.ts'
import { SignOnFailure } from '../failure.ts'
import { requireOwnForm } from '../own-form.ts'
import {
  type Choice,
  codePage,
  devicePage,
  letInPage,
  machinePage,
  type SignedInForm,
  signOnHeaders,
} from '../pages.ts'
import { type OneTimeParts, OneTimeRecords } from '../stored/one-time-records.ts'
import { signOnRoot } from '../stored/store-root.ts'
import { type DeviceRequest, type DeviceRequests, deviceValidForMs } from './device-requests.ts'
import { printUserCode, readUserCode } from './user-code.ts'

export const devicePath = '/auth/device'
const burst = 20
const refillMs = 30_000
const mostBuckets = 10_000
const longestMachine = 64
const pollSeconds = 5
const formLimit: BodyLimit = { maxBytes: 4_096, timeoutMs: 5_000 }
/** As long as the machine waits: a user who has just signed in must find and enter the code. */
const tickets = { prefix: `${signOnRoot}tickets/`, validForMs: deviceValidForMs }

export interface DevicePageParts extends OneTimeParts {
  readonly devices: DeviceRequests
  /** How a user signs in to admit a machine. */
  readonly choices: () => readonly Choice[]
  readonly readBody: ReadBody
  readonly announcements: Announcements
}

/** For machines that were admitted, until they have fetched their keys. */
export interface Announcements {
  begin: Sessions['announce']
  end(announced: AnnouncedKey): Promise<void>
}

/** Within the limits for strangers. */
export type ReadBody = (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>

/**
 * `POST /auth/device` begins a sign-in for a machine without a browser. On the page of the same address its user signs
 * in, enters the code that the machine shows, sees which machine asks, and admits it. No URL fills in the code and none
 * admits a machine: that takes forms of these pages, submitted by a user who was asked after the sign-in. A browser
 * that another person sent through a sign-in arrives at a page that asks for a code, and its user has none.
 */
export class DevicePages {
  readonly #parts: DevicePageParts
  /** Users who have signed in, until they name their machine. */
  readonly #signedIn: OneTimeRecords<EnteredUser>
  /** By network. */
  readonly #asking: LeakyBuckets
  /** By user. */
  readonly #typing: LeakyBuckets

  constructor(parts: DevicePageParts) {
    this.#parts = parts
    this.#signedIn = new OneTimeRecords(parts, tickets)
    this.#asking = turnsOf(parts)
    this.#typing = turnsOf(parts)
  }

  /** Failures are returned to a command, not shown on pages. */
  async begin(exchange: Exchange): Promise<Response> {
    const { query } = exchange.info
    const challenge = query.get('challenge') ?? ''
    const isOfPage = headerOf(exchange.request, 'sec-fetch-site') !== undefined
    if (!challengeForm.test(challenge) || isOfPage) {
      throw badRequest('a command asks for a code with a challenge, and pages ask for none')
    }
    const waitMs = this.#asking.add(networkOf(exchange.request.clientAddress, 48))
    if (waitMs > 0) throw tooManyRequests('too many codes were asked for from this network', Math.ceil(waitMs / 1000))
    const machine = shownName(query.get('machine') ?? '')
    const address = exchange.request.clientAddress
    const code = await this.#parts.devices.begin({ challenge, machine, address })
    const begun = { userCode: printUserCode(code), expiresInSeconds: deviceValidForMs / 1000, pollSeconds }
    return withHeaders(jsonResponse(200, begun), signOnHeaders)
  }

  show(): Response {
    return devicePage(this.#parts.choices(), this.#parts.random)
  }

  /** The user has signed in, and is asked for the code. */
  async askForCode(entered: EnteredUser): Promise<Response> {
    const ticket = await this.#signedIn.issue(entered)
    return codePage({ user: entered.user, ticket }, '', this.#parts.random)
  }

  /** Handles the entered code, and the decision to admit its machine. */
  async confirm(exchange: Exchange): Promise<Response> {
    requireOwnForm(exchange)
    const body = await this.#parts.readBody(exchange, formLimit)
    const form = parseQuery(body.toString('utf8'))
    const ticket = form.get('ticket') ?? ''
    const entered = await this.#signedIn.find(ticket)
    if (entered === undefined) throw new SignOnFailure('expired', 'a code was typed without a sign-in for a machine')
    if (form.get('confirmed') === 'yes') return this.#letIn(ticket, form)
    return this.#tell({ user: entered.user, ticket }, form.get('code') ?? '')
  }

  /** Shows which machine has the code. */
  async #tell(signedIn: SignedInForm, typed: string): Promise<Response> {
    const { devices, random } = this.#parts
    const code = readUserCode(typed)
    if (code === undefined) return codePage(signedIn, unknownCode, random)
    if (this.#typing.add(signedIn.user) > 0) {
      throw new SignOnFailure('too-many', `${signedIn.user} has typed too many codes`)
    }
    const request = await devices.find(code)
    if (request === undefined) return codePage(signedIn, unknownCode, random)
    return machinePage(signedIn, { ...this.#asked(request), code: printUserCode(code) }, random)
  }

  /** One sign-in admits one machine: what the provider issued with it is valid once. */
  async #letIn(ticket: string, form: Query): Promise<Response> {
    const { devices, random, announcements } = this.#parts
    const entered = await this.#signedIn.take(ticket)
    const code = readUserCode(form.get('code') ?? '')
    const request = code && (await devices.find(code))
    if (entered === undefined || code === undefined || !request) throw waitsNoMore()
    const { machine, address } = request
    const ttlSeconds = deviceValidForMs / 1000
    const announced = await announcements.begin(entered, { machine, address, ttlSeconds }).catch((error: unknown) => {
      throw isRefusal(error, 401) ? waitsNoMore() : error
    })
    if (!(await devices.approve(code, form.get('challenge') ?? '', { ...entered, announced }))) {
      await announcements.end(announced)
      throw waitsNoMore()
    }
    return letInPage(entered.user, random)
  }

  #asked({ machine, address, beganMs, challenge }: DeviceRequest) {
    const minutes = Math.floor((this.#parts.clock.now() - beganMs) / 60_000)
    return { machine, address, minutes, challenge }
  }
}

function waitsNoMore(): SignOnFailure {
  return new SignOnFailure('expired', 'the machine waits no more')
}

const unknownCode = 'No machine waits with this code. Codes end after ten minutes: is it the one that is shown now?'

function turnsOf({ clock }: Pick<DevicePageParts, 'clock'>): LeakyBuckets {
  return new LeakyBuckets({ clock, burst, refillMs, most: mostBuckets })
}

/** The name comes from the machine itself: only printable characters, and a limited length. */
function shownName(machine: string): string {
  return machine.replace(/[^\x20-\x7e]/g, '?').slice(0, longestMachine) || 'a machine without a name'
}
