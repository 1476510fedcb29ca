import type { BindingIndex } from './binding-index.ts'
import type { RoleIndex } from './role-index.ts'

/** The state that decisions are based on. */
export interface RbacState {
  readonly roles: RoleIndex
  readonly clusterBindings: BindingIndex
  readonly bindingsByNamespace: ReadonlyMap<string, BindingIndex>
}
