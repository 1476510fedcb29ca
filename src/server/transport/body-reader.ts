import type { Readable } from 'node:stream'
import { badRequest, timeout, tooLarge } from '../../api/error.ts'
import { wasCut } from '../../client/forward/was-cut.ts'
import type { BodyLimit } from '../http.ts'

/** How much of an oversized body is still read, so that the client can receive the answer. */
const drainFactor = 4
/** Each piece costs time and memory, however small: this many may have any size. */
const fewPieces = 1_000
/** Minimum average size beyond that. */
const smallestPiece = 32

/** Reads a body to its end. `onFlood` is called for a body in too many pieces. */
export function collectBody(
  source: Readable,
  { maxBytes, timeoutMs, goOn }: BodyLimit,
  onFlood: () => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let pieces = 0
    const settle = (act: () => void) => {
      clearTimeout(timer)
      source.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      act()
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      pieces += 1
      if (pieces > fewPieces && length < pieces * smallestPiece) {
        chunks.length = 0
        source.pause()
        onFlood()
        settle(() => reject(badRequest('the body of the request comes in too many small pieces')))
        return
      }
      if (length <= maxBytes && goOn?.(chunk.length) === false) {
        chunks.length = 0
        settle(() => reject(new Error('No more of the body is wanted.')))
        return
      }
      if (length <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      if (length > maxBytes * drainFactor) settle(() => reject(tooLargeFor(maxBytes)))
    }
    const onEnd = () => {
      if (wasCut(source)) return onBroken()
      settle(() => (length > maxBytes ? reject(tooLargeFor(maxBytes)) : resolve(joined(chunks))))
    }
    const onBroken = () => settle(() => reject(badRequest('the body of the request ended too early')))
    const onLate = () => settle(() => reject(timeout('the body of the request did not arrive in time')))
    const timer = setTimeout(onLate, timeoutMs)
    source.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

export function tooLargeFor(maxBytes: number) {
  return tooLarge(`Request entity too large: limit is ${maxBytes}`)
}
