import type { ServerHttp2Session } from 'node:http2'

/** Finds peers that vanished without closing: one that leaves a ping unanswered until the next is due. */
export class Pings {
  readonly #session: Pick<ServerHttp2Session, 'closed' | 'destroyed' | 'ping'>
  #sentAtMs: number
  #isAnswered = true

  constructor(session: Pick<ServerHttp2Session, 'closed' | 'destroyed' | 'ping'>, nowMs: number) {
    this.#session = session
    this.#sentAtMs = nowMs
  }

  /** Also sends the next ping when it is due. */
  isSilent(nowMs: number, intervalMs: number): boolean {
    if (nowMs - this.#sentAtMs < intervalMs) return false
    if (!this.#isAnswered) return true
    if (this.#session.destroyed || this.#session.closed) return false
    this.#isAnswered = false
    this.#sentAtMs = nowMs
    this.#session.ping((error) => {
      this.#isAnswered = error === null
    })
    return false
  }
}
