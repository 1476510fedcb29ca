import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { type WantedCondition, withPodCondition } from '../pods/pod-conditions.ts'
import { isReadyByGates, newDebuggers } from './pod-life.ts'
import { simulatedNodeAddress } from './settings.ts'

/** The containers have started, but are not ready yet. */
export function runningStatus(pod: Pod, address: string, nowMs: number): PodStatus {
  const { spec, status } = pod
  const now = timestamp(nowMs)
  const podIP = spec.hostNetwork === true ? simulatedNodeAddress : address
  const { message: _, reason: __, ...before } = status
  const initContainers = spec.initContainers ?? []
  return withConditions(
    {
      ...before,
      phase: 'Running',
      hostIP: simulatedNodeAddress,
      hostIPs: [{ ip: simulatedNodeAddress }],
      podIP,
      podIPs: [{ ip: podIP }],
      startTime: now,
      ...(initContainers.length > 0 && {
        initContainerStatuses: initContainers.map((each) => preparedStatus(pod, each, now)),
      }),
      containerStatuses: (spec.containers ?? []).map((each) =>
        containerStatus(pod, each, { running: { startedAt: now } }),
      ),
    },
    [
      { type: 'PodReadyToStartContainers', status: 'True' },
      { type: 'Initialized', status: 'True' },
      ...readiness(pod, false),
    ],
    now,
  )
}

/** The containers are ready. The Pod is ready if all its readiness gates agree. */
export function readyStatus(pod: Pod, nowMs: number): PodStatus {
  const { status } = pod
  const containerStatuses = (status.containerStatuses ?? []).map((each) => ({ ...each, ready: true }))
  return withConditions({ ...status, containerStatuses }, readiness(pod, true), timestamp(nowMs))
}

/** The ephemeral containers have started: `kubectl debug` waits for that, attaches, and is told that nothing runs. */
export function debuggedStatus(pod: Pod, nowMs: number): PodStatus {
  const running = { running: { startedAt: timestamp(nowMs) } }
  const { ephemeralContainerStatuses = [] } = pod.status
  const started = newDebuggers(pod).map((each) => containerStatus(pod, each, running))
  return { ...pod.status, ephemeralContainerStatuses: [...ephemeralContainerStatuses, ...started] }
}

/** The containers have finished their work. */
export function completedStatus(pod: Pod, nowMs: number): PodStatus {
  return endedStatus(
    pod,
    { phase: 'Succeeded', reason: 'PodCompleted', exit: { exitCode: 0, reason: 'Completed' } },
    nowMs,
  )
}

/** The containers were stopped before they finished: most programs then end with the signal. */
export function stoppedStatus(pod: Pod, nowMs: number): PodStatus {
  return endedStatus(pod, { phase: 'Failed', reason: 'PodFailed', exit: { exitCode: 143, reason: 'Error' } }, nowMs)
}

interface PodEnd {
  readonly phase: 'Succeeded' | 'Failed'
  /** The reason in its conditions. */
  readonly reason: string
  readonly exit: ContainerExit
}

interface ContainerExit {
  readonly exitCode: number
  readonly reason: string
}

function endedStatus({ status }: Pod, { phase, reason, exit }: PodEnd, nowMs: number): PodStatus {
  const now = timestamp(nowMs)
  const endedOf = (all: readonly ContainerStatus[]) => all.map((each) => ended(each, exit, now))
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status
  return withConditions(
    {
      ...status,
      phase,
      ...(containerStatuses && { containerStatuses: endedOf(containerStatuses) }),
      ...(initContainerStatuses && { initContainerStatuses: endedOf(initContainerStatuses) }),
      ...(ephemeralContainerStatuses && { ephemeralContainerStatuses: endedOf(ephemeralContainerStatuses) }),
    },
    [
      { type: 'PodReadyToStartContainers', status: 'False' },
      { type: 'Initialized', status: 'True', reason },
      { type: 'Ready', status: 'False', reason },
      { type: 'ContainersReady', status: 'False', reason },
    ],
    now,
  )
}

function withConditions(status: PodStatus, wanted: readonly WantedCondition[], now: string): PodStatus {
  const before: readonly PodCondition[] = status.conditions ?? []
  return { ...status, conditions: wanted.reduce((all, each) => withPodCondition(all, each, now), before) }
}

function readiness(pod: Pod, containersAreReady: boolean): readonly WantedCondition[] {
  if (!containersAreReady) {
    const names = (pod.spec.containers ?? []).map(({ name }) => name).join(' ')
    const reason = { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` }
    return [
      { type: 'Ready', status: 'False', ...reason },
      { type: 'ContainersReady', status: 'False', ...reason },
    ]
  }
  return [
    isReadyByGates(pod) ? { type: 'Ready', status: 'True' } : gated(pod),
    { type: 'ContainersReady', status: 'True' },
  ]
}

function gated({ spec, status }: Pod): WantedCondition {
  const told = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status.conditions?.find(({ type }) => type === conditionType)
    if (condition?.status === 'True') return []
    const gate = `pod readiness gate "${conditionType}"`
    return condition === undefined
      ? [`corresponding condition of ${gate} does not exist.`]
      : [`the status of ${gate} is not "True", but ${condition.status}`]
  })
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: told.join(', ') }
}

/** An init container has ended when the rest starts; a restartable one keeps running beside it. */
function preparedStatus(pod: Pod, container: Container, now: string): ContainerStatus {
  const started = containerStatus(pod, container, { running: { startedAt: now } })
  const status =
    container.restartPolicy === 'Always' ? started : ended(started, { exitCode: 0, reason: 'Completed' }, now)
  return { ...status, ready: true }
}

/** No image was pulled, so there is no image ID. */
function containerStatus({ metadata }: Pod, { name, image = '' }: Container, state: ContainerState): ContainerStatus {
  return {
    name,
    state,
    lastState: {},
    ready: false,
    restartCount: 0,
    image,
    imageID: '',
    containerID: `simulated://${metadata.uid}/${name}`,
    started: true,
  }
}

function ended(status: ContainerStatus, exit: ContainerExit, now: string): ContainerStatus {
  const { containerID, state } = status
  if (state.running === undefined) return status
  const terminated = {
    ...exit,
    startedAt: state.running.startedAt,
    finishedAt: now,
    ...(containerID !== undefined && { containerID }),
  }
  return { ...status, ready: false, started: false, state: { terminated } }
}
