import { allowedMs, type LoopFolder } from './loop-folder.ts'
import { slowness } from './machine-speed.ts'
import { cpuMsOf, thisThread } from './thread-cpu.ts'

const intervalMs = 200

export interface WatchedLoop {
  readonly folder: LoopFolder
  readonly isOfTests: boolean
  readonly command: string
  readonly test: () => string
}

/**
 * Makes the event loop of this thread write heartbeats until the returned function is called. A heartbeat that is late,
 * though the thread was not idle, is reported; a reader of the folder detects when they stop.
 */
export function watchLoop({ folder, isOfTests, command, test }: WatchedLoop): () => void {
  const thread = thisThread()
  if (thread === undefined) return () => {}
  let lastMs = cpuMsOf(thread) ?? 0
  let hasServed = false
  const beat = (isServed: boolean): void => {
    const cpuMs = cpuMsOf(thread) ?? 0
    const computedMs = cpuMs - lastMs
    const allowed = allowedMs({ hasServed, isOfTests })
    if (computedMs > allowed && computedMs > allowed * slowness(thread))
      folder.add({ command, test: test(), cpuMs: computedMs, how: 'for a time' })
    hasServed = isServed
    lastMs = cpuMs
    folder.beat({ thread, cpuMs, hasServed, isOfTests, command, test: test() })
  }
  beat(false)
  const timer = setInterval(() => beat(true), intervalMs).unref()
  return () => {
    clearInterval(timer)
    folder.forget(thread)
  }
}
