import type { IncomingHttpHeaders } from 'node:http'
import { canonicalAddress, type Networks, networksOf } from '../../base/network/networks.ts'
import { type ForwardedHeader, hopsOf } from './forwarded.ts'

export interface ProxySettings {
  /** The networks of the proxies. */
  readonly networks: readonly string[]
  readonly header: ForwardedHeader
}

/** Proxies that are trusted to report where a request came from. */
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
   * The address nearest to this server that is not a proxy's. An entry that cannot be parsed ends the search: the
   * request then comes from the proxy that forwarded it.
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

/** A repeated header counts as one list. */
function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(',')
}
