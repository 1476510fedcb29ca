interface TtlStep {
  /** The range of node counts for the step. Ranges overlap, so that a node that comes and goes changes nothing. */
  readonly fewest: number
  readonly most: number
  readonly ttlSeconds: number
}

/** The steps of Kubernetes: the more nodes, the less often each kubelet may ask. */
const steps: readonly TtlStep[] = [
  { fewest: 0, most: 100, ttlSeconds: 0 },
  { fewest: 90, most: 500, ttlSeconds: 15 },
  { fewest: 450, most: 1_000, ttlSeconds: 30 },
  { fewest: 900, most: 2_000, ttlSeconds: 60 },
  { fewest: 1_800, most: 10_000, ttlSeconds: 300 },
  { fewest: 9_000, most: Number.POSITIVE_INFINITY, ttlSeconds: 600 },
]

/** The step for that many nodes, coming from another one. */
export function ttlStepOf(nodes: number, before: number): number {
  let step = before
  while (nodes > (steps[step]?.most ?? nodes)) step += 1
  while (nodes < (steps[step]?.fewest ?? 0)) step -= 1
  return step
}

export function ttlText(step: number): string {
  return String(steps[step]?.ttlSeconds ?? 0)
}
