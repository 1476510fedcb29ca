import { findMessage } from '../facts/messages.ts'
import { parseApiVersion } from '../object.ts'

/** Versions that Kubernetes 1.32 can read, served or not, and the one whose kinds are known here. */
const versions: Readonly<Record<string, readonly [known: string, ...older: string[]]>> = {
  '': ['v1'],
  'admissionregistration.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  apps: ['v1', 'v1beta1', 'v1beta2'],
  'authentication.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'authorization.k8s.io': ['v1', 'v1beta1'],
  autoscaling: ['v2', 'v1', 'v2beta1', 'v2beta2'],
  batch: ['v1', 'v1beta1'],
  'certificates.k8s.io': ['v1', 'v1beta1'],
  'coordination.k8s.io': ['v1', 'v1beta1'],
  'discovery.k8s.io': ['v1', 'v1beta1'],
  'events.k8s.io': ['v1', 'v1beta1'],
  'flowcontrol.apiserver.k8s.io': ['v1', 'v1beta1', 'v1beta2', 'v1beta3'],
  'networking.k8s.io': ['v1', 'v1beta1'],
  'node.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  policy: ['v1', 'v1beta1'],
  'rbac.authorization.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'scheduling.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'storage.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
}

export function isOfKubernetes(group: string): boolean {
  return Object.hasOwn(versions, group)
}

const ofExtensions: ReadonlySet<string> = new Set(
  ['Deployment', 'DaemonSet', 'ReplicaSet', 'Ingress', 'NetworkPolicy'].flatMap((kind) => [kind, `${kind}List`]),
)

/** Whether Kubernetes knows a kind of that name in that version. */
export function isKnownToKubernetes(apiVersion: string, kind: string): boolean {
  const { group, version } = parseApiVersion(apiVersion)
  if (apiVersion === 'extensions/v1beta1') return ofExtensions.has(kind)
  if (apiVersion === 'v1' && kind === 'List') return true
  const known = isOfKubernetes(group) ? versions[group] : undefined
  if (known === undefined || !known.includes(version) || !/^[A-Z][A-Za-z0-9]*$/.test(kind)) return false
  const name = group === '' ? 'core' : (group.split('.')[0] ?? '')
  return findMessage(`k8s.io.api.${name}.${known[0]}.${kind}`) !== undefined || isShared(kind)
}

/** Kinds that are registered in every version. */
function isShared(kind: string): boolean {
  return ['DeleteOptions', 'ListOptions', 'Status', 'WatchEvent', 'Scale', 'Eviction'].includes(kind)
}
