import type { ServerHttp2Session } from 'node:http2'
import type { Limits } from '../limits.ts'

/** Finds peers that are gone without a word: one that leaves a ping unanswered until the next is due is given up. */
export function keepAlive(session: ServerHttp2Session, { pingIntervalMs }: Limits): void {
  let isAnswered = true
  const timer = setInterval(() => {
    if (!isAnswered) {
      session.destroy()
      return
    }
    if (session.destroyed || session.closed) return
    isAnswered = false
    session.ping((error) => {
      isAnswered = error === null
    })
  }, pingIntervalMs).unref()
  session.on('error', () => session.destroy())
  session.once('close', () => clearInterval(timer))
}
