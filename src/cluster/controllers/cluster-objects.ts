import { isIP } from 'node:net'
import type { KubeObject } from '../../api/object.ts'
import { systemPriorities } from '../../api/scheduling/priority-class.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { frontProxyName } from '../certificates/client-authorities.ts'

const eventLifetimeMs = 60 * 60_000
export const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** The objects of every new cluster besides the system namespaces: the Service of the API itself. */
export function clusterObjects(
  apiAddress: string,
  address: { readonly host: string; readonly port: number },
): readonly KubeObject[] {
  const metadata = { name: 'kubernetes', namespace: 'default' }
  const labels = { component: 'apiserver', provider: 'kubernetes' }
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels },
      spec: {
        clusterIP: apiAddress,
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: address.port }],
      },
    },
    ...advertised(metadata, address),
  ]
}

/** PEM texts of authorities. */
export interface CallerProofs {
  /** The authority of user certificates. */
  readonly users: string | undefined
  /** The authority of certificates that prove that this server forwarded a request. */
  readonly frontProxy: string | undefined
}

/** The ConfigMap from which servers beside or behind this one learn which authorities identify callers. */
export function callerAuthentication({ users, frontProxy }: CallerProofs): KubeObject {
  const data = { ...(users && { 'client-ca-file': users }), ...(frontProxy && frontProxyData(frontProxy)) }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
    ...(Object.keys(data).length === 0 ? {} : { data }),
  }
}

function frontProxyData(authority: string): Readonly<Record<string, string>> {
  return {
    'requestheader-client-ca-file': authority,
    'requestheader-allowed-names': JSON.stringify([frontProxyName]),
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  }
}

const criticalPods = 'Used for system critical pods that must'

/** The priority classes of pods that a node or the cluster needs to work. */
export const systemPriorityClasses: readonly KubeObject[] = [
  systemPriorityClass('system-node-critical', `${criticalPods} not be moved from their current node.`),
  systemPriorityClass(
    'system-cluster-critical',
    `${criticalPods} run in the cluster, but can be moved to another node if necessary.`,
  ),
]

function systemPriorityClass(name: string, description: string): KubeObject {
  const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' }
  return { ...kind, metadata: { name }, value: systemPriorities[name], description }
}

/**
 * Only a specific address leads others here: a loopback address means another machine to every reader, the unspecified
 * address means nothing, and names are not valid in Endpoints.
 */
function advertised(
  metadata: { readonly name: string; readonly namespace: string },
  { host, port }: { readonly host: string; readonly port: number },
): readonly KubeObject[] {
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

/** Events expire an hour after they were last seen. */
export function eventExpiry({ object }: StoredDocument): number | undefined {
  const { lastTimestamp, eventTime, metadata } = object
  const times = [lastTimestamp, eventTime, metadata.creationTimestamp]
    .filter((time) => typeof time === 'string')
    .map((time) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
  return times.length === 0 ? undefined : Math.max(...times) + eventLifetimeMs
}

/** Parsed only if the text shows that deletion was requested. */
export function graceExpiry(document: StoredDocument): number | undefined {
  if (!document.mentions('deletionTimestamp')) return undefined
  const { deletionTimestamp } = document.object.metadata
  return deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp)
}
