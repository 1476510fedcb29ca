import { isIP } from 'node:net'
import { familyOf, type IPFamily } from '../../api/core/addresses/ip-address.ts'
import { serviceNameLabel } from '../../api/core/endpoints/endpoint-slice.ts'
import type { EndpointAddress, EndpointSubset, Endpoints } from '../../api/types/core-v1.ts'
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { Steps } from '../../base/steps.ts'
import { planSlices, type SliceGroup, type SlicePlan } from './plan-slices.ts'
import { repackSubsets } from './repack-subsets.ts'
import { managedByLabel, mirrorManager } from './slice-facts.ts'
import { triggerTimeAnnotation } from './trigger-time.ts'

/** For each subset, and therefore for each slice. */
export const mostMirrored = 1_000

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'
const ownNotes: ReadonlySet<string> = new Set([triggerTimeAnnotation, lastAppliedAnnotation])
const families: readonly IPFamily[] = ['IPv4', 'IPv6']

export interface MirrorPlan extends SlicePlan {
  readonly invalid: number
  readonly skipped: number
  /** Ports that did not fit into a slice. */
  readonly leftOutPorts: number
}

/** Locks of older components have the form of Endpoints, and change constantly. */
export function isMirrored({ metadata }: Endpoints): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

/** The writes after which slices match Endpoints that were written by hand. */
export function* planMirroredSlices(endpoints: Endpoints, existing: readonly EndpointSlice[]): Steps<MirrorPlan> {
  const { name = '', labels, annotations = {} } = endpoints.metadata
  const repacked = yield* repackSubsets(endpoints.subsets ?? [])
  const subsets: MirroredSubset[] = []
  for (const subset of repacked.subsets) {
    subsets.push(mirroredSubset(subset))
    yield
  }
  const template = {
    owner: endpoints,
    labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: mirrorManager },
    annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !ownNotes.has(key))),
    mostEndpoints: mostMirrored,
    placeholders: [],
  }
  const plan = planSlices(
    template,
    subsets.flatMap(({ groups }) => groups),
    existing,
  )
  return {
    ...plan,
    invalid: subsets.reduce((count, each) => count + each.invalid, 0),
    skipped: subsets.reduce((count, each) => count + each.skipped, 0),
    leftOutPorts: repacked.leftOut,
  }
}

interface MirroredSubset {
  readonly groups: readonly SliceGroup[]
  readonly invalid: number
  readonly skipped: number
}

function mirroredSubset({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): MirroredSubset {
  const all = [
    ...addresses.map((address) => endpointOf(address, true)),
    ...notReadyAddresses.map((address) => endpointOf(address, false)),
  ]
  const valid = all.filter(({ addresses: [address] }) => isIP(address) !== 0)
  const kept = valid.slice(0, mostMirrored)
  const groups = families.map((addressType) => ({
    addressType,
    ports: ports.map(slicePort),
    endpoints: kept.filter(({ addresses: [address] }) => familyOf(address) === addressType),
  }))
  return {
    groups: groups.filter(({ endpoints }) => endpoints.length > 0),
    invalid: all.length - valid.length,
    skipped: valid.length - kept.length,
  }
}

type MirroredEndpoint = Endpoint & { readonly addresses: readonly [string] }

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): MirroredEndpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(targetRef && { targetRef }),
  }
}

function slicePort({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort & { readonly port: number }) {
  return appProtocol === undefined ? { name, port, protocol } : { name, port, protocol, appProtocol }
}
