import type { Readable } from 'node:stream'

/** Ends a stream before its time. Without an error an HTTP/2 stream would tell its peer that all went well. */
export function giveUp(stream: Readable): void {
  stream.destroy(new Error('The rest of the stream is not wanted any more.'))
}
