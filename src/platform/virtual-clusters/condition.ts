import type { Condition } from '../../api/types/meta-v1.ts'
import { timestamp } from '../../base/clock.ts'

export interface InstanceCondition {
  readonly type: 'Online' | 'Proven'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** All conditions, with this one set. Its transition time changes only with its status. */
export function withInstanceCondition(
  before: readonly Condition[] | undefined,
  condition: InstanceCondition,
  nowMs: number,
): readonly Condition[] {
  const all = before ?? []
  const old = all.find(({ type }) => type === condition.type)
  const since = old?.status === condition.status ? old.lastTransitionTime : undefined
  const lastTransitionTime = since ?? timestamp(nowMs)
  const changed = { ...condition, lastTransitionTime }
  return old === undefined ? [...all, changed] : all.map((each) => (each === old ? changed : each))
}
