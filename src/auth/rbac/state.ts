import type { BindingIndex } from './binding-index.ts'
import type { RoleIndex } from './role-index.ts'

/** What decisions are taken from. */
export interface RbacState {
  readonly roles: RoleIndex
  readonly clusterBindings: BindingIndex
  readonly bindingsByNamespace: ReadonlyMap<string, BindingIndex>
}
