/** The groups of Kubernetes in the order in which clients search them for kinds. */
const inOrder: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

const ranks: ReadonlyMap<string, number> = new Map(inOrder.map((group, index) => [group, index]))

/** Groups that Kubernetes does not have come last. */
export function groupRank(group: string): number {
  return ranks.get(group) ?? inOrder.length
}
