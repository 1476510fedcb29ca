import type { TLSSocket } from 'node:tls'

/**
 * Has Node's parser of HTTP/1.1 read the stream and not what is below it. There a pause does not hold back what has been
 * decrypted already: if a client sends the head of a request and its body in two records of TLS while the last answer is
 * not quite out, Node pauses the parser after the head, hands it the body all the same, and the body is lost.
 * A listener for data is enough, also one that does not stay.
 */
export function readAsStream(socket: TLSSocket): void {
  socket.on('data', ignore).off('data', ignore)
}

function ignore(): void {}
