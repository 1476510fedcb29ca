import type { Duplex } from 'node:stream'

/**
 * HTTP/2 takes the connection from under Node's streams, so that nothing may be left to be written. Says whether the connection is
 * still open by then.
 */
export function whenWritten(connection: Duplex, go: (isOpen: boolean) => void): void {
  if (connection.destroyed) go(false)
  else if (connection.writableLength === 0) go(true)
  else setImmediate(() => whenWritten(connection, go))
}
