import { getHeapStatistics } from 'node:v8'
import { shrinkHeap } from '../small-heap.ts'

/** V8 considers how much was allocated in the last five seconds. */
export const lookMs = 6_000
/** A process that uses less processor time than this in `lookMs` is at rest: a garbage collection delays no caller. */
const restMs = 600
/** A start ends with some work after the server is ready: looks that are a second apart notice its end. */
const afterStartMs = 1_000
/** The minimum gain that is worth a collection. */
const worthBytes = 24_000_000
/** A collection that released more than this is followed by another one: each closes only some of the holes. */
const worthAnotherBytes = 8_000_000
/** Garbage of new work is released as well, and must not keep the process collecting. */
const mostFollowing = 5

export interface HeapLook {
  /** Processor time since the previous check. */
  readonly spentMs: number
  /** The memory that V8 uses, and what objects hold outside its heap. */
  readonly takenBytes: number
  /** The same after the last collection. */
  readonly keptBytes: number
  /** What the last collections after the same burst released. */
  readonly released: readonly number[]
}

/** Whether a burst of work is over and has left much garbage or many holes behind. */
export function isTimeToShrink({ spentMs, takenBytes, keptBytes, released }: HeapLook): boolean {
  return spentMs < restMs && (takenBytes - keptBytes > worthBytes || isWorthAnother(released))
}

function isWorthAnother(released: readonly number[]): boolean {
  return released.length <= mostFollowing && (released.at(-1) ?? 0) > worthAnotherBytes
}

/**
 * V8 collects while objects are allocated, and not after: garbage from a burst stays until the next one. Returns a
 * function that stops this.
 */
export function shrinkHeapAfterBursts(): () => void {
  let keptBytes = takenBytes()
  let released: readonly number[] = []
  return eachLook((spentMs) => {
    const before = takenBytes()
    if (!isTimeToShrink({ spentMs, takenBytes: before, keptBytes, released })) return
    shrinkHeap()
    keptBytes = takenBytes()
    released = isWorthAnother(released) ? [...released, before - keptBytes] : [before - keptBytes]
  })
}

/**
 * Once, when the start is over: for a process whose later bursts must be no slower than the first. Returns a function
 * that cancels it.
 */
export function shrinkHeapAfterStart(): () => void {
  const spentMs = [usedMs()]
  const timer = setInterval(() => {
    spentMs.push(usedMs())
    if (!isStartOver(spentMs)) return
    clearInterval(timer)
    shrinkHeap()
  }, afterStartMs).unref()
  return () => clearInterval(timer)
}

/** The processor time that the process had used at each look so far. */
export function isStartOver(spentMs: readonly number[]): boolean {
  const [last, before] = [spentMs.at(-1), spentMs.at(-1 - lookMs / afterStartMs)]
  return last !== undefined && before !== undefined && last - before < restMs
}

function eachLook(look: (spentMs: number) => void): () => void {
  let spent = usedMs()
  const timer = setInterval(() => {
    const before = spent
    spent = usedMs()
    look(spent - before)
  }, lookMs).unref()
  return () => clearInterval(timer)
}

function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function takenBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}
