/** As in Kubernetes: a target that is met within a tenth counts as met. */
const tolerance = 0.1
const cpuInitializationMs = 300_000
const initialReadinessMs = 30_000

/** The facts about a Pod that determine how many replicas are needed. */
export interface MeasuredPod {
  readonly name: string
  readonly phase: string
  readonly isBeingDeleted: boolean
  readonly startedMs: number | undefined
  readonly ready: { readonly isReady: boolean; readonly changedMs: number } | undefined
  /** The request for the resource, in thousandths; undefined if a container has none. */
  readonly request: number | undefined
  /** The first container without such a request. */
  readonly unrequested?: string | undefined
  readonly sample: UsageSample | undefined
}

export interface UsageSample {
  /** In thousandths. */
  readonly value: number
  readonly atMs: number
  readonly windowMs: number
}

export type UsageGoal =
  | { readonly type: 'utilization'; readonly percent: number }
  | { readonly type: 'average'; readonly value: number }

export interface ReplicaProposal {
  readonly replicas: number
  /** The average usage of the ready Pods, in thousandths. */
  readonly average: number
  /** The usage in percent of the requests, if the target is given that way. */
  readonly percent: number | undefined
}

export type ComputedReplicas = ReplicaProposal | { readonly problem: string }

interface Grouped {
  readonly ready: readonly MeasuredPod[]
  /** Pods that are not ready yet: their usage is not representative. */
  readonly unready: readonly MeasuredPod[]
  readonly missing: readonly MeasuredPod[]
}

/** The number of Pods at which each one's usage meets the target. */
export function proposedReplicas(
  pods: readonly MeasuredPod[],
  current: number,
  target: UsageGoal,
  resource: string,
  nowMs: number,
): ComputedReplicas {
  if (pods.length === 0) return { problem: 'no pods returned by selector while calculating replica count' }
  const { ready, unready, missing } = grouped(pods, resource, nowMs)
  if (ready.length === 0) return { problem: 'did not receive metrics for targeted pods (pods might be unready)' }
  const lacking = target.type === 'utilization' ? pods.find(({ request }) => request === undefined) : undefined
  if (lacking !== undefined)
    return { problem: `missing request for ${resource} in container ${lacking.unrequested} of Pod ${lacking.name}` }
  const measured = ready.map(({ sample, request = 0 }) => ({ value: sample?.value ?? 0, request }))
  const usage = usageOf(measured, target)
  if (usage === undefined) return { problem: 'no metrics returned matched known pods' }
  const { ratio, average, percent } = usage
  if (!Number.isFinite(ratio) || !Number.isFinite(average)) return uncountable(resource)
  const proposal = (replicas: number): ReplicaProposal => ({ replicas, average, percent })
  const countsUnready = unready.length > 0 && ratio > 1
  if (!countsUnready && missing.length === 0) {
    return proposal(isNear(ratio) ? current : Math.ceil(ratio * ready.length))
  }
  const assumed = [...assumedOf(missing, ratio, target), ...(countsUnready ? unready.map(idle) : [])]
  const all = [...measured, ...assumed]
  const again = usageOf(all, target)?.ratio ?? 1
  if (Number.isNaN(again)) return uncountable(resource)
  const turns = (ratio < 1 && again > 1) || (ratio > 1 && again < 1)
  if (isNear(again) || turns) return proposal(current)
  const replicas = Math.ceil(again * all.length)
  const isBackward = (again < 1 && replicas > current) || (again > 1 && replicas < current)
  return proposal(isBackward ? current : replicas)
}

/** Amounts have no upper limit, since users write them. */
export function uncountable(resource: string): ComputedReplicas {
  return { problem: `the amounts of ${resource} are too large or too small to calculate a replica count` }
}

interface Measured {
  readonly value: number
  readonly request: number
}

function usageOf(measured: readonly Measured[], target: UsageGoal) {
  const total = measured.reduce((sum, { value }) => sum + value, 0)
  const average = Math.trunc(total / measured.length)
  if (target.type === 'average') return { ratio: average / target.value, average, percent: undefined }
  const requested = measured.reduce((sum, { request }) => sum + request, 0)
  if (requested === 0) return undefined
  const percent = Math.trunc((total * 100) / requested)
  return { ratio: percent / target.percent, average, percent }
}

/** Unknown usage must not cause a change: it is assumed to speak against it. */
function assumedOf(missing: readonly MeasuredPod[], ratio: number, target: UsageGoal): readonly Measured[] {
  if (ratio > 1) return missing.map(idle)
  if (ratio === 1) return []
  return missing.map(({ request = 0 }) => ({
    request,
    value: target.type === 'average' ? target.value : (request * Math.max(100, target.percent)) / 100,
  }))
}

function idle({ request = 0 }: MeasuredPod): Measured {
  return { value: 0, request }
}

export function isNear(ratio: number): boolean {
  return Math.abs(1 - ratio) <= tolerance
}

function grouped(pods: readonly MeasuredPod[], resource: string, nowMs: number): Grouped {
  const counted = pods.filter(({ phase, isBeingDeleted }) => !isBeingDeleted && phase !== 'Failed')
  const pending = counted.filter(({ phase }) => phase === 'Pending')
  const running = counted.filter(({ phase }) => phase !== 'Pending')
  const missing = running.filter(({ sample }) => sample === undefined)
  const sampled = running.filter(({ sample }) => sample !== undefined)
  const isEarly = (pod: MeasuredPod) => resource === 'cpu' && isStarting(pod, nowMs)
  return {
    ready: sampled.filter((pod) => !isEarly(pod)),
    unready: [...pending, ...sampled.filter(isEarly)],
    missing,
  }
}

/** A starting Pod needs more than it does later. */
function isStarting({ startedMs, ready, sample }: MeasuredPod, nowMs: number): boolean {
  if (startedMs === undefined || ready === undefined || sample === undefined) return true
  if (startedMs + cpuInitializationMs > nowMs) {
    return !ready.isReady || sample.atMs < ready.changedMs + sample.windowMs
  }
  return !ready.isReady && startedMs + initialReadinessMs > ready.changedMs
}
