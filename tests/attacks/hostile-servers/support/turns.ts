import { cpuMsOf, thisThread } from '../../../support/loop-watch/thread-cpu.ts'

/** The processor time of this thread. What others do on the machine is no part of it. */
function ownCpuMs(): number {
  const thread = thisThread()
  return (thread && cpuMsOf(thread)) ?? 0
}

export interface Turns<T> {
  readonly outcome: T
  /** Of the event loop, while the work was going on. */
  readonly count: number
  /** The most that this thread computed between two of them. */
  readonly longestMs: number
}

/** Watches how the event loop is served while something happens. */
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
