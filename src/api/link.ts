/**
 * The protocol between platform and tenant on a link: one connection that the tenant opens, on which the platform then
 * sends requests and the tenant answers.
 */

/** In the Upgrade header of the request that becomes the link. */
export const linkProtocol = 'tenant-link/1'

/** The caller of requests over a link, inside the virtual cluster: it impersonates the user. */
export const linkCallerName = 'system:tenant-link'

/** Cause of a refusal: the access key lacks the entry for the role `tenant`. */
export const roleMissing = 'RoleMissing'

/** Cause of a refusal: the license of the platform does not allow the link. */
export const licenseMissing = 'LicenseMissing'

/** Causes of a refusal: the proof of the virtual cluster's identity is missing, or wrong. */
export const proofMissing = 'ProofMissing'
export const proofWrong = 'ProofWrong'

/** On the request that becomes the link: the proof that the virtual cluster got when it first registered. */
export const proofHeader = 'tenant-proof'

/** On the same request: identifies the process of the virtual cluster. Of each, the latest link counts. */
export const processHeader = 'tenant-process'

/**
 * On the answer that opens the link: the license of the platform, as written by `printToldLicense`. With it, another
 * registration is not needed to ask for the license.
 */
export const toldLicenseHeader = 'tenant-license'

/** Where a virtual cluster keeps its proof, in its own namespace of the host. */
export function identitySecretName(virtualCluster: string): string {
  return `tenant-${virtualCluster}-identity`
}

/** The entries of that Secret. */
export const identityEntries = { proof: 'proof', project: 'project', name: 'name' } as const

/** On a request over HTTP/2: the protocol to upgrade to. On its answer: the connection continues in that protocol. */
export const upgradeHeader = 'tenant-upgrade'

/** On an answer over a link: admission's audit annotations for the request, for the audit log of the platform. */
export const annotationsHeader = 'tenant-audit-annotations'

/**
 * Between replicas of the platform, headers that name the user inside must not be mistaken for those of the replica
 * that relays them, so their names have this prefix on the way.
 */
export const relayPrefix = 'tenant-relayed-'

/** The header name without the prefix. */
export function withoutRelayPrefix(name: string): string {
  return name.startsWith(relayPrefix) ? name.slice(relayPrefix.length) : name
}

/**
 * Requested once by the platform when a link opens; messages go both ways from then on. No virtual API has such a path.
 */
export const controlPath = '/link/control'

/** Lines of JSON on the control stream, from the tenant. */
export type TenantMessage =
  /** Another access key, which is to carry the link from now on. */
  { readonly type: 'authenticate'; readonly accessKey: string } | { readonly type: 'stopping' }

/** Lines of JSON on the control stream, from the platform. */
export type PlatformMessage =
  | { readonly type: 'authenticated' }
  /** The new key is refused; the old one stays in force. */
  | { readonly type: 'refused'; readonly reason: string; readonly message: string }
  /** The link ends now. `returnWithinMs`: how soon the platform can accept all the links again that it ends now. */
  | { readonly type: 'ended'; readonly reason: LinkEnd; readonly message: string; readonly returnWithinMs?: number }

export type LinkEnd = 'KeyRevoked' | 'Draining' | 'Replaced' | 'Removed' | 'Reissued' | 'Flooding'

const clusterRolePrefix = 'platform:cluster-role:'

/** The group that stands for a ClusterRole inside a virtual cluster. The tenant binds it to that role. */
export function clusterRoleGroup(role: string): string {
  return clusterRolePrefix + role
}

/** Undefined for every other group. */
export function clusterRoleOfGroup(group: string): string | undefined {
  return group.length > clusterRolePrefix.length && group.startsWith(clusterRolePrefix)
    ? group.slice(clusterRolePrefix.length)
    : undefined
}

/** Where such bindings are created. */
export const clusterRoleBindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'

/** The binding of such a group to its role. */
export function clusterRoleBindingOf(role: string) {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: clusterRoleGroup(role) },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'Group', name: clusterRoleGroup(role) }],
  }
}
