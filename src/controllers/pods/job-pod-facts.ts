import type { KubeObject } from '../../api/object.ts'
import type { ContainerStatus, Pod } from '../../api/types/core-v1.ts'
import { controllerIn } from '../ownership/owned.ts'

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
export const completionIndexName = 'batch.kubernetes.io/job-completion-index'
export const indexFailuresAnnotation = 'batch.kubernetes.io/job-index-failure-count'
export const ignoredFailuresAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count'

/** How one container of a Pod ended. */
export interface ContainerExit {
  readonly container: string
  readonly exitCode: number
}

/** How a Pod ended, for the rules of a pod failure policy. */
export interface PodEnd {
  readonly exits: readonly ContainerExit[]
  /** Each in the form of `endConditionKey`. */
  readonly conditions: ReadonlySet<string>
}

/** How many exits are kept per Pod. */
const mostExits = 200

export function endConditionKey(type: string, status: string): string {
  return `${status} ${type}`
}

/** Facts that only the Job controller needs. */
export interface JobPodFacts {
  /** Its Job has neither counted it nor given it up. */
  readonly isTracked: boolean
  /** Undefined: it has none, or an invalid one. */
  readonly index: number | undefined
  /** Earlier failures of its index: those that count, and those that a policy ignores. */
  readonly failuresBefore: number
  readonly ignoredBefore: number
  /** The Pod is being deleted, and no node will report how it ended: it never had one, or has already left it. */
  readonly isCutOff: boolean
  /** When it finished, if it did. */
  readonly finishedMs: number
  /** The total of all its containers, while it runs. */
  readonly containerRestarts: number
  /** Kept only until it is counted. */
  readonly end: PodEnd | undefined
}

/** Undefined for Pods that no Job has or had. */
export function jobPodFactsFrom(object: KubeObject): JobPodFacts | undefined {
  const { metadata, status } = object as Pod
  const isTracked = metadata.finalizers?.includes(trackingFinalizer) ?? false
  if (!isTracked && controllerIn(metadata)?.kind !== 'Job') return undefined
  const annotations = metadata.annotations ?? {}
  const isOver = status.phase === 'Failed' || metadata.deletionTimestamp !== undefined
  return {
    isTracked,
    index: countIn(annotations[completionIndexName]),
    failuresBefore: countIn(annotations[indexFailuresAnnotation]) ?? 0,
    ignoredBefore: countIn(annotations[ignoredFailuresAnnotation]) ?? 0,
    isCutOff: metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0,
    finishedMs: finishedMsOf(object as Pod),
    containerRestarts: restartsOf(object as Pod),
    end: isTracked && isOver ? endOf(object as Pod) : undefined,
  }
}

/** Exits of containers first, then those of init containers. */
function endOf({ status }: Pod): PodEnd {
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  const exits = statuses.flatMap(({ name, state }) => {
    const exitCode = state.terminated?.exitCode ?? 0
    return exitCode === 0 ? [] : [{ container: name, exitCode }]
  })
  return {
    exits: exits.slice(0, mostExits),
    conditions: new Set((status.conditions ?? []).map((each) => endConditionKey(each.type, each.status))),
  }
}

function restartsOf({ status }: Pod): number {
  if (status.phase !== 'Running' && status.phase !== 'Pending') return 0
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return statuses.reduce((sum, { restartCount }) => sum + restartCount, 0)
}

/** When its last container ended; otherwise when it became unready, was deleted, or was created. */
function finishedMsOf({ metadata, status }: Pod): number {
  const ready = status.conditions?.find((each) => each.type === 'Ready' && each.status === 'False')
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const deletedMs = timeIn(metadata.deletionTimestamp)
  return (
    lastExitMs(status.containerStatuses ?? []) ??
    timeIn(ready?.lastTransitionTime) ??
    (deletedMs === undefined ? undefined : deletedMs - graceMs) ??
    timeIn(metadata.creationTimestamp) ??
    0
  )
}

/** Undefined unless all have ended, and report when. */
function lastExitMs(statuses: readonly ContainerStatus[]): number | undefined {
  const times = statuses.map(({ state }) => timeIn(state.terminated?.finishedAt))
  return times.reduce(
    (last, time) => (last === undefined || time === undefined ? undefined : Math.max(last, time)),
    times[0],
  )
}

function timeIn(text: string | null | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** Written by the controller, but users can put any text there. */
function countIn(text = ''): number | undefined {
  return /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined
}
