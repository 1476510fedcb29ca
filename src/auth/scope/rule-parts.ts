import type { RequestTarget } from '../../api/access.ts'
import type { ResourceRule } from '../contract.ts'
import type { ResourceGrant, ScopeEnvironment } from './grant.ts'
import { isToken, keySubresources, linkedResource, linkSubresources } from './privilege.ts'
import type { Common } from './rule-intersection.ts'
import { wildcard } from './texts.ts'

/** One resource of one group, as RBAC rules write them. */
interface Part {
  readonly group: string
  readonly resource: string
  readonly subresource: string
}

/** The place that a rules review is about: one namespace of the platform itself, or of an API behind it. */
export interface ReviewedPlace {
  readonly target: RequestTarget
  readonly namespace: string
}

/** Drops parts that the grant does not reach in the namespace, and those that take a privilege it lacks. */
export function grantedParts(
  rule: ResourceRule,
  grant: ResourceGrant,
  place: ReviewedPlace,
  environment: ScopeEnvironment,
): Common<ResourceRule> {
  const parts = rule.apiGroups.flatMap((group) => rule.resources.map((text) => partOf(group, text)))
  const reached = parts.filter(
    (part) => isPrivileged(part, grant, place, environment) && livesIn(part, grant, place, environment),
  )
  if (reached.length === parts.length) return { rules: [rule], exact: true }
  return {
    rules: reached.map((part) => ({ ...rule, apiGroups: [part.group], resources: [textOf(part)] })),
    exact: false,
  }
}

/** Whether a rule would read as if it also allowed linking and making tokens. */
export function claimsTooMuch({ apiGroups, resources }: ResourceRule, { managementGroup }: ScopeEnvironment): boolean {
  return resources.includes(wildcard) && [wildcard, managementGroup, ''].some((group) => apiGroups.includes(group))
}

function partOf(group: string, text: string): Part {
  const slash = text.indexOf('/')
  if (slash < 0) return { group, resource: text, subresource: '' }
  return { group, resource: text.slice(0, slash), subresource: text.slice(slash + 1) }
}

function textOf({ resource, subresource }: Part): string {
  return subresource === '' ? resource : `${resource}/${subresource}`
}

function isPrivileged(
  part: Part,
  { privilege }: ResourceGrant,
  { target }: ReviewedPlace,
  { managementGroup }: ScopeEnvironment,
): boolean {
  if (target.kind !== 'virtual-cluster' && mayBeToken(part)) return false
  if (target.kind !== 'management') return true
  if (part.group !== managementGroup && part.group !== wildcard) return true
  if (keySubresources.has(part.subresource)) return privilege === 'keys'
  const links = linkSubresources.has(part.subresource) && [linkedResource, wildcard].includes(part.resource)
  return !links || privilege === 'links'
}

function mayBeToken({ group, resource, subresource }: Part): boolean {
  return isToken({
    group: group === wildcard ? '' : group,
    resource: resource === wildcard ? 'serviceaccounts' : resource,
    subresource,
  })
}

/** For an unknown resource, only objects in the namespace itself are claimed. */
function livesIn(
  { group, resource }: Part,
  { namespaces }: ResourceGrant,
  { target, namespace }: ReviewedPlace,
  { isClusterScoped }: ScopeEnvironment,
): boolean {
  if (namespaces === undefined) return true
  const isOutside = isClusterScoped(group, resource, target) === true
  return isOutside ? namespaces.outside : namespaces.names.has(namespace)
}
