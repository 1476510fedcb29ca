import { isIP } from 'node:net'
import { isRefusal } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import type { NetworkingConfig } from '../api/tenant-config/types.ts'
import type { Service } from '../api/types/core-v1.ts'
import { serviceType } from '../client/builtin-types.ts'
import type { KubeClient } from '../client/contract.ts'
import type { PodNetwork, ServerAddress } from '../sync/companions/contract.ts'
import type { TenantPlace } from '../sync/names/names.ts'

const httpsPort = 443
const dnsPort = 53

/** Where Pods reach the virtual cluster: as configured, else by the tenant's Service on the host. */
export async function findPodNetwork(
  host: Pick<KubeClient, 'get'>,
  { tenant, hostNamespace }: TenantPlace,
  networking: NetworkingConfig,
  signal?: AbortSignal,
): Promise<PodNetwork> {
  const isConfigured = networking.apiAddress !== undefined && networking.dnsAddress !== undefined
  if (isConfigured) return podNetworkOf(networking, undefined)
  try {
    return podNetworkOf(networking, await host.get(serviceType, { namespace: hostNamespace, name: tenant }, signal))
  } catch (error) {
    if (isRefusal(error, 403, 404)) return podNetworkOf(networking, undefined)
    throw error
  }
}

export function podNetworkOf(
  { apiAddress, dnsAddress }: Pick<NetworkingConfig, 'apiAddress' | 'dnsAddress'>,
  service: KubeObject | undefined,
): PodNetwork {
  const found = service === undefined ? {} : servedBy(service as Service)
  const api = apiAddress === undefined ? found.api : readAddress(apiAddress)
  const dns = dnsAddress ?? found.dns
  return { ...(api && { api }), ...(dns && { dns }) }
}

/** A headless Service has no stable address. */
function servedBy({ spec }: Service): PodNetwork {
  const { clusterIP = '', ports = [] } = spec
  if (isIP(clusterIP) === 0) return {}
  const hasApi = ports.some(({ port }) => port === httpsPort)
  const hasDns = ports.some(({ port, protocol }) => port === dnsPort && protocol === 'UDP')
  return {
    ...(hasApi && { api: { host: clusterIP, port: httpsPort } }),
    ...(hasDns && { dns: clusterIP }),
  }
}

function readAddress(text: string): ServerAddress | undefined {
  const [, host = '', port] = /^\[?([0-9.]+|[0-9a-fA-F:]+)\]?(?::(\d+))?$/.exec(text) ?? []
  return isIP(host) === 0 ? undefined : { host, port: port === undefined ? httpsPort : Number(port) }
}
