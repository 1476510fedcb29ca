import { whenRefused } from '../api/request.ts'
import { isSignedIn } from './session.ts'

/**
 * Notices that the session has ended. A 401 shows that it is over. A 403 is ambiguous: a user who lacks a right gets
 * it, and so does a stranger.
 */
export class SessionWatch {
  readonly #onEnd: () => void
  #holds = 0
  #isAsking = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Returns a function that stops it. */
  start(): () => void {
    return whenRefused((code) => {
      if (this.#holds > 0) return
      if (code === 401) this.#onEnd()
      else void this.#look()
    })
  }

  /** The page stays, whatever happens to the session, until the returned function is called. */
  readonly hold = (): (() => void) => {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      if (this.#holds === 0) void this.#look()
    }
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    // While the platform does not answer, it is not known whether the user is still signed in.
    const isOver = await isSignedIn().then(
      (isIn) => !isIn,
      () => false,
    )
    this.#isAsking = false
    if (isOver && this.#holds === 0) this.#onEnd()
  }
}
