import type { TLSSocket } from 'node:tls'

/**
 * Makes Node's HTTP/1.1 parser read the stream, not the handle below it. There, a pause does not hold back data that is
 * already decrypted: if a client sends the head of a request and its body in two TLS records while the last answer is
 * not completely sent, Node pauses the parser after the head, still passes it the body, and the body is lost. A
 * listener for data is enough, even one that is removed at once.
 */
export function readAsStream(socket: TLSSocket): void {
  socket.on('data', ignore).off('data', ignore)
}

function ignore(): void {}
