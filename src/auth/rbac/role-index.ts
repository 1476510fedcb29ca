import type { KubeObject } from '../../api/object.ts'
import {
  type AggregatedRole,
  aggregatedRoleOf,
  effortOf,
  namesInOrder,
  rulesInForce,
  termsOf,
  weightOf,
} from './aggregation.ts'
import { type CompiledRules, compileRules } from './compiled-rules.ts'
import { rulesOf } from './rule.ts'
import type { RoleReference } from './subject.ts'

/** Roles by name, each compiled once per version. */
export interface RoleIndex {
  putRole(role: KubeObject): void
  putClusterRole(clusterRole: KubeObject): void
  removeRole(namespace: string, name: string): void
  removeClusterRole(name: string): void
  /** Sorted by name. */
  clusterRoles(): readonly AggregatedRole[]
  /** The role that a reference in a binding of the namespace names; undefined if it does not exist. */
  find(reference: RoleReference, namespace: string): CompiledRules | undefined
}

interface ClusterRoleEntry {
  readonly role: AggregatedRole
  /** The role's own rules, as stored. */
  readonly own: CompiledRules
  /** For an aggregating role: the rules gathered from the state with that number. */
  gathered: { readonly state: number; readonly compiled: CompiledRules } | undefined
}

/**
 * Limit of the effort for gathering the rules of all aggregating roles on demand, so that a change is in force at once.
 * Above it, the rules that the controller stored are used, as in Kubernetes.
 */
const mostEffort = 200_000

export function createRoleIndex(): RoleIndex {
  const roles = new Map<string, Map<string, CompiledRules>>()
  const clusterRoles = new Map<string, ClusterRoleEntry>()
  let aggregating = 0
  let terms = 0
  let rules = 0
  /** Any change of a ClusterRole may change what the aggregating roles gather. */
  let state = 0
  let inOrder: { readonly state: number; readonly roles: readonly AggregatedRole[] } | undefined

  function count({ selectors, rules: own }: AggregatedRole, by: 1 | -1): void {
    state++
    if (selectors === undefined) rules += by * sumOf(own, weightOf)
    else {
      aggregating += by
      terms += by * sumOf(selectors, termsOf)
    }
  }

  function removeClusterRole(name: string): void {
    const entry = clusterRoles.get(name)
    if (entry === undefined) return
    clusterRoles.delete(name)
    count(entry.role, -1)
  }

  function allInOrder(): readonly AggregatedRole[] {
    if (inOrder?.state !== state)
      inOrder = { state, roles: namesInOrder([...clusterRoles.values()].map(({ role }) => role)) }
    return inOrder.roles
  }

  function gatheredBy(entry: ClusterRoleEntry): CompiledRules {
    if (effortOf({ aggregating, terms, rules, roles: clusterRoles.size }) > mostEffort) return entry.own
    if (entry.gathered?.state !== state)
      entry.gathered = { state, compiled: compileRules(rulesInForce(entry.role, allInOrder())) }
    return entry.gathered.compiled
  }

  return {
    putRole(role) {
      const { namespace = '', name = '' } = role.metadata
      const inNamespace = roles.get(namespace) ?? new Map<string, CompiledRules>()
      roles.set(namespace, inNamespace)
      inNamespace.set(name, compileRules(rulesOf(role)))
    },
    putClusterRole(clusterRole) {
      const role = aggregatedRoleOf(clusterRole)
      removeClusterRole(role.name)
      clusterRoles.set(role.name, { role, own: compileRules(role.rules), gathered: undefined })
      count(role, 1)
    },
    removeRole(namespace, name) {
      const inNamespace = roles.get(namespace)
      inNamespace?.delete(name)
      if (inNamespace?.size === 0) roles.delete(namespace)
    },
    removeClusterRole,
    clusterRoles: allInOrder,
    find({ kind, name }, namespace) {
      if (kind === 'Role') return roles.get(namespace)?.get(name)
      const entry = clusterRoles.get(name)
      return entry?.role.selectors === undefined ? entry?.own : gatheredBy(entry)
    },
  }
}

function sumOf<T>(list: readonly T[], amountOf: (each: T) => number): number {
  return list.reduce((sum, each) => sum + amountOf(each), 0)
}
