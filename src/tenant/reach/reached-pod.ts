import { badRequest, isRefusal } from '../../api/error.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { copiedUid, virtualNameOf } from '../../sync/names/markers.ts'
import { sameName, type TenantPlace } from '../../sync/names/names.ts'
import type { AskedOfPod } from './asked.ts'
import { withoutRight } from './host-refusal.ts'

const pods: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  hasStatus: true,
}

export interface BothClusters {
  readonly identity: TenantPlace
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** Where the copy of a Pod is; nothing if there is no place for it. */
  readonly hostOf: (virtual: ObjectName) => ObjectName | undefined
}

/** A container on the host that is the tenant's to reach. */
export interface ReachedPod {
  readonly place: ObjectName
  /** Empty for the whole Pod. */
  readonly container: string
}

/**
 * Both Pods are asked for anew, and the copy has to be that of this very Pod: what is reached is never one that was put in
 * its place, and no container that the host has added.
 */
export async function reachedPod(asked: AskedOfPod, clusters: BothClusters, signal: AbortSignal): Promise<ReachedPod> {
  const virtual = (await clusters.virtual.get(pods, asked.pod, signal)) as Pod
  const container = asked.isOfContainer ? containerOf(virtual, asked) : ''
  const place = await placeOf(virtual, asked.pod, clusters, signal)
  if (place === undefined) throw badRequest(`pod ${asked.pod.name} does not have a host assigned`)
  return { place, container }
}

async function placeOf(
  virtual: Pod,
  name: ObjectName,
  { identity, host, hostOf }: BothClusters,
  signal: AbortSignal,
): Promise<ObjectName | undefined> {
  const place = hostOf(name)
  if (place === undefined || !virtual.spec.nodeName) return undefined
  const copy = await host.get(pods, place, signal).catch((error) => {
    if (saysGone(error, place)) return undefined
    if (isRefusal(error, 401, 403)) throw withoutRight('pods', place)
    throw error
  })
  if (copy === undefined || copiedUid(copy) !== virtual.metadata.uid) return undefined
  const copied = virtualNameOf(copy, { identity, kindMark: pods.kind }, hostOf)
  return copied !== undefined && sameName(copied, name) ? place : undefined
}

/** As kube-apiserver chooses one, with its words. */
function containerOf({ metadata, spec }: Pod, { container }: AskedOfPod): string {
  const main = (spec.containers ?? []).map(({ name }) => name)
  const others = [...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].map(({ name }) => name)
  if (container !== '') {
    if (main.includes(container) || others.includes(container)) return container
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`)
  }
  const [only, ...more] = main
  if (only !== undefined && more.length === 0) return only
  const choice = `choose one of: [${main.join(' ')}]`
  throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`)
}
