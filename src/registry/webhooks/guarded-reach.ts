import { isIP, type LookupFunction } from 'node:net'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import { isAllowedAddress, isLoopback } from '../../base/allowed-address.ts'
import { lookupAmong } from '../../base/lookup-among.ts'
import { addressOf } from '../../client/connection/address.ts'
import type { ResolveService, WebhookReach } from './contract.ts'

/** Where a server of a user listens. */
export interface ReachedServer {
  readonly at: URL
  /** The address may be one of a private network. */
  readonly mayBeInside: boolean
}

export interface GuardedReachOptions {
  readonly addresses: WebhookReach['addresses']
  readonly resolveService: ResolveService
  /** Whom nothing is asked of there, as messages call it: `no webhook`. */
  readonly nothing: string
}

/** Which addresses servers of users may have: this process stands in networks that its users should not reach through it. */
export class GuardedReach {
  readonly #options: GuardedReachOptions

  constructor(options: GuardedReachOptions) {
    this.#options = options
  }

  ofUrl(url: URL): ReachedServer {
    return this.#allowed({ at: url, mayBeInside: this.#options.addresses === 'any' }, addressOf(url).host)
  }

  /** Throws an Error that says why a Service leads nowhere. */
  ofService(service: ServiceReference): ReachedServer {
    const { addresses, resolveService } = this.#options
    const { host, port, isAssigned } = resolveService(service)
    const at = new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
    const server = { at, mayBeInside: addresses === 'any' || (isAssigned && !isLoopback(host)) }
    return this.#allowed(server, `Service ${service.namespace}/${service.name}`)
  }

  /** Names are looked up when a connection is opened, and every address found is checked. */
  lookup({ mayBeInside }: ReachedServer): LookupFunction {
    return lookupAmong(
      (_, address) => this.#isAllowed(address, mayBeInside),
      (name, address) => this.#refusal(name, address),
    )
  }

  /** `name`: what a user calls it. Users need not know where a Service is. */
  #allowed(server: ReachedServer, name: string): ReachedServer {
    const { host } = addressOf(server.at)
    if (isIP(host) !== 0 && !this.#isAllowed(host, server.mayBeInside)) throw this.#refusal(name, host)
    return server
  }

  #isAllowed(address: string, mayBeInside: boolean): boolean {
    return this.#options.addresses === 'any' || isAllowedAddress(address, mayBeInside)
  }

  #refusal(name: string, address: string): Error {
    const what = name === address ? 'is' : 'has'
    return new Error(`${name} ${what} an address at which ${this.#options.nothing} is asked`)
  }
}
