import { setImmediate as nextTurn } from 'node:timers/promises'
import { serviceUnavailable } from '../../api/error.ts'
import { waitAtMost } from '../../base/pause.ts'
import { OpenStreams } from '../../client/forward/open-streams.ts'
import type { LinkRequest, VirtualApi } from './contract.ts'
import { refuse } from './refuse.ts'

/** How long requests wait for a virtual cluster that is starting. */
const patienceMs = 10_000
/** How long the rest of the start waits for the first answers. */
const headStartMs = 250
const starting = 'the virtual cluster is being started'

/** The abilities of a virtual cluster that was set up before, while the rest of it starts. */
export interface EarlyVirtualApi extends Pick<VirtualApi, 'serve'> {
  isBound(role: string): boolean
}

/** The API of a virtual cluster that is starting: requests over its link wait for it. */
export class LateVirtualApi implements VirtualApi {
  #early: EarlyVirtualApi | undefined
  #api: VirtualApi | undefined
  readonly #answers = new Moment()
  readonly #there = new Moment()
  readonly #headStartMs: number
  /** Requests from before the virtual cluster had started. */
  readonly #first = new OpenStreams()

  constructor(options: { readonly headStartMs: number } = { headStartMs }) {
    this.#headStartMs = options.headStartMs
  }

  /**
   * From now on, requests are answered. Resolves once waiting requests are answered, or after a short time: the rest of
   * the start would take processor time from them.
   */
  async answerBy(early: EarlyVirtualApi): Promise<void> {
    this.#early = early
    this.#answers.come()
    await nextTurn()
    await waitAtMost(this.#headStartMs, this.#first.idle())
  }

  become(api: VirtualApi): void {
    this.#api = api
    this.#answers.come()
    this.#there.come()
  }

  serve(request: LinkRequest): void {
    if (this.#api === undefined) this.#count(request)
    const api = this.#api ?? this.#early
    if (api !== undefined) api.serve(request)
    else void this.#serveLater(request)
  }

  #count({ stream }: LinkRequest): void {
    if (stream.destroyed) return
    this.#first.begin()
    stream.once('close', this.#first.end)
  }

  async bindClusterRole(role: string): Promise<void> {
    if (this.#api === undefined) await waitAtMost(patienceMs, this.#whenBindable(role))
    if (this.#api !== undefined) return this.#api.bindClusterRole(role)
    if (this.#early?.isBound(role) !== true) throw serviceUnavailable(starting)
  }

  async #whenBindable(role: string): Promise<void> {
    await this.#answers.whenCome
    if (this.#early?.isBound(role) !== true) await this.#there.whenCome
  }

  async #serveLater(request: LinkRequest): Promise<void> {
    await waitAtMost(patienceMs, this.#answers.whenCome)
    if (request.stream.destroyed) return
    const api = this.#api ?? this.#early
    if (api !== undefined) api.serve(request)
    else refuse(request.stream, 503, 'ServiceUnavailable', starting)
  }
}

class Moment {
  come = (): void => {}
  readonly whenCome = new Promise<void>((resolve) => {
    this.come = resolve
  })
}
