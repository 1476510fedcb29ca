/** Limits shared by both ends of a link. */
export const linkLimits = {
  pingIntervalMs: 10_000,
  /**
   * The platform always pings, which shows that it is alive: the tenant pings only if it has heard nothing for this
   * long.
   */
  tenantQuietMs: 15_000,
  /** A peer that has been silent for this long is gone. */
  silentMs: 25_000,
  /** How long the last message may take before the connection is closed. */
  lastWordsMs: 200,
  /**
   * Processor time that a returning link takes, measured (docs/scale.md): links that end together return one after the
   * other.
   */
  takeBackMs: 8,
  longestReturnMs: 15_000,
  /** How long a stopping replica waits until a link has moved to another one, and the maximum if there are many. */
  moveMs: 2_000,
  longestMoveMs: 8_000,
  /** The least of it: a tenant on a busy node takes seconds. Those that have moved are not waited for. */
  leastMoveMs: 7_000,
  /** For each stream. */
  windowBytes: 1024 * 1024,
  /** For all streams of a link together. */
  sessionWindowBytes: 8 * 1024 * 1024,
  maxHeaderBytes: 65_536,
  /** Megabytes that wait to be sent to a virtual cluster. */
  maxPlatformMemory: 64,
  /**
   * The same on its side, practically unlimited: Node counts what canceled answers had still to send, and never
   * subtracts it, so that a link would end up refusing everything.
   */
  maxTenantMemory: 1_000_000,
  /** Headers of one answer. */
  maxAnswerHeaders: 128,
  /** The maximum number of concurrent requests from the platform. */
  maxOpenStreams: 10_000,
  /** For one virtual cluster at one replica of the platform: its processes, and the remains of previous ones. */
  maxLinksPerInstance: 8,
  /** For one access key at one replica. */
  maxLinksPerKey: 5_000,
  /** Unread messages on the control stream. */
  maxUnreadControlBytes: 64 * 1024,
} as const

/** For lines on the control stream, in either direction. A rotation of the key is one line. */
export const controlLimits = { longestLine: 8 * 1024, burst: 20, perSecond: 1 } as const
