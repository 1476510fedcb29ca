import type { Writable } from 'node:stream'

/** Sends what was written in one turn of the event loop together. */
export class FrameWriter {
  readonly #stream: Writable
  #frames: Buffer[] = []
  #waitingBytes = 0

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** Written and not yet taken by the other side. */
  get waitingBytes(): number {
    return this.#waitingBytes + this.#stream.writableLength
  }

  write(frame: Buffer): void {
    this.#waitingBytes += frame.length
    if (this.#frames.push(frame) === 1) setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    const frames = this.#frames
    this.#frames = []
    this.#waitingBytes = 0
    const [only] = frames
    if (only === undefined || this.#stream.destroyed || !this.#stream.writable) return
    this.#stream.write(frames.length === 1 ? only : Buffer.concat(frames))
  }
}
