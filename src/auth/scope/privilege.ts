import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import { isResourceRequest, targetOf } from './request.ts'

/**
 * What a grant reaches besides ordinary requests. `keys`: what hands out access keys, which no project, cluster or role
 * includes, since a key could leave its scope that way. `links`: registering and linking a virtual cluster, which takes
 * the role made for it.
 */
export type Privilege = 'ordinary' | 'keys' | 'links'

/**
 * `tokens`: making tokens of service accounts, which no grant has, since they would be without a scope. Inside of virtual
 * clusters they are that cluster's business.
 */
export type NeededPrivilege = Privilege | 'tokens'

export const keySubresources: ReadonlySet<string> = new Set(['accesskey', 'accesskeys', 'nodeaccesskey'])
export const linkedResource = 'virtualclusterinstances'
export const linkSubresources: ReadonlySet<string> = new Set(['link', 'register'])

/** What a request needs. */
export function privilegeOf(attributes: ResourceAttributes, managementGroup: string): NeededPrivilege {
  const target = targetOf(attributes).kind
  if (target !== 'virtual-cluster' && isToken(attributes)) return 'tokens'
  if (target !== 'management') return 'ordinary'
  if (attributes.group !== managementGroup) return 'ordinary'
  if (keySubresources.has(attributes.subresource)) return 'keys'
  return isLinkResource(attributes) ? 'links' : 'ordinary'
}

/** Registering or linking a virtual cluster. */
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
