import type { TLSSocket } from 'node:tls'

/** What Node keeps behind a socket. A version of Node without it leaves silent peers to the pings. */
interface Handled {
  readonly _handle?: { readonly getpeername?: (address: object) => number } | null
}

/**
 * Whether the connection is over for the kernel. Node up to 24 does not notice it if a write over TLS fails at once and another
 * follows: the second one waits for the first forever, and nothing is read meanwhile.
 */
export function hasLostPeer(socket: TLSSocket): boolean {
  const handle = (socket as Handled)._handle
  return (handle?.getpeername?.({}) ?? 0) !== 0
}
