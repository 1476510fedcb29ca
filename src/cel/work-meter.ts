/** Counts what an evaluation does: its cost in the units of Kubernetes, and the work besides, each before it is done. */
export interface WorkMeter {
  readonly work: (units: number) => void
  readonly charge: (cost: number) => void
  /** What the evaluation may still do. */
  readonly costLeft: number
  readonly workLeft: number
}
