import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { quantile, sortedNumbers } from '../statistics.ts'

export interface Timing {
  readonly perSecond: number
  readonly p50Us: number
  readonly p99Us: number
}

/**
 * Runs the action for each number in turn: once to warm up, then for the throughput, then one by one for the
 * distribution.
 */
export function timed(count: number, action: (number: number) => void): Timing {
  for (let number = 0; number < count; number++) action(number)
  const startedMs = cpuMs()
  for (let number = 0; number < count; number++) action(number)
  const elapsedMs = cpuMs() - startedMs
  const singles = new Float64Array(count)
  for (let number = 0; number < count; number++) {
    const before = performance.now()
    action(number)
    singles[number] = (performance.now() - before) * 1000
  }
  const sorted = sortedNumbers(singles)
  return { perSecond: (count * 1000) / elapsedMs, p50Us: quantile(sorted, 0.5), p99Us: quantile(sorted, 0.99) }
}

export async function timedAsync(count: number, action: (number: number) => Promise<unknown>): Promise<Timing> {
  for (let number = 0; number < Math.min(count, 200); number++) await action(number)
  const singles = new Float64Array(count)
  const startedMs = cpuMs()
  for (let number = 0; number < count; number++) {
    const before = performance.now()
    await action(number)
    singles[number] = (performance.now() - before) * 1000
  }
  const elapsedMs = cpuMs() - startedMs
  const sorted = sortedNumbers(singles)
  return { perSecond: (count * 1000) / elapsedMs, p50Us: quantile(sorted, 0.5), p99Us: quantile(sorted, 0.99) }
}

/** Processor time of this process: others may be busy at the same time. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Bytes in use after garbage collection. */
export function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
