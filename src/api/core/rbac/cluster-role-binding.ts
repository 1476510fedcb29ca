import type { ClusterRoleBinding } from '../../types/rbac-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { rbacGroup } from './role.ts'
import { bindingColumns, validateRoleRef, validateSameRole, validateSubjects, withApiGroups } from './role-binding.ts'

export const clusterRoleBinding = builtinKind<ClusterRoleBinding>({
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.rbac.v1.ClusterRoleBinding',
  columns: bindingColumns(),
  strategy: {
    defaults: withApiGroups,
    validate: (object) => [
      ...validateRoleRef(object.roleRef, ['ClusterRole']),
      ...validateSubjects(object.subjects ?? [], 'cluster'),
    ],
    validateUpdate: validateSameRole,
  },
})
