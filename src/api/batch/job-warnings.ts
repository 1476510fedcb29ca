import { changedSpecWarnings } from '../core/pods/pod-template.ts'
import type { JobSpec } from '../types/batch-v1.ts'

const manyCompletions = 100_000
const manyPods = 10_000

/** `whole`: the spec of the containing object, and `old` its previous version. */
export function jobSpecWarnings(
  field: string,
  spec: JobSpec,
  whole: object,
  old: object | undefined,
): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec
  const isLarge = completionMode === 'Indexed' && completions > manyCompletions && parallelism > manyPods
  return [
    ...(isLarge
      ? [
          `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...changedSpecWarnings(`${field}.template`, spec.template, whole, old),
  ]
}
