import type { RequestTarget } from '../../api/access.ts'
import type { Namespaces } from './namespace-pattern.ts'
import type { Paths } from './path-pattern.ts'
import type { Privilege } from './privilege.ts'
import type { Resources } from './resource-pattern.ts'
import type { TargetPattern } from './target-pattern.ts'
import type { Texts } from './texts.ts'

/** The facts that a scope is evaluated with. */
export interface ScopeEnvironment {
  /** The API group of the platform's own kinds. */
  readonly managementGroup: string
  readonly isClusterScoped: IsClusterScoped
}

/** Whether objects of a resource exist outside namespaces; undefined if unknown. */
export type IsClusterScoped = (group: string, resource: string, target: RequestTarget) => boolean | undefined

/**
 * The single form into which every entry of a scope is converted, including deprecated ones. A request must match every
 * part of a grant, and the parts are independent of each other. So one grant lies within another exactly when each part
 * does.
 */
export type ScopeGrant = ResourceGrant | PathGrant

export interface ResourceGrant {
  readonly form: 'resource'
  /** The path of its entry, such as `spec.scope.projects[0]`; empty for rights that every key has. */
  readonly entry: string
  readonly target: TargetPattern
  readonly verbs: Texts
  readonly groups: Texts
  readonly resources: Resources
  /** A request that names no object concerns all of them, so only a grant without names covers it. */
  readonly names: Texts
  readonly namespaces: Namespaces
  readonly privilege: Privilege
}

export interface PathGrant {
  readonly form: 'path'
  readonly entry: string
  readonly target: TargetPattern
  readonly verbs: Texts
  readonly paths: Paths
}
