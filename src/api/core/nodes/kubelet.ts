import type { UserInfo } from '../../access.ts'

const namePrefix = 'system:node:'
const nodesGroup = 'system:nodes'

/** The node of a kubelet's user. Undefined: the user is not a kubelet. Empty: a kubelet that names no node. */
export function nodeOfUser({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): string | undefined {
  return name.startsWith(namePrefix) && groups.includes(nodesGroup) ? name.slice(namePrefix.length) : undefined
}

/** Where each kubelet renews the Lease of its node. */
export const nodeLeaseNamespace = 'kube-node-lease'

/** Set on Pods that a kubelet runs from its own configuration, and only mirrors to the cluster. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror'
