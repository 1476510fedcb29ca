/** Everything that bounds what one client can take from the others. */
export interface Limits {
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  readonly maxHeaderBytes: number
  /** In one request. */
  readonly maxHeaders: number
  /** For the TLS handshake, and for the first byte of it. */
  readonly handshakeTimeoutMs: number
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
  /** Requests that an HTTP/1.1 client may send ahead of its answers. */
  readonly maxPipelinedRequests: number
  /** An answer of which the client has taken nothing for so long is given up. */
  readonly unreadTimeoutMs: number
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

export const defaultLimits: Limits = {
  maxBodyBytes: 3_145_728,
  bodyTimeoutMs: 30_000,
  maxHeaderBytes: 65_536,
  maxHeaders: 1_000,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 32_000,
  keepAliveTimeoutMs: 120_000,
  maxRequestsInFlight: 800,
  readTimeoutMs: 60_000,
  writeTimeoutMs: 34_000,
  shutdownTimeoutMs: 10_000,
  pingIntervalMs: 30_000,
  maxStreamsPerConnection: 250,
  maxPipelinedRequests: 100,
  unreadTimeoutMs: 60_000,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 2_000,
}
