import type { HorizontalPodAutoscalerCondition } from '../../api/types/autoscaling-v2.ts'
import { timestamp } from '../../base/clock.ts'

export interface AutoscalerStatement {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

type Conditions = readonly HorizontalPodAutoscalerCondition[]

/** The last condition of a type counts. Its transition time changes only with its status. */
export function withStatements(before: Conditions, said: readonly AutoscalerStatement[], nowMs: number): Conditions {
  const conditions = [...before]
  for (const each of said) {
    const index = conditions.findIndex(({ type }) => type === each.type)
    const old = conditions[index]
    const lastTransitionTime = old?.status === each.status ? old.lastTransitionTime : timestamp(nowMs)
    conditions.splice(index < 0 ? conditions.length : index, 1, { ...each, lastTransitionTime })
  }
  return conditions
}

export function ableToScale(reason: string, message: string): AutoscalerStatement {
  return { type: 'AbleToScale', status: 'True', reason, message }
}

export function unableToScale(reason: string, message: string): AutoscalerStatement {
  return { type: 'AbleToScale', status: 'False', reason, message }
}

export function scalingActive(status: 'True' | 'False', reason: string, message: string): AutoscalerStatement {
  return { type: 'ScalingActive', status, reason, message }
}

export function scalingLimited(status: 'True' | 'False', reason: string, message: string): AutoscalerStatement {
  return { type: 'ScalingLimited', status, reason, message }
}

export const gotScale = ableToScale(
  'SucceededGetScale',
  "the HPA controller was able to get the target's current scale",
)
