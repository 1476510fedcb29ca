/**
 * Events encoded in this iteration of the event loop. A change reaches all watchers in one iteration, so those with the
 * same view get the same bytes, and nothing is kept longer.
 */
export class SharedFrames {
  readonly #frames = new Map<string, Map<object, Buffer>>()

  /** `view` distinguishes the forms in which an event or a document is shown. */
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
