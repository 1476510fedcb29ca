export const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const
export const flag = { endStream: 1, acknowledge: 1, endHeaders: 4, padded: 8, priority: 32 } as const

const headerBytes = 9
export const largestWindow = 2 ** 31 - 1
export const defaultWindow = 65_535
export const connectionPreface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

export function frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(headerBytes)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

export function windowUpdate(streamId: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(bytes)
  return frame(frameType.windowUpdate, 0, streamId, payload)
}

/** No pushes, and windows so large that streams hardly ever wait for them. */
export function clientSettings(): Buffer {
  const payload = Buffer.alloc(12)
  payload.writeUInt16BE(2, 0)
  payload.writeUInt32BE(0, 2)
  payload.writeUInt16BE(4, 6)
  payload.writeUInt32BE(largestWindow, 8)
  return frame(frameType.settings, 0, 0, payload)
}

export interface FrameListener {
  /** A part of a DATA frame: bytes from `start` to `end` of the chunk. */
  data(streamId: number, chunk: Buffer, start: number, end: number): void
  /** A whole frame of any other type. */
  control(type: number, flags: number, streamId: number, payload: Buffer): void
}

/** Cuts a byte stream into frames. Data is passed on in place, without being copied or collected. */
export class FrameReader {
  readonly #listener: FrameListener
  readonly #head = Buffer.alloc(headerBytes)
  #headFilled = 0
  #remaining = 0
  #type = 0
  #flags = 0
  #streamId = 0
  #gathered: Buffer[] = []

  constructor(listener: FrameListener) {
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      at = this.#headFilled < headerBytes ? this.#readHead(chunk, at) : this.#readPayload(chunk, at)
    }
  }

  #readHead(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + headerBytes - this.#headFilled)
    for (let at = start; at < end; at++) this.#head[this.#headFilled++] = chunk[at] ?? 0
    if (this.#headFilled < headerBytes) return end
    this.#remaining = this.#head.readUIntBE(0, 3)
    this.#type = this.#head[3] ?? 0
    this.#flags = this.#head[4] ?? 0
    this.#streamId = this.#head.readUInt32BE(5)
    if (this.#remaining === 0) this.#finish()
    return end
  }

  #readPayload(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + this.#remaining)
    this.#remaining -= end - start
    if (this.#type === frameType.data) this.#listener.data(this.#streamId, chunk, start, end)
    else this.#gathered.push(chunk.subarray(start, end))
    if (this.#remaining === 0) this.#finish()
    return end
  }

  #finish(): void {
    this.#headFilled = 0
    if (this.#type === frameType.data) return
    const payload = Buffer.concat(this.#gathered)
    this.#gathered = []
    this.#listener.control(this.#type, this.#flags, this.#streamId, payload)
  }
}
