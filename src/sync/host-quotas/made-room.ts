import type { KubeObject } from '../../api/object.ts'
import { nanosOf } from '../../api/quantity.ts'
import type { ResourceQuota } from '../../api/types/core-v1.ts'
import type { ObjectChange } from '../../client/contract.ts'

type Amounts = Readonly<Record<string, string | number>>

/** Whether a quota allows more than before: it was deleted, limits less, allows more, or less of it is used. */
export function madeRoom({ before, after }: ObjectChange): boolean {
  if (before === undefined) return false
  if (after === undefined) return true
  const [then, now] = [amountsOf(before), amountsOf(after)]
  const isFreed = Object.entries(then.used).some(([name, used]) => nanosOf(now.used[name] ?? 0) < nanosOf(used))
  const isRaised = Object.entries(then.hard).some(
    ([name, hard]) => now.hard[name] === undefined || nanosOf(now.hard[name]) > nanosOf(hard),
  )
  return isFreed || isRaised
}

/** The status has the values that are enforced. */
function amountsOf(quota: KubeObject): { readonly hard: Amounts; readonly used: Amounts } {
  const { hard = {}, used = {} } = (quota as ResourceQuota).status ?? {}
  return { hard, used }
}
