import type { Output, Response } from '../http.ts'
import { lengthHeader } from './answer-headers.ts'

/**
 * A watch that is cut ends like one whose time is over, so that its client continues where it was: clients of HTTP/2 take
 * a reset for an error, and list everything again. An event that did not arrive completely is not read by them.
 */
export function passedWatch(response: Response): Response {
  const { body, headers } = response
  if (Buffer.isBuffer(body) || body.form !== 'stream' || headers.includes(lengthHeader)) return response
  return { ...response, body: { ...body, start: (output: Output) => body.start(endingAlike(output)) } }
}

function endingAlike(output: Output): Output {
  return {
    get isGone() {
      return output.isGone
    },
    write: (chunk) => output.write(chunk),
    drained: () => output.drained(),
    end: () => output.end(),
    destroy: () => output.end(),
  }
}
