import type { PodDNSConfig, PodDNSConfigOption, PodSpec } from '../../../api/types/core-v1.ts'
import type { PodNames } from '../../contract.ts'

/** Limits of resolvers; hosts before 1.28 refuse more than six search domains. */
const mostServers = 3
const mostSearches = 6
const mostSearchCharacters = 256

/** As in every cluster: names with fewer dots are looked up in the search domains first. */
const usualOptions: readonly PodDNSConfigOption[] = [{ name: 'ndots', value: '5' }]

/**
 * The DNS settings of a Pod on the host. Cluster names are resolved by the tenant's DNS server. Without one, the Pod
 * uses the resolver of its node, which resolves no cluster names at all, and so none of the host's.
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

/** The user's entries follow those of the cluster; an option of the user replaces the usual one. */
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

/** As many as the host accepts together. */
function fitting(searches: readonly string[]): readonly string[] {
  let room = mostSearchCharacters
  return searches.filter(({ length }) => {
    room -= length + 1
    return room >= 0
  })
}
