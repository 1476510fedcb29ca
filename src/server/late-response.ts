import type { Output, Response } from './http.ts'

/** Gives up what is behind a response that is ready only after its request was answered otherwise, such as with a timeout. */
export function giveUpLate({ body }: Response): void {
  if (Buffer.isBuffer(body)) return
  if (body.form === 'upgrade') body.giveUp()
  else if (body.form === 'stream') body.start(nowhere)
}

/** An output whose receiver is gone: a stream that is started with it ends by itself. */
const nowhere: Output = {
  isGone: true,
  write: () => false,
  drained: () => Promise.resolve(),
  end: () => {},
  destroy: () => {},
}
