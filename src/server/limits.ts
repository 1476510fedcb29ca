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
  /** Requests worked on at the same time, shared out among levels; see `fairness/levels.ts`. */
  readonly maxRequestsInFlight: number
  /** Requests that are begun or answered in one turn of the event loop, so that none waits for many. */
  readonly requestsPerTurn: number
  /** After so long in one turn of the event loop, the requests that are left wait for the next one. */
  readonly msPerTurn: number
  /** Networks, and callers, of which one request more is begun or answered then, if they have nothing waiting. */
  readonly newcomersPerTurn: number
  /** How long a request waits for a place. */
  readonly longestWaitMs: number
  /** A client that causes more refusals than this loses the connection. */
  readonly refusalsPerSecond: number
  /** Watches and other requests without an end. */
  readonly maxOpenPerCaller: number
  readonly maxOpen: number
  /** What watches hold for readers who are behind. */
  readonly maxUnreadBytesPerCaller: number
  readonly maxUnreadBytes: number
  /** Bodies that have begun to arrive. */
  readonly maxBodiesPerCaller: number
  /** What all of them may hold. */
  readonly maxBodyMemoryBytes: number
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  /** How long a shutdown waits for requests under way. */
  readonly shutdownTimeoutMs: number
  /** A connection that does not answer a ping for so long is given up. */
  readonly pingIntervalMs: number
  readonly maxStreamsPerConnection: number
  /** Until a caller on it is known. Clients expect a hundred before they are told another number. */
  readonly maxStreamsOfStrangers: number
  /** Requests that an HTTP/1.1 client may send ahead of its answers. */
  readonly maxPipelinedRequests: number
  /** An answer of which the client has taken nothing for so long is given up. */
  readonly unreadTimeoutMs: number
  readonly maxConnections: number
  /** One address of IPv4, or 64 bits of IPv6. */
  readonly maxConnectionsPerNetwork: number
}

export const defaultLimits: Limits = {
  maxBodyBytes: 3_145_728,
  bodyTimeoutMs: 30_000,
  maxHeaderBytes: 65_536,
  maxHeaders: 1_000,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 32_000,
  keepAliveTimeoutMs: 120_000,
  maxRequestsInFlight: 1_000,
  requestsPerTurn: 8,
  msPerTurn: 2,
  newcomersPerTurn: 4,
  longestWaitMs: 5_000,
  refusalsPerSecond: 100,
  maxOpenPerCaller: 1_000,
  maxOpen: 20_000,
  maxUnreadBytesPerCaller: 64 * 1024 * 1024,
  maxUnreadBytes: 256 * 1024 * 1024,
  maxBodiesPerCaller: 100,
  maxBodyMemoryBytes: 128 * 1024 * 1024,
  readTimeoutMs: 60_000,
  writeTimeoutMs: 34_000,
  shutdownTimeoutMs: 10_000,
  pingIntervalMs: 30_000,
  maxStreamsPerConnection: 250,
  maxStreamsOfStrangers: 100,
  maxPipelinedRequests: 100,
  unreadTimeoutMs: 60_000,
  maxConnections: 10_000,
  maxConnectionsPerNetwork: 2_000,
}
