import type { IncomingHttpHeaders } from 'node:http'
import type { Peer } from '../http.ts'

export function clientAddressOf({ remoteAddress, proxies }: Peer, headers: IncomingHttpHeaders): string {
  return proxies === undefined ? remoteAddress : proxies.clientOf(remoteAddress, headers)
}
