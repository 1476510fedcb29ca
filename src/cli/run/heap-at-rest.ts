import { getHeapStatistics } from 'node:v8'
import { shrinkHeap } from '../small-heap.ts'

/** V8 looks at how much was allocated in the last five seconds. */
export const lookMs = 8_000
/** A process that takes less processor time than this between two looks is at rest: a collection keeps no caller waiting. */
const restMs = 800
/** What is worth a collection. */
const worthBytes = 24_000_000

export interface HeapLook {
  /** Processor time since the look before. */
  readonly spentMs: number
  /** What V8 has taken of the machine, and what objects hold outside of its heap. */
  readonly takenBytes: number
  /** The same after the last collection. */
  readonly keptBytes: number
}

/** Whether a burst of work is over that has left much behind. */
export function isTimeToShrink({ spentMs, takenBytes, keptBytes }: HeapLook): boolean {
  return spentMs < restMs && takenBytes - keptBytes > worthBytes
}

/** V8 collects while objects are made, and not after: what a burst has left stays until the next one. Returns how to end it. */
export function shrinkHeapAfterBursts(): () => void {
  let keptBytes = takenBytes()
  return eachLook((spentMs) => {
    if (!isTimeToShrink({ spentMs, takenBytes: takenBytes(), keptBytes })) return
    shrinkHeap()
    keptBytes = takenBytes()
  })
}

/** Once, when the start is over: for a process whose next burst is to take no longer than the first. Returns how to give it up. */
export function shrinkHeapAfterStart(): () => void {
  const end = eachLook((spentMs) => {
    if (spentMs >= restMs) return
    end()
    shrinkHeap()
  })
  return end
}

function eachLook(look: (spentMs: number) => void): () => void {
  let spent = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(spent)
    spent = process.cpuUsage()
    look((user + system) / 1000)
  }, lookMs).unref()
  return () => clearInterval(timer)
}

function takenBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}
