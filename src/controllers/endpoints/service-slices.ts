import type { IPFamily } from '../../api/core/addresses/ip-address.ts'
import { serviceNameLabel } from '../../api/core/endpoints/endpoint-slice.ts'
import type { Service } from '../../api/types/core-v1.ts'
import type { Endpoint, EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { addressesIn, familiesOf, hostnameIn, isServedWithoutAddress } from './backends.ts'
import { headlessLabel } from './plan-endpoints.ts'
import { isNothingToWrite, planSlices, type SliceGroup, type SlicePlan, triggeredAt } from './plan-slices.ts'
import type { PortOffer, PortOffers } from './port-offers.ts'
import { managedByLabel, sliceManager } from './slice-facts.ts'
import { type HintedPlan, type HintFacts, hintedPlan } from './slice-hints.ts'
import { triggerTime } from './trigger-time.ts'
import { withoutHints } from './zone-hints.ts'

const mostEndpoints = 100

/** The zone of a node; undefined if unknown. */
export type ZoneOf = (nodeName: string) => string | undefined

/** The writes after which the slices of a Service hold the Pods of these offers. */
export function planServiceSlices(
  service: Service,
  offers: PortOffers,
  existing: readonly EndpointSlice[],
  zoneOf: ZoneOf,
  facts: HintFacts,
): HintedPlan {
  const families = familiesOf(service)
  const groups = families.flatMap((family) => groupsIn(family, service, offers.all(), zoneOf))
  const template = {
    owner: service,
    labels: sliceLabels(service),
    mostEndpoints,
    placeholders: families,
  }
  const hinted = planWithHints(service, existing, facts, (bare) => planSlices(template, groups, bare))
  if (isNothingToWrite(hinted.plan)) return hinted
  const backends = offers.all().flatMap(({ pods }) => pods)
  const changed = backends.filter(changedSince(existing, groups))
  const created = existing.length === 0 ? (service.metadata.creationTimestamp ?? undefined) : undefined
  return { ...hinted, plan: triggeredAt(hinted.plan, triggerTime(changed, created)) }
}

/** Slices are filled regardless of hints, and hints are computed from the content of all slices. */
function planWithHints(
  service: Service,
  existing: readonly EndpointSlice[],
  facts: HintFacts,
  planBare: (existing: readonly EndpointSlice[]) => SlicePlan,
): HintedPlan {
  const bare = new Map(existing.map((slice) => [unhinted(slice), slice]))
  const known = (slice: EndpointSlice) => bare.get(slice) ?? slice
  const { create, change, remove } = planBare([...bare.keys()])
  const plan = {
    create,
    change: change.map(({ before, after }) => ({ before: known(before), after })),
    remove: remove.map(known),
  }
  const going = new Set([...plan.remove, ...plan.change.map(({ before }) => before)])
  const staying = existing.filter((slice) => !going.has(slice) && slice.metadata.deletionTimestamp === undefined)
  return hintedPlan(service, plan, staying, facts)
}

function unhinted(slice: EndpointSlice): EndpointSlice {
  const { endpoints } = slice
  if (endpoints === null) return slice
  const [bare = endpoints] = withoutHints([{ endpoints, isWritten: false }])
  return bare === endpoints ? slice : { ...slice, endpoints: bare }
}

function groupsIn(
  family: IPFamily,
  service: Service,
  offers: readonly PortOffer[],
  zoneOf: ZoneOf,
): readonly SliceGroup[] {
  return offers.flatMap(({ ports, pods }) => {
    const endpoints = pods.flatMap((pod) => {
      const addresses = addressesIn(pod, family)
      return addresses.length === 0 ? [] : [endpointOf(service, pod, addresses, zoneOf(pod.nodeName))]
    })
    return endpoints.length === 0 ? [] : [{ addressType: family, ports, endpoints }]
  })
}

/** For readers that know only `ready`, a terminating Pod is not ready, although it still serves. */
function endpointOf(service: Service, pod: PodFacts, addresses: readonly string[], zone: string | undefined): Endpoint {
  const { namespace, name, uid, nodeName, isReady, isBeingDeleted } = pod
  const { publishNotReadyAddresses } = service.spec
  const hostname = hostnameIn(service, pod)
  return {
    addresses,
    conditions: {
      ready: publishNotReadyAddresses === true || (isReady && !isBeingDeleted),
      serving: isReady,
      terminating: isBeingDeleted,
    },
    ...(hostname !== undefined && { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName !== '' && { nodeName }),
    ...(zone !== undefined && { zone }),
  }
}

function sliceLabels(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {}
  return {
    ...labels,
    ...(isServedWithoutAddress(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: sliceManager,
  }
}

/** Whether a Pod was added, or its state has changed. */
function changedSince(existing: readonly EndpointSlice[], groups: readonly SliceGroup[]): (pod: PodFacts) => boolean {
  const then = statesIn(existing.flatMap(({ endpoints }) => endpoints ?? []))
  const now = statesIn(groups.flatMap(({ endpoints }) => endpoints))
  return ({ uid }) => then.get(uid) !== now.get(uid)
}

function statesIn(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  return new Map(
    endpoints.map(({ targetRef, conditions: { ready, serving, terminating } }) => {
      return [targetRef?.uid ?? '', `${ready} ${serving} ${terminating}`]
    }),
  )
}
