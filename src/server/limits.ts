/** All limits on what one client can take from others. */
export interface Limits {
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  readonly maxHeaderBytes: number
  /** Per request. */
  readonly maxHeaders: number
  /** Time for the TLS handshake, including its first byte. */
  readonly handshakeTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  /** Requests processed at the same time, divided among levels; see `fairness/levels.ts`. */
  readonly maxRequestsInFlight: number
  /** Requests begun or answered in one iteration of the event loop, so that none waits for many. */
  readonly requestsPerTurn: number
  /** Time for requests in one iteration of the event loop; the rest waits for the next one. */
  readonly msPerTurn: number
  /** How many networks and callers with nothing waiting get one more request after that time. */
  readonly newcomersPerTurn: number
  /** How long a request waits for a place. */
  readonly longestWaitMs: number
  /** A client that causes more refusals loses its connection. */
  readonly refusalsPerSecond: number
  /** Limits watches and other long-running requests. */
  readonly maxOpenPerCaller: number
  readonly maxOpen: number
  /** Limits the memory that watches hold for readers that are behind. */
  readonly maxUnreadBytesPerCaller: number
  readonly maxUnreadBytes: number
  /** Limits bodies that have begun to arrive. */
  readonly maxBodiesPerCaller: number
  /** Limits the memory of all arriving bodies. */
  readonly maxBodyMemoryBytes: number
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  /** How long a shutdown waits for requests under way. */
  readonly shutdownTimeoutMs: number
  /** How long a client may take to read the last message on its connection. */
  readonly lingerMs: number
  /** A connection that does not answer a ping within this time is given up. */
  readonly pingIntervalMs: number
  readonly maxStreamsPerConnection: number
  /** Limit until a caller on the connection is known. Clients assume a hundred before they are told otherwise. */
  readonly maxStreamsOfStrangers: number
  /** Requests that an HTTP/1.1 client may send ahead of their answers. */
  readonly maxPipelinedRequests: number
  /** An answer of which the client takes nothing for this time is given up. */
  readonly unreadTimeoutMs: number
  /**
   * A tunnel whose other side takes nothing of what the client has sent for this time is given up. A program in a
   * container may not read for hours, so this is the time after which a kubelet ends an idle connection.
   */
  readonly stuckTunnelTimeoutMs: number
  readonly maxConnections: number
  /** A network is one IPv4 address, or a /64 of IPv6. */
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
  lingerMs: 2_000,
  pingIntervalMs: 30_000,
  maxStreamsPerConnection: 250,
  maxStreamsOfStrangers: 100,
  maxPipelinedRequests: 100,
  unreadTimeoutMs: 60_000,
  stuckTunnelTimeoutMs: 4 * 3_600_000,
  maxConnections: 10_000,
  maxConnectionsPerNetwork: 2_000,
}
