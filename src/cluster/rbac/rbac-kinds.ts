import type { RbacKind } from '../../auth/rbac/rbac-index.ts'

export const rbacKinds: readonly RbacKind[] = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']
