import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { addressRangeFormat, fitsFormat } from '../../api/tenant-config/text-format.ts'
import { asObjects } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { KubeClient } from '../../client/contract.ts'

/** Addresses that belong to a host and must not be endpoints of a tenant. */
export interface HostAddresses {
  /** Addresses and ranges (CIDR). */
  readonly ranges: readonly string[]
  /** What could not be read, and why, such as `nodes: forbidden`. */
  readonly unread: readonly string[]
}

interface Part {
  readonly what: string
  readonly read: (host: KubeClient, signal?: AbortSignal) => Promise<readonly string[]>
}

const parts: readonly Part[] = [
  { what: 'the API', read: apiAddresses },
  { what: 'nodes', read: nodeAddresses },
  { what: 'the range of Services', read: serviceRanges },
]

/** The addresses of a host's API, nodes and Services, as far as the caller may read them. */
export async function readHostAddresses(host: KubeClient, signal?: AbortSignal): Promise<HostAddresses> {
  const read = await Promise.all(
    parts.map(async (part) => {
      try {
        return { ranges: await part.read(host, signal), unread: [] }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return { ranges: [], unread: [`${part.what}: ${error.message}`] }
      }
    }),
  )
  return {
    ranges: [...new Set(read.flatMap(({ ranges }) => ranges))].sort(),
    unread: read.flatMap(({ unread }) => unread),
  }
}

/** The addresses of the Service by which clients in a cluster reach its API, and of its endpoints. */
async function apiAddresses(host: KubeClient, signal?: AbortSignal): Promise<readonly string[]> {
  const key = { namespace: 'default', name: 'kubernetes' }
  const [service, endpoints] = await Promise.all([
    found(host, 'services', key, signal),
    found(host, 'endpoints', key, signal),
  ])
  const subsets = asObjects(endpoints?.subsets)
  const spec = isJsonObject(service?.spec) ? service.spec : {}
  return [
    ...textsOf(spec.clusterIPs),
    ...textsOf([spec.clusterIP]),
    ...subsets.flatMap(({ addresses }) => asObjects(addresses).flatMap(({ ip }) => textsOf([ip]))),
  ].filter((address) => address !== 'None')
}

/**
 * The Pod ranges of a host, as its nodes report them; none if the caller may not read nodes. They do not count as
 * addresses of the host: a tenant's own Pods are in them, too.
 */
export async function readPodRanges(host: KubeClient, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const nodes = await nodesOf(host, signal)
    const ranges = nodes.flatMap(({ spec }) => (isJsonObject(spec) ? podRangesOf(spec) : []))
    return [...new Set(ranges)].sort()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return []
  }
}

function podRangesOf({ podCIDR, podCIDRs }: Readonly<Record<string, unknown>>): readonly string[] {
  return [...textsOf([podCIDR]), ...textsOf(podCIDRs)].filter((range) => fitsFormat(range, addressRangeFormat))
}

async function nodesOf(host: KubeClient, signal?: AbortSignal): Promise<readonly KubeObject[]> {
  const type = await host.served.find('', 'nodes', signal)
  return type === undefined ? [] : (await host.list(type, {}, signal)).items
}

async function nodeAddresses(host: KubeClient, signal?: AbortSignal): Promise<readonly string[]> {
  return (await nodesOf(host, signal)).flatMap(({ status }) =>
    asObjects(isJsonObject(status) ? status.addresses : undefined)
      .filter(({ type: what }) => what === 'InternalIP' || what === 'ExternalIP')
      .flatMap(({ address }) => textsOf([address])),
  )
}

/** Outside every server's ranges. */
const oneOutside: Readonly<Record<'IPv4' | 'IPv6', string>> = { IPv4: '0.0.0.0', IPv6: '::' }

/** New servers list their ranges. Others name theirs when they refuse a Service with an address outside of them. */
async function serviceRanges(host: KubeClient, signal?: AbortSignal): Promise<readonly string[]> {
  const type = await host.served.find('networking.k8s.io', 'servicecidrs', signal)
  const { items } = type === undefined ? { items: [] } : await host.list(type, {}, signal)
  const listed = items.flatMap(({ spec }) => textsOf(isJsonObject(spec) ? spec.cidrs : undefined))
  if (listed.length > 0) return listed
  const asked = await Promise.all([rangeOf('IPv4', host, signal), rangeOf('IPv6', host, signal)])
  return asked.flatMap((range) => range ?? [])
}

/** Old servers do not check the address in a dry run. */
async function rangeOf(family: 'IPv4' | 'IPv6', host: KubeClient, signal?: AbortSignal): Promise<string | undefined> {
  const type = await host.served.find('', 'services', signal)
  if (type === undefined) return undefined
  const key = { namespace: 'default', name: `tenant-asks-for-the-range-of-${family.toLowerCase()}` }
  const spec = { clusterIP: oneOutside[family], ports: [{ port: 80 }] }
  const service: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: key, spec }
  try {
    await host.create(type, service, signal, { isDryRun: true })
    await host.create(type, service, signal)
    await host.delete(type, key, {}, signal)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) throw error
    return /range of valid IPs is ([0-9a-fA-F.:]+\/\d+)/.exec(error.message)?.[1]
  }
}

async function found(
  host: KubeClient,
  resource: string,
  key: { readonly namespace: string; readonly name: string },
  signal?: AbortSignal,
): Promise<KubeObject | undefined> {
  const type = await host.served.find('', resource, signal)
  try {
    return type && (await host.get(type, key, signal))
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string' && each !== '') : []
}
