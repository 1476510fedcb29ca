import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import { paceOf } from '../../client/forward/pace-stream.ts'
import type { Output } from '../http.ts'
import { cutBy } from './cuts.ts'

/** What has come is passed on at once when there is so much of it, and otherwise with the turn of the event loop. */
const flushBytes = 128 * 1024

/**
 * Takes no faster than the receiver does, and no more in one turn than others can wait for. When a cut comes, both sides go,
 * and so they do when the body is not as long as its head says: what is too much would be taken for the beginning of another
 * answer.
 */
export function pump(
  body: Readable,
  output: Output,
  cuts: readonly (AbortSignal | undefined)[],
  length = Number.POSITIVE_INFINITY,
): void {
  const forget = cutBy(cuts, () => giveUp(body))
  let left = length
  // Bodies come in many small pieces, and each that is sent by itself costs a record of TLS and a call of the system.
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
  body.once('end', forget)
  const over = () => {
    forget()
    flush()
    const isWhole = body.readableEnded && (left === 0 || length === Number.POSITIVE_INFINITY)
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
