import { cpuMsOf, type Thread } from './thread-cpu.ts'

/** The time of the work below on the machine by which the budget was set. */
const usualMs = 9
const tries = 3
/** The test of this watch computes for a certain time, whatever the machine does beside. */
const fixed = process.env.TENANT_LOOP_SLOWNESS

/** How much slower the machine is now: 1, or more. On a shared processor, waiting for others counts as computing. */
export function slowness(thread: Thread): number {
  if (fixed !== undefined) return Number(fixed)
  const times = Array.from({ length: tries }, () => {
    const beganMs = cpuMsOf(thread) ?? 0
    work()
    return (cpuMsOf(thread) ?? 0) - beganMs
  })
  return Math.max(1, Math.min(...times) / usualMs)
}

function work(): number {
  let state = 1
  for (let step = 0; step < 4_000_000; step++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
  }
  return state
}
