const stepMs = 500

/**
 * How long to delay the answer that name or password is wrong. Such answers are sent only at whole steps, so that the
 * directory's response time does not reveal whether it knows the name.
 */
export function untilStepMs(tookMs: number): number {
  return (Math.floor(tookMs / stepMs) + 1) * stepMs - tookMs
}
