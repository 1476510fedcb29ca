import type { UserInfo } from '../../api/access.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { KubeObject } from '../../api/object.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Authorizer } from '../contract.ts'
import type { AggregatedRole } from './aggregation.ts'
import { createRbacAuthorizer } from './authorizer.ts'
import { type BindingIndex, createBindingIndex } from './binding-index.ts'
import { createRoleIndex } from './role-index.ts'
import type { RbacRule } from './rule.ts'
import { rulesHeld } from './rules-held.ts'
import type { RbacState } from './state.ts'
import { type RoleReference, roleReferenceOf, subjectsOf } from './subject.ts'

export type RbacKind = 'Role' | 'RoleBinding' | 'ClusterRole' | 'ClusterRoleBinding'

/** The roles and bindings in force. Fed with every change of them; answers for the state it was fed. */
export interface RbacIndex {
  upsert(kind: RbacKind, object: KubeObject): void
  /** `namespace` is empty for the cluster kinds. Removing a missing object has no effect. */
  remove(kind: RbacKind, namespace: string, name: string): void
  readonly authorizer: Authorizer
  /** Every ClusterRole, sorted by name. */
  clusterRoles(): readonly AggregatedRole[]
  /** All rights that bindings give the user in the namespace, or cluster-wide if it is empty. */
  rulesHeld(user: UserInfo, namespace: string): Promise<readonly RbacRule[]>
  /** The rules that a binding in the namespace would give; undefined if the role does not exist. */
  rulesOfRole(reference: RoleReference, namespace: string): readonly RbacRule[] | undefined
}

export function createRbacIndex(): RbacIndex {
  const roles = createRoleIndex()
  const clusterBindings = createBindingIndex()
  const bindingsByNamespace = new Map<string, BindingIndex>()
  const state: RbacState = { roles, clusterBindings, bindingsByNamespace }

  function putRoleBinding(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata
    const bindings = bindingsByNamespace.get(namespace) ?? createBindingIndex()
    bindingsByNamespace.set(namespace, bindings)
    putBinding(bindings, object, 'RoleBinding', `${name}/${namespace}`)
  }

  function removeRoleBinding(namespace: string, name: string): void {
    const bindings = bindingsByNamespace.get(namespace)
    bindings?.remove(name)
    if (bindings?.isEmpty) bindingsByNamespace.delete(namespace)
  }

  return {
    upsert(kind, object) {
      switch (kind) {
        case 'Role':
          return roles.putRole(object)
        case 'ClusterRole':
          return roles.putClusterRole(object)
        case 'RoleBinding':
          return putRoleBinding(object)
        case 'ClusterRoleBinding':
          return putBinding(clusterBindings, object, 'ClusterRoleBinding', object.metadata.name ?? '')
      }
    },
    remove(kind, namespace, name) {
      switch (kind) {
        case 'Role':
          return roles.removeRole(namespace, name)
        case 'ClusterRole':
          return roles.removeClusterRole(name)
        case 'RoleBinding':
          return removeRoleBinding(namespace, name)
        case 'ClusterRoleBinding':
          return clusterBindings.remove(name)
      }
    },
    authorizer: createRbacAuthorizer(state),
    rulesHeld: async (user, namespace) =>
      (await paced(rulesHeld(state, user, namespace), new Pace({ party: user.name }))).rules,
    clusterRoles: () => roles.clusterRoles(),
    rulesOfRole: (reference, namespace) => roles.find(reference, namespace)?.rules,
  }
}

/** A binding whose role reference cannot be resolved grants nothing. */
function putBinding(bindings: BindingIndex, object: KubeObject, kind: RbacKind, shownName: string): void {
  const { namespace = '', name = '' } = object.metadata
  const role = roleReferenceOf(object)
  if (role === undefined) {
    bindings.remove(name)
    return
  }
  const text = `${kind} ${quoted(shownName)} of ${role.kind} ${quoted(role.name)} to `
  bindings.put({ name, role, subjects: subjectsOf(object, namespace), text })
}
