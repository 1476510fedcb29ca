/** A server in separate processes that can be called over HTTPS. */
export interface Subject {
  readonly role: Role
  readonly host: string
  readonly port: number
  /** PEM. */
  readonly authority: string
  readonly token: string
  /** All serving processes, including the store. */
  readonly processIds: readonly number[]
  /** From the first process to the first successful answer of /readyz. */
  readonly startMs: number
  stop(): Promise<void>
}

export type Role = 'ours' | 'peer'

/** Starts a server on an empty store. */
export type Launch = () => Promise<Subject>

/** One number for each server, from one round. The peer's is absent if there is no peer. */
export interface Round<T> {
  readonly ours: T
  readonly peer: T | undefined
}

/** One line of the table. */
export interface Row {
  readonly scenario: string
  readonly unit: string
  readonly ours: number
  readonly peer: number | undefined
  /** Ours divided by the peer's or, without a peer, the large case divided by the small one. */
  readonly ratio: number | undefined
  /** Absent: only reported. */
  readonly target: Target | undefined
}

export interface Target {
  readonly comparison: 'at least' | 'at most'
  readonly ratio: number
}
