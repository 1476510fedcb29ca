/** Where the attacker finds the server, and as whom. Passed to a process of its own as JSON. */
export interface Ground {
  readonly port: number
  readonly authority: string
  /** The key of a user who may do next to nothing, and its name. */
  readonly key: string
  readonly keyName: string
  /** A key by which virtual clusters link. */
  readonly tenantKey: string
}

/** Does its worst until the process is ended. */
export type Attack = (ground: Ground) => void | Promise<void>

export interface Measured {
  readonly requests: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly livezMs: number
  readonly peakBytes: number
}
