import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { isWellFormed, messageLength } from './message-shape.ts'

const maxBytes = 2 * 1024 * 1024
/** For one message, such as an entry with all of its groups: it is parsed synchronously. */
const maxMessageBytes = 512 * 1024
/** More than the entries of all requested groups. */
const mostMessages = 5_000
/** How much is parsed before others have their share of the turn. */
const atOnce = { messages: 16, bytes: 64 * 1024 }
/** Enough to read a length. */
const leastBytes = 2

/**
 * A connection to a directory that yields only whole, well-formed messages, one at a time, up to a total number of
 * bytes.
 */
export class MessageStream extends Duplex {
  /** What the library reads from a connection. */
  readonly connecting = false
  readonly readyState = 'open'
  readonly #socket: Duplex
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Until this many bytes have arrived, parsing is pointless. */
  #neededBytes = leastBytes
  #receivedBytes = 0
  #messages = 0
  #isPassing = false

  constructor(socket: Duplex) {
    super({ readableObjectMode: true })
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.once('end', () => this.push(null))
    socket.once('error', (error) => this.destroy(error))
    socket.once('close', () => this.destroy())
  }

  /** As far as the library uses it. */
  asSocket(): Socket {
    return this as unknown as Socket
  }

  override _read(): void {}

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #take(chunk: Buffer): void {
    this.#receivedBytes += chunk.length
    if (this.#receivedBytes > maxBytes) return void this.destroy(new Error('the directory sends too much'))
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (!this.#isPassing) void this.#passAll()
  }

  /** A directory may send thousands of messages at once, on many connections: nothing more is read meanwhile. */
  async #passAll(): Promise<void> {
    this.#isPassing = true
    this.#socket.pause()
    try {
      while (this.#waitingBytes >= this.#neededBytes && !this.destroyed) {
        await shareOfTurn(this)
        this.#pass()
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('the directory sends invalid messages'))
    }
    this.#isPassing = false
    this.#socket.resume()
  }

  /** Joined only when enough has arrived, so that a message in many chunks costs no more than its length. */
  #pass(): void {
    const until = { messages: this.#messages + atOnce.messages, bytes: this.#waitingBytes - atOnce.bytes }
    while (
      this.#waitingBytes >= this.#neededBytes &&
      this.#messages < until.messages &&
      this.#waitingBytes > until.bytes
    ) {
      const bytes = this.#waiting.length === 1 && this.#waiting[0] ? this.#waiting[0] : Buffer.concat(this.#waiting)
      const length = messageLength(bytes)
      this.#neededBytes = length ?? bytes.length + 1
      if (this.#neededBytes > maxMessageBytes) throw new Error('the directory sends too much')
      this.#waiting = [bytes]
      if (bytes.length < this.#neededBytes) return
      this.#messages += 1
      if (this.#messages > mostMessages) throw new Error('the directory sends too much')
      const message = bytes.subarray(0, length)
      if (!isWellFormed(message))
        throw new Error('the directory sends a message that contradicts itself, or is far too long')
      this.#waiting = [bytes.subarray(length)]
      this.#waitingBytes -= message.length
      this.#neededBytes = leastBytes
      this.push(message)
    }
  }
}
