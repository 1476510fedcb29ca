import type { Readable, Writable } from 'node:stream'
import type { ForwardAnswer } from './contract.ts'

/** Ends a stream early. Without an error, and by `close`, an HTTP/2 stream would report its complete end to its peer. */
export function giveUp(stream: Readable | Writable): void {
  stream.destroy(new Error('The rest of the stream is no longer needed.'))
}

/** The stream by which an answer still arrives. */
export function streamOf(answer: ForwardAnswer): Readable {
  return answer.form === 'answer' ? answer.body : answer.connection
}

export function giveUpAnswer(answer: ForwardAnswer): void {
  giveUp(streamOf(answer))
}
