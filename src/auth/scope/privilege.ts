import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import { isResourceRequest, targetOf } from './request.ts'

/**
 * Special requests that a grant includes. `keys`: requests that return access keys, which no project, cluster or role
 * includes, because a key could escape its scope that way. `links`: registering and linking a virtual cluster, which
 * takes the role made for it.
 */
export type Privilege = 'ordinary' | 'keys' | 'links'

/**
 * `tokens`: making tokens of service accounts, which no grant includes, because they would be without a scope. Inside
 * virtual clusters, that cluster decides about them.
 */
export type NeededPrivilege = Privilege | 'tokens'

export const keySubresources: ReadonlySet<string> = new Set(['accesskey', 'accesskeys', 'nodeaccesskey'])
export const linkedResource = 'virtualclusterinstances'
export const linkSubresources: ReadonlySet<string> = new Set(['link', 'register'])

/** The privilege that a request needs. */
export function privilegeOf(attributes: ResourceAttributes, managementGroup: string): NeededPrivilege {
  const target = targetOf(attributes).kind
  if (target !== 'virtual-cluster' && isToken(attributes)) return 'tokens'
  if (target !== 'management') return 'ordinary'
  if (attributes.group !== managementGroup) return 'ordinary'
  if (keySubresources.has(attributes.subresource)) return 'keys'
  return isLinkResource(attributes) ? 'links' : 'ordinary'
}

/** Whether the request registers or links a virtual cluster. */
export function isLinking(attributes: Attributes, managementGroup: string): boolean {
  return isResourceRequest(attributes) && privilegeOf(attributes, managementGroup) === 'links'
}

export function isToken({
  group,
  resource,
  subresource,
}: Pick<ResourceAttributes, 'group' | 'resource' | 'subresource'>) {
  return group === '' && resource === 'serviceaccounts' && subresource === 'token'
}

function isLinkResource({ resource, subresource }: ResourceAttributes): boolean {
  return resource === linkedResource && linkSubresources.has(subresource)
}

export function hasPrivilege(held: Privilege, needed: NeededPrivilege): boolean {
  return needed === 'ordinary' || held === needed
}
