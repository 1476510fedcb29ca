import type { PodSpec } from '../../api/types/core-v1.ts'

/** The one node that the affinity of a Pod names, as DaemonSets write it; empty if there is none. */
export function onlyNodeOf({ affinity }: PodSpec): string {
  const { nodeSelectorTerms } = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {}
  for (const { matchFields = [] } of nodeSelectorTerms ?? []) {
    for (const { key, operator, values = [] } of matchFields) {
      if (key === 'metadata.name' && operator === 'In' && values.length === 1) return values[0] ?? ''
    }
  }
  return ''
}
