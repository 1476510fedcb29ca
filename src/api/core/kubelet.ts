import type { UserInfo } from '../access.ts'

const namePrefix = 'system:node:'
const nodesGroup = 'system:nodes'

/** The node that a user is the kubelet of. Undefined: the user is no kubelet. Empty: a kubelet that names no node. */
export function nodeOfUser({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): string | undefined {
  return name.startsWith(namePrefix) && groups.includes(nodesGroup) ? name.slice(namePrefix.length) : undefined
}

/** Where each kubelet has a Lease that says that its node is there. */
export const nodeLeaseNamespace = 'kube-node-lease'

/** On Pods that a kubelet runs by itself, and only shows to the cluster. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror'
