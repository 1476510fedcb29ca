import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import type { ResponseBody } from '../http.ts'

/** Stands for the body of an answer without one: its headers may state the length of a body that is never sent. */
export function headOnly(body: Readable): ResponseBody {
  body.on('error', () => {}).on('data', () => giveUp(body))
  return { form: 'stream', start: (output) => output.end() }
}
