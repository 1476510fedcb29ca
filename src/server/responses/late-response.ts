import type { Output, Response } from '../http.ts'

/**
 * Releases what a response holds if it is ready only after its request was answered otherwise, for example with a
 * timeout.
 */
export function giveUpLate({ body }: Response): void {
  if (Buffer.isBuffer(body)) return
  if (body.form === 'upgrade') body.giveUp()
  else if (body.form === 'stream') body.start(nowhere)
}

/** An output without a receiver: a stream started with it ends at once. */
const nowhere: Output = {
  isGone: true,
  write: () => false,
  drained: () => Promise.resolve(),
  end: () => {},
  destroy: () => {},
}
