import type { PodDNSConfig, PodDNSConfigOption, PodSpec } from '../../../api/types/core-v1.ts'
import type { PodNames } from '../../contract.ts'

/** What a resolver takes; hosts before 1.28 refuse more than six search domains. */
const mostServers = 3
const mostSearches = 6
const mostSearchCharacters = 256

/** As in every cluster: names with fewer dots are looked up in the search domains first. */
const usualOptions: readonly PodDNSConfigOption[] = [{ name: 'ndots', value: '5' }]

/**
 * How a Pod on the host finds names. Names of the cluster are asked of the tenant's own server; where there is none, the Pod
 * has the resolver of its node, which knows no names of clusters at all, and so none of the host's.
 */
export function hostDns(
  { dnsPolicy, dnsConfig }: PodSpec,
  namespace: string,
  names: PodNames | undefined,
): Pick<PodSpec, 'dnsPolicy' | 'dnsConfig'> {
  if (dnsPolicy === 'None' || dnsPolicy === 'Default') return { dnsPolicy }
  if (names === undefined) return { dnsPolicy: 'Default' }
  const { server, clusterDomain } = names
  const own = [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain]
  return { dnsPolicy: 'None', dnsConfig: combined(server, own, dnsConfig) }
}

/** What the user adds comes after what the cluster has; an option of the user's counts instead of the usual one. */
function combined(server: string, own: readonly string[], { nameservers, searches, options }: PodDNSConfig = {}) {
  const usual = usualOptions.filter(({ name }) => !options?.some((each) => each.name === name))
  return {
    nameservers: unique([server, ...(nameservers ?? [])]).slice(0, mostServers),
    searches: fitting(unique([...own, ...(searches ?? [])]).slice(0, mostSearches)),
    options: [...usual, ...(options ?? [])],
  }
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** As many as the host takes together. */
function fitting(searches: readonly string[]): readonly string[] {
  let room = mostSearchCharacters
  return searches.filter(({ length }) => {
    room -= length + 1
    return room >= 0
  })
}
