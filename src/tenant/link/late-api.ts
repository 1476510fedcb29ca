import { serviceUnavailable } from '../../api/error.ts'
import { waitAtMost } from '../../base/pause.ts'
import type { LinkRequest, VirtualApi } from './contract.ts'
import { refuse } from './refuse.ts'

/** How long requests wait for a virtual cluster that starts. */
const patienceMs = 10_000
const starting = 'the virtual cluster is being started'

/** The API of a virtual cluster that is being started: what is asked over its link meanwhile waits for it. */
export class LateVirtualApi implements VirtualApi {
  #api: VirtualApi | undefined
  #there = (): void => {}
  readonly #whenThere = new Promise<void>((resolve) => {
    this.#there = resolve
  })

  become(api: VirtualApi): void {
    this.#api = api
    this.#there()
  }

  serve(request: LinkRequest): void {
    if (this.#api !== undefined) this.#api.serve(request)
    else void this.#serveLater(request)
  }

  async bindClusterRole(role: string): Promise<void> {
    await this.#wait()
    if (this.#api === undefined) throw serviceUnavailable(starting)
    await this.#api.bindClusterRole(role)
  }

  async #serveLater(request: LinkRequest): Promise<void> {
    await this.#wait()
    if (request.stream.destroyed) return
    if (this.#api !== undefined) this.#api.serve(request)
    else refuse(request.stream, 503, 'ServiceUnavailable', starting)
  }

  async #wait(): Promise<void> {
    if (this.#api === undefined) await waitAtMost(patienceMs, this.#whenThere)
  }
}
