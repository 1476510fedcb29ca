/** Descriptions of the RBAC kinds. */
export const rbacTexts: Readonly<Record<string, string>> = {
  'rbac.Role': 'A set of permissions within one namespace. A RoleBinding grants them.',
  'rbac.Role.rules': 'Permissions of the role. Rules are additive: a request is allowed if any rule allows it.',
  'rbac.ClusterRole':
    'A set of permissions in the whole cluster or, if bound by a RoleBinding, in the namespace of that binding.',
  'rbac.ClusterRole.rules': 'Permissions of the role. Set by the server if the role has an aggregationRule.',
  'rbac.ClusterRole.aggregationRule':
    'Selects other ClusterRoles whose rules, combined, become the rules of this role.',
  'rbac.AggregationRule': 'Describes how the rules of a ClusterRole are combined from those of others.',
  'rbac.AggregationRule.clusterRoleSelectors':
    'Selectors of the ClusterRoles whose rules are included. A ClusterRole is included if any selector matches.',
  'rbac.PolicyRule':
    'Verbs that are allowed, either on resources (apiGroups, resources, resourceNames) or on paths (nonResourceURLs).',
  'rbac.PolicyRule.verbs': 'Allowed verbs, such as `get`, `list` or `create`. `*` stands for all verbs.',
  'rbac.PolicyRule.apiGroups':
    'API groups of the resources. The empty string is the core group, and `*` stands for all groups.',
  'rbac.PolicyRule.resources':
    'Resources, or subresources such as `pods/log`. `*` stands for all, and `*/scale` for one subresource of every resource.',
  'rbac.PolicyRule.resourceNames':
    'Names of the objects that the rule is limited to; if empty, it applies to all. Requests that do not name an object, such as creations, match only rules without names.',
  'rbac.PolicyRule.nonResourceURLs':
    'Paths that are not resources, such as `/metrics`. A `*` at the end matches any suffix. Effective only in ClusterRoles that a ClusterRoleBinding grants.',
  'rbac.RoleBinding': 'Grants a role to users, groups and service accounts in one namespace.',
  'rbac.RoleBinding.subjects': 'Users, groups and service accounts that are granted the role.',
  'rbac.RoleBinding.roleRef': 'The granted role: a Role in the same namespace, or a ClusterRole. Immutable.',
  'rbac.ClusterRoleBinding': 'Grants a ClusterRole to users, groups and service accounts throughout the cluster.',
  'rbac.ClusterRoleBinding.subjects': 'Users, groups and service accounts that are granted the role.',
  'rbac.ClusterRoleBinding.roleRef': 'The granted ClusterRole. Immutable.',
  'rbac.RoleRef': 'Refers to a role.',
  'rbac.RoleRef.apiGroup': 'API group of the role: `rbac.authorization.k8s.io`, which is also the default.',
  'rbac.RoleRef.kind': '`Role` or `ClusterRole`.',
  'rbac.RoleRef.name': 'Name of the role.',
  'rbac.Subject': 'A user, a group or a service account.',
  'rbac.Subject.kind': '`User`, `Group` or `ServiceAccount`.',
  'rbac.Subject.apiGroup':
    '`rbac.authorization.k8s.io` for users and groups, empty for service accounts. These are also the defaults.',
  'rbac.Subject.name': 'Name of the user, group or service account.',
  'rbac.Subject.namespace': 'Namespace of the service account. Must be empty for users and groups.',
}
