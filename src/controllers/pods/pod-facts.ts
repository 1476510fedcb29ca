import { ephemeralClaimName } from '../../api/core/pods/pod-references.ts'
import { isSidecar } from '../../api/core/pods/sidecar.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ContainerStatus, Pod } from '../../api/types/core-v1.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import { type JobPodFacts, jobPodFactsFrom } from './job-pod-facts.ts'
import { type NetworkFacts, networkFactsFrom } from './network-facts.ts'
import { onlyNodeOf } from './only-node.ts'

/** What workload controllers need to know about a Pod. */
export interface PodFacts extends Owned {
  readonly phase: string
  /** Empty until it is bound to a node. */
  readonly nodeName: string
  /** The node for which a DaemonSet created it; empty for other Pods. */
  readonly onlyNode: string
  readonly isReady: boolean
  /** When its readiness last changed; absent if the condition does not say. */
  readonly readyChangedMs: number | undefined
  readonly createdMs: number
  readonly restarts: number
  readonly sidecarRestarts: number
  /** Pods with a lower cost are deleted first. */
  readonly deletionCost: number
  /** Absent for Pods that no Job has or had. */
  readonly job?: JobPodFacts | undefined
  readonly network: NetworkFacts
  /** Names of the PersistentVolumeClaims that it uses. */
  readonly claims: readonly string[]
  /** The claims of ephemeral volumes among them. They are created and deleted with the Pod. */
  readonly ephemeralClaims: readonly string[]
  /** The Pod is being deleted, and none of its containers runs anymore. */
  readonly isShutDown: boolean
}

const none: readonly never[] = []

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'

export function podFactsFrom(object: KubeObject): PodFacts {
  const { spec, status, metadata } = object as Pod
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  const { namespace, name, uid, labels, controller, isBeingDeleted } = ownedFrom(object)
  // Each member by name: each addition to a copy costs one or two microseconds, and there are very many Pods.
  return {
    namespace,
    name,
    uid,
    labels,
    controller,
    isBeingDeleted,
    phase: status.phase ?? '',
    nodeName: spec.nodeName ?? '',
    onlyNode: controller?.kind === 'DaemonSet' ? onlyNodeOf(spec) : '',
    isReady: ready?.status === 'True',
    readyChangedMs: millisecondsOf(ready?.lastTransitionTime),
    createdMs: millisecondsOf(metadata.creationTimestamp) ?? 0,
    restarts: mostRestarts(status.containerStatuses ?? none),
    sidecarRestarts: sidecarRestartsOf(object as Pod),
    deletionCost: deletionCostIn(metadata.annotations?.[deletionCostAnnotation]),
    job: jobPodFactsFrom(object),
    network: networkFactsFrom(object as Pod),
    claims: claimsOf(object as Pod),
    ephemeralClaims: ephemeralClaimsOf(object as Pod),
    isShutDown: isBeingDeleted && metadata.deletionGracePeriodSeconds === 0,
  }
}

/** Pods that use the same claim, or are on the same node, are found together. */
export function podGroups({ namespace, claims, nodeName }: PodFacts): readonly string[] {
  const users = claims.map((claim) => usersOfClaim(namespace, claim))
  return nodeName === '' ? users : [...users, podsOnNode(nodeName)]
}

export function podsOnNode(name: string): string {
  return `node/${name}`
}

export function usersOfClaim(namespace: string, claim: string): string {
  return `claim/${namespace}/${claim}`
}

/** The Pod runs or will run: it has not finished and is not being deleted. */
export function isActive({ phase, isBeingDeleted }: PodFacts): boolean {
  return !isBeingDeleted && !hasEnded(phase)
}

export function hasEnded(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** Absent: never, in its current state. */
export function availableAtMs(pod: PodFacts, minReadySeconds: number): number | undefined {
  if (!pod.isReady) return undefined
  if (minReadySeconds === 0) return 0
  return pod.readyChangedMs === undefined ? undefined : pod.readyChangedMs + minReadySeconds * 1000
}

export function isAvailable(pod: PodFacts, minReadySeconds: number, nowMs: number): boolean {
  const atMs = availableAtMs(pod, minReadySeconds)
  return atMs !== undefined && atMs <= nowMs
}

function claimsOf(pod: Pod): readonly string[] {
  const { volumes } = pod.spec
  if (volumes === undefined) return none
  const named = volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? none)
  const own = ephemeralClaimsOf(pod)
  if (own.length > 0) return [...named, ...own]
  return named.length === 0 ? none : named
}

function ephemeralClaimsOf({ metadata, spec }: Pod): readonly string[] {
  if (spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) !== true) return none
  return spec.volumes.flatMap(({ name, ephemeral }) => (ephemeral ? ephemeralClaimName(metadata.name, name) : none))
}

function sidecarRestartsOf({ spec, status }: Pod): number {
  const { initContainerStatuses: statuses = none } = status
  if (statuses.length === 0) return 0
  const sidecars = new Set(spec.initContainers?.filter(isSidecar).map(({ name }) => name))
  return mostRestarts(statuses.filter(({ name }) => sidecars.has(name)))
}

function mostRestarts(statuses: readonly ContainerStatus[]): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount), 0)
}

function millisecondsOf(time: string | null | undefined): number | undefined {
  return time === undefined || time === null ? undefined : Date.parse(time)
}

/** Values that are not 32-bit integers are ignored. */
function deletionCostIn(text: string | undefined): number {
  if (text === undefined) return 0
  const cost = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : 0
  return cost === (cost | 0) ? cost : 0
}
