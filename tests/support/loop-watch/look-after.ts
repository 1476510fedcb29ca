import { allowedMs, type Beat, type LoopFolder } from './loop-folder.ts'
import { slowness } from './machine-speed.ts'
import { cpuMsOf, thisThread } from './thread-cpu.ts'

const intervalMs = 250
/** A loop that is only late reports it itself. */
const lostFactor = 2
/** Tests cannot be ended one by one, and nothing else would ever end them. */
const endOfPatienceMs = 60_000

export interface LookAfterOptions {
  readonly folder: LoopFolder
  /** An event loop of the tests no longer serves anything. */
  readonly giveUp: (beat: Beat) => void
}

/** Looks for event loops without a sign of life although their thread computes, and ends their processes. */
export function lookAfter({ folder, giveUp }: LookAfterOptions): () => void {
  const told = new Set<number>()
  const look = (): void => {
    for (const beat of folder.beats()) {
      const cpuMs = cpuMsOf(beat.thread)
      if (cpuMs === undefined) folder.forget(beat.thread)
      else lookAt(beat, cpuMs - beat.cpuMs)
    }
  }
  const lookAt = (beat: Beat, sinceMs: number): void => {
    const { thread, command, test, isOfTests } = beat
    if (isOfTests && sinceMs > endOfPatienceMs) giveUp(beat)
    if (sinceMs <= lostFactor * allowedMs(beat) || told.has(thread.threadId) || isOfTests) return
    if (sinceMs <= lostFactor * allowedMs(beat) * slownessNow()) return
    told.add(thread.threadId)
    folder.add({ command, test, cpuMs: sinceMs, how: 'to its end' })
    process.kill(thread.processId, 'SIGKILL')
    folder.forget(thread)
  }
  const timer = setInterval(look, intervalMs).unref()
  return () => {
    clearInterval(timer)
    look()
  }
}

/** Measured by this process, because the other one is busy. */
function slownessNow(): number {
  const thread = thisThread()
  return thread === undefined ? 1 : slowness(thread)
}
