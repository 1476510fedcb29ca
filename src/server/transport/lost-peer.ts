import type { TLSSocket } from 'node:tls'

/** Internal handle of a socket in Node. In a version without it, silent peers are found by pings. */
interface Handled {
  readonly _handle?: { readonly getpeername?: (address: object) => number } | null
}

/**
 * Whether the kernel has closed the connection. Node up to 24 does not notice it if a write over TLS fails at once and
 * another follows: the second waits for the first forever, and nothing is read meanwhile.
 */
export function hasLostPeer(socket: TLSSocket): boolean {
  const handle = (socket as Handled)._handle
  return (handle?.getpeername?.({}) ?? 0) !== 0
}
