import { isIP } from 'node:net'
import type { KubeObject } from '../../api/object.ts'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { bootstrapRequest, bringUpToDate, contextFor } from './own-objects.ts'

export interface ApiAddress {
  readonly host: string
  readonly port: number
}

const metadata = { name: 'kubernetes', namespace: 'default' }

/** Tells where the API is reached, to those who look at the Endpoints of its Service. */
export async function tellApiAddress(registry: ObjectRegistry, address: ApiAddress): Promise<void> {
  for (const object of apiEndpoints(address)) {
    await removeOtherFamily(registry, object)
    await bringUpToDate(registry, object)
  }
}

/**
 * Only a specific address leads others here: a loopback address means another machine to every reader, the unspecified
 * address means nothing, and names are not valid in Endpoints.
 */
export function apiEndpoints({ host, port }: ApiAddress): readonly KubeObject[] {
  if (isIP(host) === 0 || host.startsWith('127.') || ['0.0.0.0', '::', '::1'].includes(host)) return []
  const ports = [{ name: 'https', port, protocol: 'TCP' }]
  return [
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: host }], ports }],
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: isIP(host) === 4 ? 'IPv4' : 'IPv6',
      endpoints: [{ addresses: [host], conditions: { ready: true } }],
      ports,
    },
  ]
}

/** The family of a slice cannot change. */
async function removeOtherFamily(registry: ObjectRegistry, wanted: KubeObject): Promise<void> {
  const context = contextFor(registry, wanted)
  const stored = context?.cache.get(metadata)?.object as EndpointSlice | undefined
  if (context === undefined || stored === undefined || stored.addressType === wanted.addressType) return
  await deleteObject(context, metadata, { dryRun: false }, bootstrapRequest())
}
