import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import type { Body } from '../../server/http.ts'

/** What stands for the body of an answer that has none: its headers may tell the length of one that nobody sends. */
export function headOnly(body: Readable): Body {
  body.on('error', () => {}).on('data', () => giveUp(body))
  return { form: 'stream', start: (output) => output.end() }
}
