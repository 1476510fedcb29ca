import type { HPAScalingPolicy, HPAScalingRules } from '../../api/types/autoscaling-v2.ts'

/** A change in the size of a target, and its time. */
export interface PastScaling {
  readonly atMs: number
  readonly change: number
}

/** A recommended size, and its time. */
export interface PastRecommendation {
  readonly atMs: number
  readonly replicas: number
}

export interface LimitedSize {
  readonly replicas: number
  readonly reason: string
  readonly message: string
}

const withinRange = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
}
const tooMany = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
}
const tooFew = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
}
const tooFast = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
}
const tooFastDown = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
}

const usualDownWindowSeconds = 300

export interface ScaleRange {
  readonly current: number
  readonly min: number
  readonly max: number
}

/** Without rules, an autoscaler at most doubles a target, or scales it to four. */
export function limitedByDefault(desired: number, { current, min, max }: ScaleRange): LimitedSize {
  const fastest = Math.max(current * 2, 4)
  const most = Math.min(max, fastest)
  if (desired < min) return { replicas: min, ...tooFew }
  if (desired > most) return { replicas: most, ...(max > fastest ? tooFast : tooMany) }
  return { replicas: desired, ...withinRange }
}

export interface BothScalingRules {
  readonly up: HPAScalingRules
  readonly down: HPAScalingRules
}

/** No faster than the rules allow, counted from the start of each period. */
export function limitedByRules(
  desired: number,
  { current, min, max }: ScaleRange,
  { up, down }: BothScalingRules,
  events: readonly PastScaling[],
  nowMs: number,
): LimitedSize {
  if (desired > current) {
    const fastest = Math.max(current, upLimit(current, up, events, nowMs))
    const most = Math.min(max, fastest)
    return desired > most
      ? { replicas: most, ...(max > fastest ? tooFast : tooMany) }
      : { replicas: desired, ...withinRange }
  }
  if (desired < current) {
    const slowest = Math.min(current, downLimit(current, down, events, nowMs))
    const least = Math.max(min, slowest)
    return desired < least
      ? { replicas: least, ...(min < slowest ? tooFastDown : tooFew) }
      : { replicas: desired, ...withinRange }
  }
  return { replicas: desired, ...withinRange }
}

/** The highest recent recommendation when scaling down, the lowest when scaling up, and otherwise the current size. */
export function stabilized(
  desired: number,
  current: number,
  { up, down }: BothScalingRules,
  recent: readonly PastRecommendation[],
  nowMs: number,
): number {
  const within = (seconds: number) =>
    recent.filter(({ atMs }) => atMs > nowMs - seconds * 1000).map(({ replicas }) => replicas)
  const lowest = Math.min(desired, ...within(up.stabilizationWindowSeconds ?? 0))
  const highest = Math.max(desired, ...within(down.stabilizationWindowSeconds ?? usualDownWindowSeconds))
  return Math.min(Math.max(current, lowest), highest)
}

export function highestRecent(desired: number, recent: readonly PastRecommendation[], nowMs: number): number {
  const within = recent.filter(({ atMs }) => atMs > nowMs - usualDownWindowSeconds * 1000)
  return Math.max(desired, ...within.map(({ replicas }) => replicas))
}

function upLimit(current: number, rules: HPAScalingRules, events: readonly PastScaling[], nowMs: number): number {
  return limit(rules, current, Math.max, (policy) => {
    const start = startOf(policy, current, events, nowMs)
    return policy.type === 'Pods' ? start + policy.value : Math.ceil(start * (1 + policy.value / 100))
  })
}

function downLimit(current: number, rules: HPAScalingRules, events: readonly PastScaling[], nowMs: number): number {
  return limit(rules, current, Math.min, (policy) => {
    const start = startOf(policy, current, events, nowMs)
    return policy.type === 'Pods' ? start - policy.value : Math.trunc(start * (1 - policy.value / 100))
  })
}

/** Of several policies, the one that allows the most, unless selectPolicy says otherwise. */
function limit(
  { selectPolicy = 'Max', policies = [] }: HPAScalingRules,
  current: number,
  farthest: (...values: readonly number[]) => number,
  allowed: (policy: HPAScalingPolicy) => number,
): number {
  if (selectPolicy === 'Disabled' || policies.length === 0) return current
  const nearest = farthest === Math.max ? Math.min : Math.max
  return (selectPolicy === 'Min' ? nearest : farthest)(...policies.map(allowed))
}

/** The size at the start of the policy's period. */
function startOf(
  { periodSeconds }: HPAScalingPolicy,
  current: number,
  events: readonly PastScaling[],
  nowMs: number,
): number {
  const since = events.filter(({ atMs }) => atMs > nowMs - periodSeconds * 1000)
  return since.reduce((start, { change }) => start - change, current)
}
