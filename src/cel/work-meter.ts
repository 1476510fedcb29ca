/** Counts what is done besides what the cost counts, before it is done. */
export interface WorkMeter {
  readonly work: (units: number) => void
}
