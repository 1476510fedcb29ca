import type { UserInfo } from '../../api/access.ts'
import type { BindingIndex, Grants } from './binding-index.ts'
import type { RbacState } from './state.ts'

/** What bindings of one scope grant to the user, or to one of the user's groups. */
export interface GrantSource {
  readonly grants: Grants
  /** Empty for the cluster. */
  readonly namespace: string
}

/** Only bindings that name the user or one of the user's groups, in the order in which they are looked at. */
export function grantSources(
  { clusterBindings, bindingsByNamespace }: RbacState,
  user: UserInfo,
  namespace: string,
): readonly GrantSource[] {
  const sources: GrantSource[] = []
  addSources(sources, clusterBindings, user, '')
  const inNamespace = namespace === '' ? undefined : bindingsByNamespace.get(namespace)
  if (inNamespace !== undefined) addSources(sources, inNamespace, user, namespace)
  return sources
}

function addSources(
  sources: GrantSource[],
  bindings: BindingIndex,
  { name, groups }: UserInfo,
  namespace: string,
): void {
  const ofUser = bindings.ofUser(name)
  if (ofUser !== undefined) sources.push({ grants: ofUser, namespace })
  for (const group of groups) {
    const grants = bindings.ofGroup(group)
    if (grants !== undefined) sources.push({ grants, namespace })
  }
}
