import type { UserInfo } from '../../api/access.ts'
import type { BindingIndex, SubjectGrant } from './binding-index.ts'
import type { RbacRule } from './rule.ts'
import type { RbacState } from './state.ts'
import type { RoleReference } from './subject.ts'

/** The rules of every role bound to the user, cluster-wide and in the namespace. Roles not found go to `missing`. */
export function rulesHeld(
  state: RbacState,
  user: UserInfo,
  namespace: string,
  missing: RoleReference[] = [],
): readonly RbacRule[] {
  const inNamespace = namespace === '' ? undefined : state.bindingsByNamespace.get(namespace)
  return [...rulesBy(state.clusterBindings, ''), ...(inNamespace === undefined ? [] : rulesBy(inNamespace, namespace))]

  function rulesBy(bindings: BindingIndex, scope: string): readonly RbacRule[] {
    return grantsOf(bindings, user).flatMap((grant) => {
      const found = state.roles.find(grant.role, scope)
      if (found === undefined) missing.push(grant.role)
      return found?.rules ?? []
    })
  }
}

/** Each binding once, however many of its subjects the user is. */
function grantsOf(bindings: BindingIndex, user: UserInfo): readonly SubjectGrant[] {
  const byBinding = new Map(bindings.ofUser(user.name))
  for (const group of user.groups) {
    for (const [binding, grant] of bindings.ofGroup(group) ?? []) byBinding.set(binding, grant)
  }
  return [...byBinding.values()]
}
