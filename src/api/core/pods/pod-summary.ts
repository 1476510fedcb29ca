import { formatAge } from '../../human/age.ts'
import type { ContainerStateTerminated, ContainerStatus, Pod } from '../../types/core-v1.ts'
import { isSidecar } from './sidecar.ts'

/** A pod as summarized by `kubectl get`. */
export interface PodSummary {
  readonly ready: number
  readonly total: number
  readonly status: string
  readonly restarts: number
  readonly lastRestart: string | undefined
}

interface Progress {
  /** Why the init containers are not done; undefined if they are. */
  readonly waitingFor: string | undefined
  /** Init containers up to and including the current one. */
  readonly reached: readonly ContainerStatus[]
  readonly readySidecars: number
}

export function podSummary(pod: Pod): PodSummary {
  const progress = initProgress(pod)
  const isInitializing = progress.waitingFor !== undefined && !hasCondition(pod, 'Initialized')
  const counted = isInitializing ? progress.reached : startedContainers(pod, progress)
  const containers = pod.status.containerStatuses ?? []
  const ready = progress.readySidecars + (isInitializing ? 0 : containers.filter(isRunningAndReady).length)
  return {
    ready,
    total: (pod.spec.containers ?? []).length + (pod.spec.initContainers ?? []).filter(isSidecar).length,
    status: deletionStatus(pod) ?? (isInitializing ? progress.waitingFor : undefined) ?? runningStatus(pod, progress),
    restarts: counted.reduce((sum, each) => sum + each.restartCount, 0),
    lastRestart: latest(counted.map((each) => each.lastState.terminated?.finishedAt)),
  }
}

export function restartsText({ restarts, lastRestart }: PodSummary, nowMs: number): string {
  return restarts === 0 || lastRestart === undefined
    ? String(restarts)
    : `${restarts} (${formatAge(lastRestart, nowMs)} ago)`
}

function initProgress({ spec, status }: Pod): Progress {
  const containers = new Map((spec.initContainers ?? []).map((each) => [each.name, each]))
  const statuses = status.initContainerStatuses ?? []
  let readySidecars = 0
  for (const [index, each] of statuses.entries()) {
    if (each.state.terminated?.exitCode === 0) continue
    if (isSidecar(containers.get(each.name)) && each.started === true) {
      readySidecars += each.ready ? 1 : 0
      continue
    }
    const waitingFor = initReason(each) ?? `Init:${index}/${containers.size}`
    return { waitingFor, reached: statuses.slice(0, index + 1), readySidecars }
  }
  return { waitingFor: undefined, reached: statuses, readySidecars }
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state.terminated !== undefined) return `Init:${exitReason(state.terminated)}`
  const reason = state.waiting?.reason
  return reason === undefined || reason === 'PodInitializing' ? undefined : `Init:${reason}`
}

/** Once the pod runs, only running containers count. */
function startedContainers({ spec, status }: Pod, { reached }: Progress): readonly ContainerStatus[] {
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name))
  return [...reached.filter(({ name }) => sidecars.has(name)), ...(status.containerStatuses ?? [])]
}

function runningStatus(pod: Pod, { waitingFor }: Progress): string {
  const containers = pod.status.containerStatuses ?? []
  const reason = containers.map(containerReason).find((each) => each !== undefined)
  const status = reason ?? waitingFor ?? podReason(pod)
  if (status !== 'Completed' || !containers.some(isRunningAndReady)) return status
  return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady'
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state.waiting?.reason !== undefined) return state.waiting.reason
  return state.terminated === undefined ? undefined : exitReason(state.terminated)
}

function podReason({ status }: Pod): string {
  const isGated = status.conditions?.some((each) => each.type === 'PodScheduled' && each.reason === 'SchedulingGated')
  return isGated ? 'SchedulingGated' : (status.reason ?? status.phase ?? '')
}

function deletionStatus({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined
  if (status.reason === 'NodeLost') return 'Unknown'
  return status.phase === 'Failed' || status.phase === 'Succeeded' ? undefined : 'Terminating'
}

function exitReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason ?? (signal === undefined ? `ExitCode:${exitCode}` : `Signal:${signal}`)
}

function isRunningAndReady({ ready, state }: ContainerStatus): boolean {
  return ready && state.running !== undefined
}

function hasCondition({ status }: Pod, type: string): boolean {
  return status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false
}

function latest(timestamps: readonly (string | null | undefined)[]): string | undefined {
  return timestamps
    .filter((each) => typeof each === 'string')
    .sort()
    .at(-1)
}
