/** How long the Pods of a simulated node take for what they do. */
export interface SimulatedTimes {
  /** From the node to running. */
  readonly startMs: number
  /** From running to ready. */
  readonly readyMs: number
  /** From ready to the end, of Pods that do a Job. */
  readonly runMs: number
  /** From the request to the end; never more than their grace period. */
  readonly stopMs: number
}

export const usualTimes: SimulatedTimes = { startMs: 200, readyMs: 200, runMs: 1_000, stopMs: 200 }

export const simulatedNodeName = 'simulated'

/** Set aside for documentation: no machine has it. */
export const simulatedNodeAddress = '192.0.2.1'

export const simulatedPodRange = '10.244.0.0/16'

/** As often as a kubelet reports all of its status. Its Lease it renews every ten seconds, for others to notice if it stops. */
export const renewalSeconds = 300
