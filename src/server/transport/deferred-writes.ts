import type { Socket } from 'node:net'

/**
 * Writes answers at the end of the turn of the event loop in which they were finished. Requests that arrived together
 * are then answered together, and a client that is woken by the first answer finds the others when it looks.
 */
export class DeferredWrites {
  #waiting: SocketWriter[] = []
  #isScheduled = false

  writerFor(socket: Socket): SocketWriter {
    return new SocketWriter(socket, (writer) => this.#add(writer))
  }

  #add(writer: SocketWriter): void {
    this.#waiting.push(writer)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#flushAll())
  }

  #flushAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#isScheduled = false
    for (const writer of waiting) writer.flush()
  }
}

/** Keeps the order of what is written later and what is written at once. */
export class SocketWriter {
  readonly socket: Socket
  readonly #enqueue: (writer: SocketWriter) => void
  #chunks: Buffer[] = []

  constructor(socket: Socket, enqueue: (writer: SocketWriter) => void) {
    this.socket = socket
    this.#enqueue = enqueue
  }

  writeLater(chunk: Buffer): void {
    if (this.#chunks.push(chunk) === 1) this.#enqueue(this)
  }

  /** False when the receiver is behind. */
  write(chunk: Buffer): boolean {
    this.flush()
    return this.socket.destroyed || this.socket.write(chunk)
  }

  flush(): void {
    const chunks = this.#chunks
    const [only] = chunks
    if (only === undefined) return
    this.#chunks = []
    if (!this.socket.destroyed) this.socket.write(chunks.length === 1 ? only : Buffer.concat(chunks))
  }

  end(): void {
    this.flush()
    this.socket.end()
  }
}
