import { badRequest, isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { podType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { hostDebuggerName } from '../../sync/kinds/pods/debugging.ts'
import { copiedUid, virtualNameOf } from '../../sync/names/markers.ts'
import { sameName, type TenantPlace } from '../../sync/names/names.ts'
import { chosenContainer } from './chosen-container.ts'
import { withoutRight } from './host-refusal.ts'
import type { PodRequest } from './pod-request.ts'

export interface BothClusters {
  readonly identity: TenantPlace
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** The place of a Pod's copy; undefined if there is none. */
  readonly hostOf: (virtual: ObjectName) => ObjectName | undefined
}

/** A container on the host that the tenant may reach. */
export interface HostContainer {
  readonly place: ObjectName
  /** The name on the host. Empty for the whole Pod. */
  readonly container: string
  /** Throws unless the object there is the copy of this Pod. Nothing of it may be returned before. */
  readonly confirm: () => Promise<void>
}

/**
 * Both Pods are read again, and the copy must belong to this Pod: a replacement is never reached, nor a container that
 * the host added.
 */
export async function hostContainerOf(
  podRequest: PodRequest,
  clusters: BothClusters,
  signal: AbortSignal,
): Promise<HostContainer> {
  const { virtual, copy } = await bothPods(podRequest.pod, clusters, signal)
  const container = podRequest.isOfContainer ? containerOf(virtual, podRequest) : ''
  const place = virtual.spec.nodeName ? clusters.hostOf(podRequest.pod) : undefined
  const withoutHost = badRequest(`pod ${podRequest.pod.name} does not have a host assigned`)
  if (place === undefined) throw withoutHost
  const confirm = async () => {
    if ((await placeOfCopy(virtual, podRequest.pod, clusters, copy)) === undefined) throw withoutHost
  }
  return { place, container, confirm }
}

/** Asks both clusters at once. Errors of the virtual one come first; those of the copy count when it is requested. */
export async function bothPods(
  name: ObjectName,
  clusters: BothClusters,
  signal: AbortSignal,
): Promise<{ readonly virtual: Pod; readonly copy: () => Promise<KubeObject | undefined> }> {
  const copy = readCopy(name, clusters, signal)
  copy.catch(() => {})
  return { virtual: (await clusters.virtual.get(podType, name, signal)) as Pod, copy: () => copy }
}

/** The object on the host in the place of a Pod's copy. */
export async function readCopy(
  name: ObjectName,
  { host, hostOf }: BothClusters,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const place = hostOf(name)
  if (place === undefined) return undefined
  return host.get(podType, place, signal).catch((error) => {
    if (saysGone(error, place)) return undefined
    if (isRefusal(error, 401, 403)) throw withoutRight('pods', place)
    throw error
  })
}

/** Undefined: it has no copy on a node. */
export async function placeOfCopy(
  virtual: Pod,
  name: ObjectName,
  { identity, hostOf }: BothClusters,
  read: () => Promise<KubeObject | undefined>,
): Promise<ObjectName | undefined> {
  const place = hostOf(name)
  if (place === undefined || !virtual.spec.nodeName) return undefined
  const copy = await read()
  if (copy === undefined || copiedUid(copy) !== virtual.metadata.uid) return undefined
  const copied = virtualNameOf(copy, { identity, kindMark: podType.kind }, hostOf)
  return copied !== undefined && sameName(copied, name) ? place : undefined
}

function containerOf(pod: Pod, { container }: PodRequest): string {
  const chosen = chosenContainer(pod, container)
  const isDebugger = pod.spec.ephemeralContainers?.some(({ name }) => name === chosen)
  return isDebugger ? hostDebuggerName(pod.metadata.uid ?? '', chosen) : chosen
}
