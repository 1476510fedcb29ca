import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints, Service } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Steps } from '../../base/steps.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { addressesIn, familiesOf, hostnameIn, isServedWithoutAddress, needsPorts } from './backends.ts'
import type { OfferedPort, PortOffer, PortOffers } from './port-offers.ts'
import { repackSubsets } from './repack-subsets.ts'
import { triggerTime, withTriggerTime } from './trigger-time.ts'
import { truncateSubsets } from './truncate-subsets.ts'

const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity'

/** Marks objects of headless Services. */
export const headlessLabel = 'service.kubernetes.io/headless'

/** The Endpoints of a Service with the Pods of these offers; undefined if the existing ones are up to date. */
export function* planEndpoints(
  service: Service,
  offers: PortOffers,
  current: Endpoints | undefined,
): Steps<Endpoints | undefined> {
  const wanted = offers
    .all()
    .map(({ ports, pods }) => ({ ports, pods: pods.filter((pod) => isInEndpoints(service, pod)) }))
  const offered = wanted.map((offer) => subsetOf(service, offer)).filter((each) => each !== undefined)
  const repacked = yield* repackSubsets(offered)
  const { subsets, isTruncated: isCut } = truncateSubsets(repacked.subsets)
  const isTruncated = isCut || repacked.leftOut > 0 || offers.leftOut > 0
  const labels = labelsOf(service)
  const before = current?.metadata
  const isMarked = before?.annotations?.[overCapacityAnnotation] !== undefined
  if (
    current !== undefined &&
    isMarked === isTruncated &&
    deepEqual(before?.labels ?? {}, labels) &&
    deepEqual(current.subsets ?? [], subsets)
  )
    return undefined
  const changed = wanted.flatMap(({ pods }) => pods).filter(changedSince(current?.subsets ?? [], subsets))
  const created = current === undefined ? (service.metadata.creationTimestamp ?? undefined) : undefined
  const { [overCapacityAnnotation]: _, ...annotations } = withTriggerTime(
    before?.annotations,
    triggerTime(changed, created),
  )
  const marked = isTruncated ? { ...annotations, [overCapacityAnnotation]: 'truncated' } : annotations
  const { name = '', namespace = '' } = service.metadata
  const { labels: __, annotations: ___, ...metadata } = before ?? { name, namespace }
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...metadata,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(marked).length > 0 && { annotations: marked }),
    },
    ...(subsets.length > 0 && { subsets }),
  }
}

/** A Pod under deletion is excluded, unless all Pods are published regardless of their state. */
function isInEndpoints({ spec }: Service, pod: PodFacts): boolean {
  return spec.publishNotReadyAddresses === true || !pod.isBeingDeleted
}

function subsetOf(service: Service, { ports, pods }: PortOffer): EndpointSubset | undefined {
  const [family = 'IPv4'] = familiesOf(service)
  const reached = pods.filter((pod) => addressesIn(pod, family).length > 0)
  if (reached.length === 0 || (ports.length === 0 && needsPorts(service))) return undefined
  const isReady = (pod: PodFacts) => service.spec.publishNotReadyAddresses === true || pod.isReady
  const address = (pod: PodFacts) => addressOf(service, pod, addressesIn(pod, family)[0] ?? '')
  return {
    addresses: reached.filter(isReady).map(address),
    notReadyAddresses: reached.filter((pod) => !isReady(pod)).map(address),
    ports: ports.map(endpointPort),
  }
}

function addressOf(service: Service, pod: PodFacts, ip: string): EndpointAddress {
  const { namespace, name, uid, nodeName } = pod
  const hostname = hostnameIn(service, pod)
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== '' && { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
}

function endpointPort({ name, ...port }: OfferedPort): EndpointPort {
  return name === '' ? port : { name, ...port }
}

function labelsOf(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {}
  return isServedWithoutAddress(service) ? { ...labels, [headlessLabel]: '' } : labels
}

/** Whether a Pod was added or removed, or its readiness has changed. */
function changedSince(before: readonly EndpointSubset[], after: readonly EndpointSubset[]): (pod: PodFacts) => boolean {
  const then = readinessIn(before)
  const now = readinessIn(after)
  return ({ uid }) => then.get(uid) !== now.get(uid)
}

function readinessIn(subsets: readonly EndpointSubset[]): ReadonlyMap<string, boolean> {
  const ready = new Map<string, boolean>()
  for (const { addresses = [], notReadyAddresses = [] } of subsets) {
    for (const { targetRef } of notReadyAddresses) ready.set(targetRef?.uid ?? '', false)
    for (const { targetRef } of addresses) ready.set(targetRef?.uid ?? '', true)
  }
  return ready
}
