import { timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'

export interface InstanceCondition {
  readonly type: 'Online' | 'Proven'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** All conditions with this one among them. Its moment changes only with its state. */
export function withInstanceCondition(
  before: unknown,
  condition: InstanceCondition,
  nowMs: number,
): readonly unknown[] {
  const all = Array.isArray(before) ? before.filter(isJsonObject) : []
  const old = all.find(({ type }) => type === condition.type)
  const isSame = old?.status === condition.status && typeof old.lastTransitionTime === 'string'
  const lastTransitionTime = isSame ? old.lastTransitionTime : timestamp(nowMs)
  const changed = { ...condition, lastTransitionTime }
  return old === undefined ? [...all, changed] : all.map((each) => (each === old ? changed : each))
}
