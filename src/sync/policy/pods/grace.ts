import type { PodSpec } from '../../../api/types/core-v1.ts'
import type { JudgedPod } from './rule.ts'
import { passedPod } from './rule.ts'

/** A Pod that takes years to end would keep its node from being drained. */
export const longestGraceSeconds = 3_600

export function gracePeriod(spec: PodSpec): JudgedPod {
  const { terminationGracePeriodSeconds: asked } = spec
  if (asked === undefined || asked <= longestGraceSeconds) return passedPod(spec)
  const reason = `a Pod has at most ${longestGraceSeconds} seconds to end, so the copy has as many`
  return {
    spec: { ...spec, terminationGracePeriodSeconds: longestGraceSeconds },
    refusals: [{ rule: 'podFields', field: 'spec.terminationGracePeriodSeconds', reason, remedy: 'ask for less' }],
  }
}
