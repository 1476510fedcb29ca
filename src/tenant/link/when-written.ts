import type { Duplex } from 'node:stream'

/**
 * HTTP/2 takes the connection away from Node's streams, so nothing may be left to write. Reports whether the connection
 * is still open then.
 */
export function whenWritten(connection: Duplex, go: (isOpen: boolean) => void): void {
  if (connection.destroyed) go(false)
  else if (connection.writableLength === 0) go(true)
  else setImmediate(() => whenWritten(connection, go))
}
