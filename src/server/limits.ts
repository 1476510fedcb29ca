/** Everything that bounds what one client can take from the others. */
export interface Limits {
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  readonly maxHeaderBytes: number
  readonly headersTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  /** Requests worked on at the same time, watches not counted. */
  readonly maxRequestsInFlight: number
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  /** How long a shutdown waits for requests under way. */
  readonly shutdownTimeoutMs: number
  /** A connection that does not answer a ping for so long is given up. */
  readonly pingIntervalMs: number
  readonly maxStreamsPerConnection: number
}

export const defaultLimits: Limits = {
  maxBodyBytes: 3_145_728,
  bodyTimeoutMs: 30_000,
  maxHeaderBytes: 65_536,
  headersTimeoutMs: 32_000,
  keepAliveTimeoutMs: 120_000,
  maxRequestsInFlight: 800,
  readTimeoutMs: 60_000,
  writeTimeoutMs: 34_000,
  shutdownTimeoutMs: 10_000,
  pingIntervalMs: 30_000,
  maxStreamsPerConnection: 1_000,
}
