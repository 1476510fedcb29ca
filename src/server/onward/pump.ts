import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import type { Output } from '../http.ts'
import { cutBy } from './cuts.ts'

/**
 * Takes no faster than the receiver does. When a cut comes, both sides go, and so they do when the body is not as long as
 * its head says: what is too much would be taken for the beginning of another answer.
 */
export function pump(
  body: Readable,
  output: Output,
  cuts: readonly (AbortSignal | undefined)[],
  length = Number.POSITIVE_INFINITY,
): void {
  const forget = cutBy(cuts, () => giveUp(body))
  let left = length
  body.on('error', () => {})
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) return giveUp(body)
    if (output.write(chunk)) return
    body.pause()
    output.drained().then(() => body.resume())
  })
  body.once('end', forget)
  const over = () => {
    forget()
    const isWhole = body.readableEnded && (left === 0 || length === Number.POSITIVE_INFINITY)
    if (isWhole) output.end()
    else output.destroy()
  }
  if (body.closed) over()
  else body.once('close', over)
}
