/** What both ends of a link agree on. */
export const linkLimits = {
  pingIntervalMs: 10_000,
  /** The platform asks each time, and that it asks shows that it is there: the tenant asks only when it has heard nothing for so long. */
  tenantQuietMs: 15_000,
  /** A peer that was silent for so long is gone. */
  silentMs: 25_000,
  /** How long the last message may take to get out before the connection goes. */
  lastWordsMs: 200,
  /** Processor time that a link takes to come back, measured (docs/scale.md): those that end together come back one after the other. */
  takeBackMs: 8,
  longestReturnMs: 15_000,
  /** How long a replica that is stopped waits until a link has moved to another, and how much longer at most if there are many. */
  moveMs: 2_000,
  longestMoveMs: 8_000,
  /** For each stream. */
  windowBytes: 1024 * 1024,
  /** For all streams of a link together. */
  sessionWindowBytes: 8 * 1024 * 1024,
  maxHeaderBytes: 65_536,
  /** Megabytes that wait to be sent to a virtual cluster. */
  maxPlatformMemory: 64,
  /**
   * The same on its side, as good as no limit: Node counts what answers had still to send when they were taken back, and never
   * takes it off, so that a link would end up refusing everything.
   */
  maxTenantMemory: 1_000_000,
  /** Headers of one answer. */
  maxAnswerHeaders: 128,
  /** The platform asks for no more than this at the same time. */
  maxOpenStreams: 10_000,
  /** Of one virtual cluster at one replica of the platform: its processes, and what is left of those before. */
  maxLinksPerInstance: 8,
  /** With one access key at one replica. */
  maxLinksPerKey: 5_000,
  /** What was said on the control stream and not read yet. */
  maxUnreadControlBytes: 64 * 1024,
} as const

/** Of lines on the control stream, in either direction. A rotation of the key is one. */
export const controlLimits = { longestLine: 8 * 1024, burst: 20, perSecond: 1 } as const
