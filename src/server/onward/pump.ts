import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import { paceOf } from '../../client/forward/pace-stream.ts'
import { wasCut } from '../../client/forward/was-cut.ts'
import type { Output } from '../http.ts'
import { cutBy } from './cuts.ts'

/** Above this size, arrived data is forwarded at once, otherwise at the end of the event loop's iteration. */
const flushBytes = 128 * 1024

/**
 * Reads no faster than the receiver does, and no more per iteration of the event loop than others can wait for. A cut
 * ends both sides, and so does a body whose length differs from its head: excess bytes would be taken for the beginning
 * of another answer.
 */
export function pump(
  body: Readable,
  output: Output,
  cuts: readonly (AbortSignal | undefined)[],
  length = Number.POSITIVE_INFINITY,
): void {
  const forget = cutBy(cuts, () => giveUp(body))
  let left = length
  // Bodies arrive in many small pieces; sending each alone costs a TLS record and a system call.
  let arrived: Buffer[] = []
  let arrivedBytes = 0
  const pace = paceOf(body)
  const flush = () => {
    if (arrivedBytes === 0) return
    const piece = joined(arrived)
    arrived = []
    arrivedBytes = 0
    if (output.write(piece)) return
    if (output.isGone) return giveUp(body)
    pace.hold(output.drained())
  }
  body.on('error', () => {})
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) return giveUp(body)
    if (arrivedBytes === 0) setImmediate(flush)
    arrived.push(chunk)
    arrivedBytes += chunk.length
    if (arrivedBytes >= flushBytes) flush()
    pace.count()
  })
  let hasEnded = false
  body.once('end', () => {
    hasEnded = !wasCut(body)
    forget()
  })
  const over = () => {
    forget()
    flush()
    const isWhole = hasEnded && (left === 0 || length === Number.POSITIVE_INFINITY)
    if (isWhole) output.end()
    else output.destroy()
  }
  if (body.closed) over()
  else body.once('close', over)
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
