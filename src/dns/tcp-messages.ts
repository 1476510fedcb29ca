const lengthBytes = 2

/**
 * Splits the data of a connection into messages, each preceded by its length. The library decodes one complete message;
 * it neither waits for the rest of one nor has a limit.
 */
export class TcpMessages {
  readonly #largest: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(largest: number) {
    this.#largest = largest
  }

  /** The messages that are complete now; undefined if the other side sends one that is too large. */
  add(bytes: Buffer): readonly Buffer[] | undefined {
    let rest: Buffer = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const messages: Buffer[] = []
    while (rest.length >= lengthBytes) {
      const length = rest.readUInt16BE(0)
      if (length > this.#largest) return undefined
      if (rest.length < lengthBytes + length) break
      messages.push(rest.subarray(lengthBytes, lengthBytes + length))
      rest = rest.subarray(lengthBytes + length)
    }
    this.#rest = rest
    return messages
  }
}

export function withLength(message: Buffer): Buffer {
  const bytes = Buffer.alloc(lengthBytes + message.length)
  bytes.writeUInt16BE(message.length, 0)
  message.copy(bytes, lengthBytes)
  return bytes
}
