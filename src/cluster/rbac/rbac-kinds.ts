import type { RbacKind } from '../../auth/rbac/rbac-index.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'
export const rbacKinds: readonly RbacKind[] = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']
