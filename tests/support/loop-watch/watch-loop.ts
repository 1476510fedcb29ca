import { type Beat, budgetMs, type LoopFolder } from './loop-folder.ts'
import { cpuMsOf, thisThread } from './thread-cpu.ts'

const intervalMs = 200

export interface WatchedLoop {
  readonly folder: LoopFolder
  readonly command: string
  readonly test: () => string
}

/**
 * Makes the event loop of this thread write heartbeats until the returned function is called. A heartbeat that is late,
 * though the thread was not idle, is reported; a reader of the folder detects when they stop.
 */
export function watchLoop({ folder, command, test }: WatchedLoop): () => void {
  const thread = thisThread()
  if (thread === undefined) return () => {}
  let lastMs = cpuMsOf(thread) ?? 0
  const beat = (): void => {
    const cpuMs = cpuMsOf(thread) ?? 0
    const sign: Beat = { thread, cpuMs, command, test: test() }
    if (cpuMs - lastMs > budgetMs) folder.add({ command, test: sign.test, cpuMs: cpuMs - lastMs, how: 'for a time' })
    lastMs = cpuMs
    folder.beat(sign)
  }
  beat()
  const timer = setInterval(beat, intervalMs).unref()
  return () => {
    clearInterval(timer)
    folder.forget(thread)
  }
}
