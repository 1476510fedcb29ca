/**
 * What platform and tenant agree on when they talk over a link: one connection that the tenant opens, on which the
 * platform then asks and the tenant answers.
 */

/** In the Upgrade header of the request that becomes the link. */
export const linkProtocol = 'tenant-link/1'

/** Who asks over a link, inside of the virtual cluster: for the user that it impersonates. */
export const linkCallerName = 'system:tenant-link'

/** Cause of a refusal: the access key lacks the entry for the role `tenant`. */
export const roleMissing = 'RoleMissing'

/** Cause of a refusal: the license of the platform does not allow the link. */
export const licenseMissing = 'LicenseMissing'

/** Causes of a refusal: it takes the proof of who the virtual cluster is, and none was shown, or another. */
export const proofMissing = 'ProofMissing'
export const proofWrong = 'ProofWrong'

/** On the request that becomes the link: the proof that the virtual cluster got when it first registered. */
export const proofHeader = 'tenant-proof'

/** On the same: which process of the virtual cluster it is. Of each, the latest link counts. */
export const processHeader = 'tenant-process'

/**
 * On the answer that opens the link: the license of the platform, as `printToldLicense` writes it. A platform that says it there
 * need not be asked for it by another registration.
 */
export const toldLicenseHeader = 'tenant-license'

/** Where a virtual cluster keeps its proof, in its own namespace of the host. */
export function identitySecretName(virtualCluster: string): string {
  return `tenant-${virtualCluster}-identity`
}

/** What is in that Secret. */
export const identityEntries = { proof: 'proof', project: 'project', name: 'name' } as const

/** On a request over HTTP/2: the protocol to upgrade to. On its answer: the connection goes on in that protocol. */
export const upgradeHeader = 'tenant-upgrade'

/** On an answer over a link: what admission puts on record about the request, for the audit log of the platform. */
export const annotationsHeader = 'tenant-audit-annotations'

/**
 * Between replicas of the platform: headers that say who the user is inside must not be taken for a wish of the replica that
 * passes them on, so their names begin with this on the way.
 */
export const relayPrefix = 'tenant-relayed-'

/** The name of a header as it is at both ends. */
export function withoutRelayPrefix(name: string): string {
  return name.startsWith(relayPrefix) ? name.slice(relayPrefix.length) : name
}

/** Asked once by the platform when a link opens; messages go both ways from then on. No path of a virtual API is like it. */
export const controlPath = '/link/control'

/** Lines of JSON on the control stream, from the tenant. */
export type TenantMessage =
  /** Another access key, which is to carry the link from now on. */
  { readonly type: 'authenticate'; readonly accessKey: string } | { readonly type: 'stopping' }

/** Lines of JSON on the control stream, from the platform. */
export type PlatformMessage =
  | { readonly type: 'authenticated' }
  /** The new key is not taken; the old one stays in force. */
  | { readonly type: 'refused'; readonly reason: string; readonly message: string }
  /** The link ends now. `returnWithinMs`: as soon as that the platform can take all the links back that it ends now. */
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

/** What binds such a group to its role. */
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
