import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Lets the heap double between collections: for the start, when it grows with objects that stay. */
export function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/**
 * Lets garbage grow to a third of the used memory before it is collected, instead of as much again. A server spends
 * most of its memory on what it keeps, and its garbage dies young: measured, it takes a quarter less memory and no more
 * time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30')
}

/**
 * Releases the memory of the start: the young generation, which has grown with the number of objects, and holes in the
 * old one, not all of them at once. V8 does that only while little is allocated, so not before the process has been at
 * rest for a while.
 */
export function shrinkHeap(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') return
  if (keepsFreedPages(process.versions.v8)) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  else sparingly(() => collect())
}

/**
 * Usually, earlier versions of V8 close few holes: after 2,000 Pods, 14 MB of 83 stayed. Told to spare memory, they move
 * up to 6 MB of objects out of the pages with the most room, so one collection takes little longer and little more
 * memory than another.
 */
function sparingly(collect: () => void): void {
  setFlagsFromString('--optimize-for-size')
  try {
    collect()
  } finally {
    setFlagsFromString('--no-optimize-for-size')
  }
}

/**
 * Later versions of V8 return freed pages to the system only if they are asked to spare memory: measured, they keep
 * 30 MB of a start. Earlier ones do not know the option, and would collect only the young generation.
 */
export function keepsFreedPages(engineVersion: string): boolean {
  return Number.parseInt(engineVersion, 10) > 11
}

/** Makes bursts take a fifth more time: for a process that allocates little once it has started. */
export function keepYoungSpaceAsItIs(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Delays the optimization of WebAssembly until it has been busy for long. Measured, optimizing the parser of HTTP/1
 * takes a quarter of a second of processor time and 40 MB at its peak, which a process would spend on its first
 * requests.
 */
export function optimizeWasmLate(): void {
  setFlagsFromString('--wasm-tiering-budget=500000000')
}

/**
 * Optimizes a function only after it has run about four times as long as by default. Measured, the optimizing compiler
 * took a third of the processor time of a server's first thousand Pods, and the thread that it works for was no slower
 * without it (decision 108).
 */
export function optimizeLate(engineVersion: string): void {
  if (countsBytecode(engineVersion)) setFlagsFromString('--interrupt-budget=250000')
}

/** Later versions of V8 count calls instead, and print an error if they are given the option. */
export function countsBytecode(engineVersion: string): boolean {
  return Number.parseInt(engineVersion, 10) === 11
}
