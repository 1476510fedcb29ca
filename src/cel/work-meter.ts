/** Counts what an evaluation does: its cost in the units of Kubernetes, and the additional work, each in advance. */
export interface WorkMeter {
  readonly work: (units: number) => void
  readonly charge: (cost: number) => void
  /** What the evaluation may still use. */
  readonly costLeft: number
  readonly workLeft: number
}
