import type { Socket } from 'node:net'

const tlsHandshake = 0x16
const plainHttpAnswer =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

/**
 * Checks the first byte of a connection: a TLS handshake is passed to `accept` untouched; anything else gets a readable
 * answer instead of a broken handshake.
 */
export function checkFirstByte(socket: Socket, timeoutMs: number, accept: (socket: Socket) => void): void {
  const giveUp = () => socket.destroy()
  socket.on('error', giveUp)
  socket.setTimeout(timeoutMs, giveUp)
  socket.once('readable', () => {
    const first = socket.read()
    if (!(first instanceof Buffer) || first.length === 0) {
      giveUp()
      return
    }
    socket.setTimeout(0)
    socket.off('timeout', giveUp)
    if (first[0] === tlsHandshake) {
      socket.off('error', giveUp)
      socket.unshift(first)
      accept(socket)
    } else {
      socket.end(looksLikeHttp(first) ? plainHttpAnswer : '')
    }
  })
}

function looksLikeHttp(bytes: Buffer): boolean {
  return /^[A-Z]{3,7} /.test(bytes.subarray(0, 8).toString('latin1'))
}
