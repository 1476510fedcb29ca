import type { HorizontalPodAutoscaler, MetricStatus } from '../../api/types/autoscaling-v2.ts'
import type { Steps } from '../../base/steps.ts'
import type { News } from '../run/event-limits.ts'
import { type AutoscalerStatement, ableToScale, gotScale, scalingActive, scalingLimited } from './conditions.ts'
import {
  highestRecent,
  type LimitedSize,
  limitedByDefault,
  limitedByRules,
  type PastRecommendation,
  type PastScaling,
  stabilized,
} from './scale-limits.ts'

/** The result for one metric. */
export type MetricOutcome =
  | { readonly name: string; readonly replicas: number; readonly status: MetricStatus }
  /** `reason` is that of the condition and of the Event, `error` is used in the summary. */
  | { readonly reason: string; readonly problem: string; readonly error: string }

/** What an autoscaler remembers between reconciliations. */
export interface AutoscalerMemory {
  readonly recommendations: readonly PastRecommendation[]
  readonly scalings: readonly PastScaling[]
}

export interface AutoscalerPlan {
  /** The new size of the target; undefined: it stays as it is. */
  readonly rescale?: { readonly replicas: number; readonly reason: string }
  readonly desired: number
  readonly metrics: readonly MetricStatus[]
  readonly said: readonly AutoscalerStatement[]
  readonly news: readonly News[]
  readonly recommendations: readonly PastRecommendation[]
}

export interface AutoscalerState {
  readonly autoscaler: HorizontalPodAutoscaler
  readonly current: number
  /** Called only if the size depends on metrics. */
  readonly outcomes: () => Steps<readonly MetricOutcome[]>
  readonly memory: AutoscalerMemory
  readonly nowMs: number
}

/** False if the size follows from the range, or the target was scaled to zero. */
export function dependsOnMetrics({ spec }: HorizontalPodAutoscaler, current: number): boolean {
  const { minReplicas: min = 1, maxReplicas: max } = spec
  return (current !== 0 || min === 0) && current <= max && current >= min
}

export function* planAutoscaler(state: AutoscalerState): Steps<AutoscalerPlan> {
  const { autoscaler, current, memory, nowMs } = state
  const { minReplicas: min = 1, maxReplicas: max } = autoscaler.spec
  const { recommendations } = memory
  const known = recommendations.length > 0 ? recommendations : [{ atMs: nowMs, replicas: current }]
  if (current === 0 && min !== 0) {
    const message = 'scaling is disabled since the replica count of the target is zero'
    return unchanged(0, [gotScale, scalingActive('False', 'ScalingDisabled', message)], known)
  }
  if (current > max) return resized(max, 'Current number of replicas above Spec.MaxReplicas', known)
  if (current < min) return resized(min, 'Current number of replicas below Spec.MinReplicas', known)
  return yield* byMetrics(state, known, { current, min, max })
}

function unchanged(
  desired: number,
  said: readonly AutoscalerStatement[],
  recommendations: readonly PastRecommendation[],
): AutoscalerPlan {
  return { desired, metrics: [], said, news: [], recommendations }
}

function resized(replicas: number, reason: string, recommendations: readonly PastRecommendation[]): AutoscalerPlan {
  return { ...unchanged(replicas, [gotScale], recommendations), rescale: { replicas, reason } }
}

/** Stands for a metric that could not be read. */
const nothingRead: MetricStatus = { type: '' }

/** If the size cannot be computed, the reported one stays; initially there is none. */
function desiredBefore({ autoscaler }: AutoscalerState): number {
  return autoscaler.status.desiredReplicas ?? 0
}

interface Range {
  readonly current: number
  readonly min: number
  readonly max: number
}

function* byMetrics(state: AutoscalerState, known: readonly PastRecommendation[], range: Range): Steps<AutoscalerPlan> {
  const { current } = range
  const outcomes = yield* state.outcomes()
  const failed = outcomes.flatMap((each) => ('problem' in each ? [each] : []))
  const found = outcomes.flatMap((each) => ('problem' in each ? [] : [each]))
  const told = failed.map(({ reason, problem }): News => ({ type: 'Warning', reason, message: problem }))
  const metrics = outcomes.map((each) => ('problem' in each ? nothingRead : each.status))
  const [first] = failed
  const best = found.reduce<(typeof found)[number] | undefined>(
    (most, each) => (most === undefined || each.replicas > most.replicas ? each : most),
    undefined,
  )
  // The unreadable metric may be the reason for the target's current size.
  if (first !== undefined && (best === undefined || best.replicas < current)) {
    const count = `invalid metrics (${failed.length} invalid out of ${outcomes.length}), first error is: ${first.error}`
    const message = `the HPA was unable to compute the replica count: ${first.problem}`
    return {
      ...unchanged(desiredBefore(state), [gotScale, scalingActive('False', first.reason, message)], known),
      metrics,
      news: [...told, { type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: count }],
    }
  }
  if (best === undefined) return unchanged(current, [gotScale], known)
  const { size, said, recommendations } = normalized(state, known, range, best.replicas)
  const source = `the HPA was able to successfully calculate a replica count from ${best.name}`
  const reason = best.replicas > current ? `${best.name} above target` : 'All metrics below target'
  return {
    ...(size.replicas !== current && { rescale: { replicas: size.replicas, reason } }),
    desired: size.replicas,
    metrics,
    said: [gotScale, scalingActive('True', 'ValidMetricFound', source), ...said],
    news: told,
    recommendations,
  }
}

interface Normalized {
  readonly size: LimitedSize
  readonly said: readonly AutoscalerStatement[]
  readonly recommendations: readonly PastRecommendation[]
}

/** Does not scale down while more was needed recently, and scales neither up nor down faster than the rules allow. */
function normalized(
  { autoscaler, memory, nowMs }: AutoscalerState,
  known: readonly PastRecommendation[],
  range: Range,
  desired: number,
): Normalized {
  const { behavior } = autoscaler.spec
  const rules = { up: behavior?.scaleUp ?? {}, down: behavior?.scaleDown ?? {} }
  const stable =
    behavior === undefined
      ? highestRecent(desired, known, nowMs)
      : stabilized(desired, range.current, rules, known, nowMs)
  const size =
    behavior === undefined
      ? limitedByDefault(stable, range)
      : limitedByRules(stable, range, rules, memory.scalings, nowMs)
  const isLimited = size.replicas !== stable
  return {
    size,
    said: [
      stability(desired, stable, range.current),
      scalingLimited(isLimited ? 'True' : 'False', size.reason, size.message),
    ],
    recommendations: [...known, { atMs: nowMs, replicas: desired }],
  }
}

function stability(desired: number, stable: number, current: number): AutoscalerStatement {
  if (stable === desired) return ableToScale('ReadyForNewScale', 'recommended size matches current size')
  return desired > current
    ? ableToScale(
        'ScaleUpStabilized',
        'recent recommendations were lower than current one, applying the lowest recent recommendation',
      )
    : ableToScale(
        'ScaleDownStabilized',
        'recent recommendations were higher than current one, applying the highest recent recommendation',
      )
}
