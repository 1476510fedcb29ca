/**
 * Events that were encoded in this turn of the event loop. A change is told to all watchers in one turn, so those who see the same are
 * sent the same bytes, and nothing is kept for longer.
 */
export class SharedFrames {
  readonly #frames = new Map<string, Map<object, Buffer>>()

  /** `view` tells apart what one event, or one document, is shown as. */
  of(shown: object, view: string, encode: () => Buffer): Buffer {
    const frames = this.#framesOf(view)
    const known = frames.get(shown)
    if (known !== undefined) return known
    const frame = encode()
    frames.set(shown, frame)
    return frame
  }

  #framesOf(view: string): Map<object, Buffer> {
    const known = this.#frames.get(view)
    if (known !== undefined) return known
    if (this.#frames.size === 0) setImmediate(() => this.#frames.clear())
    const frames = new Map<object, Buffer>()
    this.#frames.set(view, frames)
    return frames
  }
}
