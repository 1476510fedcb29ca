import type { IncomingHttpHeaders } from 'node:http'
import { canonicalAddress, type Networks, networksOf } from '../../base/networks.ts'
import { type ForwardedHeader, hopsOf } from './forwarded.ts'

export interface ProxySettings {
  /** Where the proxies are. */
  readonly networks: readonly string[]
  readonly header: ForwardedHeader
}

/** Proxies whose word about where a request came from is taken. */
export class TrustedProxies {
  readonly #networks: Networks
  readonly #header: ForwardedHeader

  constructor({ networks, header }: ProxySettings) {
    this.#networks = networksOf(networks)
    this.#header = header
  }

  has(address: string): boolean {
    return this.#networks.has(address)
  }

  /**
   * The address nearest to this server that is no proxy's. Behind what cannot be understood nothing counts: the request then comes from
   * the proxy that passed it on.
   */
  clientOf(proxy: string, headers: IncomingHttpHeaders): string {
    let nearest = proxy
    for (const hop of hopsOf(this.#header, textOf(headers[this.#header]))) {
      const address = canonicalAddress(hop)
      if (address === undefined) return nearest
      if (!this.has(address)) return address
      nearest = address
    }
    return nearest
  }
}

/** A header that came several times is one list. */
function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(',')
}
