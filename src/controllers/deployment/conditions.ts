import type { Deployment, DeploymentCondition, ReplicaSet } from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { maxInt32 } from '../pods/share.ts'

export type Conditions = readonly DeploymentCondition[]

export interface DeploymentStatement {
  readonly type: 'Available' | 'Progressing' | 'ReplicaFailure'
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function conditionOf(
  conditions: Conditions,
  type: DeploymentStatement['type'],
): DeploymentCondition | undefined {
  return conditions.find((each) => each.type === type)
}

export function withoutCondition(conditions: Conditions, type: DeploymentStatement['type']): Conditions {
  return conditions.filter((each) => each.type !== type)
}

/** A condition with the same status and reason stays unchanged. */
export function withStatement(conditions: Conditions, said: DeploymentStatement, nowMs: number): Conditions {
  const before = conditionOf(conditions, said.type)
  return before?.status === said.status && before.reason === said.reason
    ? conditions
    : withRenewedStatement(conditions, said, nowMs)
}

/** Renews the condition even if it is unchanged: its time counts. */
export function withRenewedStatement(conditions: Conditions, said: DeploymentStatement, nowMs: number): Conditions {
  const before = conditionOf(conditions, said.type)
  const now = timestamp(nowMs)
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : now
  return [...withoutCondition(conditions, said.type), { ...said, lastUpdateTime: now, lastTransitionTime }]
}

/** Absent: a rollout has no deadline. */
export function progressDeadlineMs({ spec }: Deployment): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec
  return seconds === undefined || seconds === maxInt32 ? undefined : seconds * 1000
}

export const available: DeploymentStatement = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
}

export const unavailable: DeploymentStatement = {
  type: 'Available',
  status: 'False',
  reason: 'MinimumReplicasUnavailable',
  message: 'Deployment does not have minimum availability.',
}

export const paused: DeploymentStatement = {
  type: 'Progressing',
  status: 'Unknown',
  reason: 'DeploymentPaused',
  message: 'Deployment is paused',
}

export const resumed: DeploymentStatement = {
  type: 'Progressing',
  status: 'Unknown',
  reason: 'DeploymentResumed',
  message: 'Deployment is resumed',
}

export function progressing(reason: string, message: string): DeploymentStatement {
  return { type: 'Progressing', status: 'True', reason, message }
}

export function noProgress(reason: string, message: string): DeploymentStatement {
  return { type: 'Progressing', status: 'False', reason, message }
}

/** A refusal that a ReplicaSet met, as a condition of the Deployment. That of the current one takes precedence. */
export function replicaFailure(
  current: ReplicaSet | undefined,
  older: readonly ReplicaSet[],
): DeploymentCondition | undefined {
  const all = current === undefined ? older : [current, ...older]
  const [failure] = all.flatMap(({ status }) =>
    (status.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  )
  return failure && { ...failure, lastUpdateTime: failure.lastTransitionTime }
}
