/** Descriptions of the RBAC kinds. */
export const rbacTexts: Readonly<Record<string, string>> = {
  'rbac.Role': 'What may be done in one namespace. A RoleBinding says by whom.',
  'rbac.Role.rules': 'What the role allows. Rules only ever add: what any of them allows is allowed.',
  'rbac.ClusterRole':
    'What may be done in the whole cluster, or, when bound by a RoleBinding, in the namespace of that binding.',
  'rbac.ClusterRole.rules': 'What the role allows. Filled in by the server if the role is an aggregated one.',
  'rbac.ClusterRole.aggregationRule': 'Makes the rules of this role the sum of those of other roles.',
  'rbac.AggregationRule': 'How the rules of a ClusterRole are put together from others.',
  'rbac.AggregationRule.clusterRoleSelectors':
    'The ClusterRoles whose rules are taken over: those that match any of these selectors.',
  'rbac.PolicyRule':
    'Verbs that are allowed, either on resources (apiGroups, resources, resourceNames) or on paths (nonResourceURLs).',
  'rbac.PolicyRule.verbs': 'What may be done, such as `get`, `list` or `create`. `*` stands for everything.',
  'rbac.PolicyRule.apiGroups': 'Groups of the resources; an empty text is the core group. `*` stands for all.',
  'rbac.PolicyRule.resources':
    'The resources, and subresources as `pods/log`. `*` stands for all, `*/scale` for one subresource of all.',
  'rbac.PolicyRule.resourceNames':
    'The only names for which the rule holds; none means all. Requests that name no object, such as creations, are never matched by a name.',
  'rbac.PolicyRule.nonResourceURLs':
    'Paths that are no resources, such as `/metrics`; a `*` at the end stands for anything. Only in ClusterRoles that are bound by a ClusterRoleBinding.',
  'rbac.RoleBinding': 'Grants a role to users, groups and service accounts in one namespace.',
  'rbac.RoleBinding.subjects': 'Who has the role.',
  'rbac.RoleBinding.roleRef':
    'The role that is granted: a Role of the same namespace, or a ClusterRole. It cannot be changed.',
  'rbac.ClusterRoleBinding': 'Grants a ClusterRole to users, groups and service accounts in the whole cluster.',
  'rbac.ClusterRoleBinding.subjects': 'Who has the role.',
  'rbac.ClusterRoleBinding.roleRef': 'The ClusterRole that is granted. It cannot be changed.',
  'rbac.RoleRef': 'Points to a role.',
  'rbac.RoleRef.apiGroup': 'Group of the role: `rbac.authorization.k8s.io`, which is also the default.',
  'rbac.RoleRef.kind': '`Role` or `ClusterRole`.',
  'rbac.RoleRef.name': 'Name of the role.',
  'rbac.Subject': 'A user, a group or a service account.',
  'rbac.Subject.kind': '`User`, `Group` or `ServiceAccount`.',
  'rbac.Subject.apiGroup':
    '`rbac.authorization.k8s.io` for users and groups, empty for service accounts. Filled in by default.',
  'rbac.Subject.name': 'Name of the user, group or service account.',
  'rbac.Subject.namespace': 'Namespace of the service account. Users and groups have none.',
}
