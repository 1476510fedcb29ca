import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import type { Output } from '../../server/http.ts'
import { cutBy } from './cuts.ts'

/** Takes no faster than the receiver does. When a cut comes, both sides go. */
export function pump(body: Readable, output: Output, cuts: readonly (AbortSignal | undefined)[]): void {
  const forget = cutBy(cuts, () => giveUp(body))
  body.on('error', () => {})
  body.on('data', (chunk: Buffer) => {
    if (output.write(chunk)) return
    body.pause()
    output.drained().then(() => body.resume())
  })
  body.once('end', forget)
  const over = () => {
    forget()
    if (body.readableEnded) output.end()
    else output.destroy()
  }
  if (body.closed) over()
  else body.once('close', over)
}
