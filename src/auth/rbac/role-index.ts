import type { KubeObject } from '../../api/object.ts'
import { type AggregatedRole, aggregatedRoleOf, rulesInForce } from './aggregation.ts'
import { type CompiledRules, compileRules } from './compiled-rules.ts'
import { rulesOf } from './rule.ts'
import type { RoleReference } from './subject.ts'

/** Roles by name, each compiled once per version. */
export interface RoleIndex {
  putRole(role: KubeObject): void
  putClusterRole(clusterRole: KubeObject): void
  removeRole(namespace: string, name: string): void
  removeClusterRole(name: string): void
  /** What a reference in a binding of the namespace stands for; undefined when there is no such role. */
  find(reference: RoleReference, namespace: string): CompiledRules | undefined
}

interface ClusterRoleEntry {
  readonly role: AggregatedRole
  /** Absent until first needed. */
  compiled: CompiledRules | undefined
}

export function createRoleIndex(): RoleIndex {
  const roles = new Map<string, Map<string, CompiledRules>>()
  const clusterRoles = new Map<string, ClusterRoleEntry>()
  const aggregating = new Set<ClusterRoleEntry>()

  function removeClusterRole(name: string): void {
    const entry = clusterRoles.get(name)
    if (entry !== undefined) aggregating.delete(entry)
    clusterRoles.delete(name)
    forgetAggregates()
  }

  /** Any change of a ClusterRole may change what the aggregating ones gather. */
  function forgetAggregates(): void {
    for (const each of aggregating) each.compiled = undefined
  }

  function compiledClusterRole(entry: ClusterRoleEntry): CompiledRules {
    entry.compiled ??= compileRules(rulesInForce(entry.role, rolesOf(clusterRoles.values())))
    return entry.compiled
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
      const entry: ClusterRoleEntry = { role, compiled: undefined }
      clusterRoles.set(role.name, entry)
      if (role.selectors !== undefined) aggregating.add(entry)
    },
    removeRole(namespace, name) {
      const inNamespace = roles.get(namespace)
      inNamespace?.delete(name)
      if (inNamespace?.size === 0) roles.delete(namespace)
    },
    removeClusterRole,
    find({ kind, name }, namespace) {
      if (kind === 'Role') return roles.get(namespace)?.get(name)
      const entry = clusterRoles.get(name)
      return entry === undefined ? undefined : (entry.compiled ?? compiledClusterRole(entry))
    },
  }
}

function* rolesOf(entries: Iterable<ClusterRoleEntry>): Iterable<AggregatedRole> {
  for (const each of entries) yield each.role
}
