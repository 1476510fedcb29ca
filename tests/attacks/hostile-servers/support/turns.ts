import { cpuMsOf, thisThread } from '../../../support/loop-watch/thread-cpu.ts'

/** The processor time of this thread, without that of other programs. */
function ownCpuMs(): number {
  const thread = thisThread()
  return (thread && cpuMsOf(thread)) ?? 0
}

export interface Turns<T> {
  readonly outcome: T
  /** The number of turns of the event loop during the work. */
  readonly count: number
  /** The most processor time of this thread between two turns. */
  readonly longestMs: number
}

/** Measures the turns of the event loop during the work. */
export async function whileCountingTurns<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let count = 0
  let longestMs = 0
  let isOver = false
  let before = ownCpuMs()
  const turn = () => {
    const now = ownCpuMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
    count++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    const outcome = await work()
    return { outcome, count, longestMs }
  } finally {
    isOver = true
  }
}
