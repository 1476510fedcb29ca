import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../api/types/policy-v1.ts'
import type { KindSetting, SyncKind } from '../contract.ts'
import { hostSelector } from '../names/host-labels.ts'
import { typedKind } from './typed-kind.ts'

/**
 * Limits a budget to the tenant's own Pods. On the host, these have no controllers that define how many there should
 * be, so the copy has the number that the virtual cluster computed.
 */
export const podDisruptionBudgetsSync: SyncKind = typedKind<PodDisruptionBudget>({
  id: 'podDisruptionBudgets',
  group: 'policy',
  resource: 'poddisruptionbudgets',
  leavesOut: (virtual, { podsRunOnHost }) => {
    if (!podsRunOnHost) return 'no Pods of the virtual cluster run on the host'
    return healthyPods(virtual) === undefined
      ? 'the virtual cluster has yet to work out how many Pods it needs'
      : undefined
  },
  toHost: (virtual, setting) => ({ spec: hostBudget(virtual, setting) }),
})

function hostBudget(budget: PodDisruptionBudget, { names }: KindSetting): PodDisruptionBudgetSpec {
  const { selector, unhealthyPodEvictionPolicy } = specOf(budget)
  const minAvailable = healthyPods(budget)
  return {
    ...(minAvailable !== undefined && { minAvailable }),
    ...(selector && { selector: hostSelector(selector, [budget.metadata.namespace ?? ''], names) }),
    ...(unhealthyPodEvictionPolicy && { unhealthyPodEvictionPolicy }),
  }
}

/** A percentage, or maxUnavailable, depends on the number of Pods, so the last known result counts. */
function healthyPods(budget: PodDisruptionBudget): number | undefined {
  const { minAvailable } = specOf(budget)
  if (typeof minAvailable === 'number') return minAvailable
  const { observedGeneration, desiredHealthy } = budget.status ?? {}
  return observedGeneration === undefined ? undefined : desiredHealthy
}

/** The tenant's own server may return a budget without a spec. */
function specOf({ spec }: Partial<Pick<PodDisruptionBudget, 'spec'>>): PodDisruptionBudgetSpec {
  return spec ?? {}
}
