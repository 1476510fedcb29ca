import type { KubeObject } from '../../api/object.ts'
import { nanosOf } from '../../api/quantity.ts'
import type { ResourceQuota } from '../../api/types/core-v1.ts'
import type { ObjectChange } from '../../client/contract.ts'
import type { QuotaRoom } from '../run/failures/refused-by-host.ts'

type Amounts = Readonly<Record<string, string | number>>

/** What a quota allows more of than before: it was deleted, limits less, allows more, or less is used. */
export function madeRoom({ before, after }: ObjectChange): QuotaRoom {
  if (before === undefined) return new Set()
  if (after === undefined) return 'anything'
  const [then, now] = [amountsOf(before), amountsOf(after)]
  const freed = Object.entries(then.used).filter(([name, used]) => nanosOf(now.used[name] ?? 0) < nanosOf(used))
  const raised = Object.entries(then.hard).filter(
    ([name, hard]) => now.hard[name] === undefined || nanosOf(now.hard[name]) > nanosOf(hard),
  )
  return new Set([...freed, ...raised].map(([name]) => name))
}

/** The status has the values that are enforced. */
function amountsOf(quota: KubeObject): { readonly hard: Amounts; readonly used: Amounts } {
  const { hard = {}, used = {} } = (quota as ResourceQuota).status ?? {}
  return { hard, used }
}
