const stepMs = 500

/**
 * How long an answer waits that says that name or password is wrong. Such answers come at whole steps only: how long the directory
 * took does not tell whether it knows the name.
 */
export function untilStepMs(tookMs: number): number {
  return (Math.floor(tookMs / stepMs) + 1) * stepMs - tookMs
}
