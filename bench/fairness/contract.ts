/** Where the attacker finds the server, and its credentials. Passed to a separate process as JSON. */
export interface Ground {
  readonly port: number
  readonly authority: string
  /** The key of a user with almost no rights, and its name. */
  readonly key: string
  readonly keyName: string
  /** A key with which virtual clusters link. */
  readonly tenantKey: string
}

/** Attacks until the process is ended. */
export type Attack = (ground: Ground) => void | Promise<void>

export interface Measured {
  readonly requests: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly livezMs: number
  readonly peakBytes: number
}
