import { serviceUnavailable } from '../../api/error.ts'
import { waitAtMost } from '../../base/pause.ts'
import type { LinkRequest, VirtualApi } from './contract.ts'
import { refuse } from './refuse.ts'

/** How long requests wait for a virtual cluster that is starting. */
const patienceMs = 10_000
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

  /** From now on, requests are answered. */
  answerBy(early: EarlyVirtualApi): void {
    this.#early = early
    this.#answers.come()
  }

  become(api: VirtualApi): void {
    this.#api = api
    this.#answers.come()
    this.#there.come()
  }

  serve(request: LinkRequest): void {
    const api = this.#api ?? this.#early
    if (api !== undefined) api.serve(request)
    else void this.#serveLater(request)
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
