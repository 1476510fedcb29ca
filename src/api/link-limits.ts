/** What both ends of a link agree on. */
export const linkLimits = {
  pingIntervalMs: 10_000,
  /** A peer that was silent for so long is gone. */
  silentMs: 25_000,
  /** How long the last message may take to get out before the connection goes. */
  lastWordsMs: 200,
  /** For each stream. */
  windowBytes: 1024 * 1024,
  /** For all streams of a link together. */
  sessionWindowBytes: 8 * 1024 * 1024,
  maxHeaderBytes: 65_536,
  /** Megabytes that a session may use. */
  maxSessionMemory: 256,
  /** The platform asks for no more than this at the same time. */
  maxOpenStreams: 10_000,
} as const
