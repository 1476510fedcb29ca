import { familyOf, type IPFamily } from '../../api/core/addresses/ip-address.ts'
import { headless } from '../../api/core/services/service-questions.ts'
import type { Service } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'

/** The Pod has not finished, and has an address. */
export function isReachable({ phase, network }: PodFacts): boolean {
  return !hasEnded(phase) && network.addresses.length > 0
}

export function isServedWithoutAddress({ spec }: Service): boolean {
  return spec.clusterIP === headless
}

/** The IP families of the Service, its primary one first. */
export function familiesOf({ spec }: Service): readonly IPFamily[] {
  const given = (spec.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6')
  return given.length > 0 ? given : [familyOf(spec.clusterIP ?? '')]
}

export function addressesIn({ network }: PodFacts, family: IPFamily): readonly string[] {
  return network.addresses.filter((address) => familyOf(address) === family)
}

/** Only a headless Service can do without ports. */
export function needsPorts(service: Service): boolean {
  return !isServedWithoutAddress(service) || (service.spec.ports ?? []).length > 0
}

/** The name of a Pod in DNS, if it has one below the Service. */
export function hostnameIn({ metadata }: Service, { network }: PodFacts): string | undefined {
  return network.hostname !== '' && network.subdomain === metadata.name ? network.hostname : undefined
}

/** Whether a change of a Pod is irrelevant to its Services. */
export function isSameBackend(before: PodFacts, after: PodFacts): boolean {
  return (
    before.uid === after.uid &&
    before.isReady === after.isReady &&
    before.isBeingDeleted === after.isBeingDeleted &&
    before.nodeName === after.nodeName &&
    isReachable(before) === isReachable(after) &&
    deepEqual(before.labels, after.labels) &&
    deepEqual(before.network, after.network)
  )
}
