import type { Readable } from 'node:stream'
import { exclusiveTurn } from '../../base/concurrency/exclusive-turn.ts'

/** A stream that delivers this many pieces in one iteration of the event loop waits for others like it. */
const mostPieces = 256

/** Controls when a stream may flow. */
export interface StreamPace {
  /** Stops the stream until then. */
  hold(end: Promise<void>): void
  /** Must be called for each piece. */
  count(): void
}

/** Nothing else may pause or resume the stream. */
export function paceOf(stream: Readable): StreamPace {
  let holds = 0
  let pieces = 0
  const hold = (end: Promise<void>) => {
    holds += 1
    stream.pause()
    end.then(() => {
      holds -= 1
      if (holds === 0) stream.resume()
    })
  }
  const startAnew = () => {
    pieces = 0
  }
  return {
    hold,
    count: () => {
      if (pieces === 0) setImmediate(startAnew)
      pieces += 1
      if (pieces === mostPieces) hold(exclusiveTurn())
    },
  }
}
