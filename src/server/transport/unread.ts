/** Detects a receiver that does not read. */
export class Unread {
  #waitingBytes = 0
  #sinceMs = 0

  /** Whether nothing has moved for this long. `waitingBytes`: written but not taken yet. */
  isStuck(waitingBytes: number, nowMs: number, limitMs: number): boolean {
    if (waitingBytes === 0 || waitingBytes !== this.#waitingBytes) {
      this.#waitingBytes = waitingBytes
      this.#sinceMs = nowMs
      return false
    }
    return nowMs - this.#sinceMs >= limitMs
  }
}
