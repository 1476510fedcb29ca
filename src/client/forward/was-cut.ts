import { constants } from 'node:http2'
import type { Readable } from 'node:stream'

/**
 * Whether a stream that reports its end was cut. Node reports an end also of an HTTP/2 stream that its sender has given
 * up, or whose connection is gone, as if everything had arrived. To be asked when the end is reported: later, a stream
 * that is complete may be reset as well.
 */
export function wasCut(stream: Readable): boolean {
  if (!('rstCode' in stream)) return false
  return stream.rstCode !== constants.NGHTTP2_NO_ERROR || (isRequest(stream) && stream.closed)
}

/** A request that has ended is still open for its answer, unless its client gave it up, with whatever code. */
function isRequest(stream: Readable): boolean {
  return 'respond' in stream
}
