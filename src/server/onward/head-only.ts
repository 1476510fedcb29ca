import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import type { ResponseBody } from '../http.ts'
import { cutBy } from './cuts.ts'

/**
 * The body of an answer without one: its headers may state the length of a body that is never sent. An upstream that
 * does not end it is given up with the request.
 */
export function headOnly(body: Readable, cuts: readonly AbortSignal[]): ResponseBody {
  const forget = cutBy(cuts, () => giveUp(body))
  body.on('error', () => {}).on('data', () => giveUp(body))
  if (body.closed) forget()
  else body.once('close', forget)
  return { form: 'stream', start: (output) => output.end() }
}
