import type { KubeObject } from '../../api/object.ts'
import { systemPriorities } from '../../api/scheduling/priority-class.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { frontProxyName } from '../certificates/client-authorities.ts'

const eventLifetimeMs = 60 * 60_000
export const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** The Service of the API itself. */
export function kubernetesService(clusterIP: string, targetPort: number): KubeObject {
  const labels = { component: 'apiserver', provider: 'kubernetes' }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels },
    spec: { clusterIP, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort }] },
  }
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
