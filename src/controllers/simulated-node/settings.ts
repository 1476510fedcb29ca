/** How long the Pods of a simulated node take for each step. */
export interface SimulatedTimes {
  /** From being scheduled to running. */
  readonly startMs: number
  /** From running to ready, for Pods with a readiness or startup probe: others are ready when they run. */
  readonly readyMs: number
  /** From ready to the end, for Pods of Jobs. One that only runs `sleep` takes as long as that. */
  readonly runMs: number
  /** From the deletion request to the end; never more than the grace period. */
  readonly stopMs: number
}

export const usualTimes: SimulatedTimes = { startMs: 200, readyMs: 200, runMs: 1_000, stopMs: 200 }

export const simulatedNodeName = 'simulated'

/** Reserved for documentation: no machine has it. */
export const simulatedNodeAddress = '192.0.2.1'

export const simulatedPodRange = '10.244.0.0/16'

/**
 * How often a kubelet reports its whole status. It renews its Lease every ten seconds, so that others notice if it
 * stops.
 */
export const renewalSeconds = 300
