import type { Output, Response } from './http.ts'

/** Gives up what stands behind a response that is ready only after the request was answered in another way. */
export function giveUpLate({ body }: Response): void {
  if (Buffer.isBuffer(body)) return
  if (body.form === 'upgrade') body.giveUp()
  else if (body.form === 'stream') body.start(nowhere)
}

/** Its receiver is gone. */
const nowhere: Output = {
  isGone: true,
  write: () => false,
  drained: () => Promise.resolve(),
  end: () => {},
  destroy: () => {},
}
