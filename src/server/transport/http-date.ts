import type { Clock } from '../../base/clock.ts'

/** The value of the Date header, printed anew once a second. */
export function httpDate(clock: Clock): () => string {
  let second = -1
  let text = ''
  return () => {
    const nowMs = clock.now()
    const current = Math.floor(nowMs / 1000)
    if (current !== second) {
      second = current
      text = new Date(nowMs).toUTCString()
    }
    return text
  }
}
