import type { Readable } from 'node:stream'
import type { Body } from '../../server/http.ts'

/** What stands for the body of an answer to HEAD: its headers tell the length of one that nobody sends. */
export function headOnly(body: Readable): Body {
  body.on('error', () => {}).resume()
  return { form: 'stream', start: (output) => output.end() }
}
