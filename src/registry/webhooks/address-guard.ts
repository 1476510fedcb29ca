import { isIP, type LookupFunction } from 'node:net'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import { isAllowedAddress, isLoopback } from '../../base/network/allowed-address.ts'
import { lookupAmong } from '../../base/network/lookup-among.ts'
import { addressOf } from '../../client/connection/address.ts'
import type { ResolveService, WebhookAddressRules } from './contract.ts'

/** Where a user's server listens. */
export interface UserServer {
  readonly at: URL
  /** Whether the address may be private. */
  readonly mayBeInside: boolean
}

export interface AddressGuardOptions {
  readonly addresses: WebhookAddressRules['addresses']
  readonly resolveService: ResolveService
  /** How messages describe what is not called there: `no webhook`. */
  readonly nothing: string
}

/** Restricts the addresses of users' servers: this process is in networks that its users must not reach through it. */
export class AddressGuard {
  readonly #options: AddressGuardOptions

  constructor(options: AddressGuardOptions) {
    this.#options = options
  }

  ofUrl(url: URL): UserServer {
    return this.#allowed({ at: url, mayBeInside: this.#options.addresses === 'any' }, addressOf(url).host)
  }

  /** Throws an Error that says why the Service cannot be reached. */
  ofService(service: ServiceReference): UserServer {
    const { addresses, resolveService } = this.#options
    const { host, port, isAssigned } = resolveService(service)
    const at = new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
    const server = { at, mayBeInside: addresses === 'any' || (isAssigned && !isLoopback(host)) }
    return this.#allowed(server, `Service ${service.namespace}/${service.name}`)
  }

  /** Names are resolved when a connection is opened, and every address found is checked. */
  lookup({ mayBeInside }: UserServer): LookupFunction {
    return lookupAmong(
      (_, address) => this.#isAllowed(address, mayBeInside),
      (name, address) => this.#refusal(name, address),
    )
  }

  /** `name`: the user's name for it. Users need not know where a Service is. */
  #allowed(server: UserServer, name: string): UserServer {
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
