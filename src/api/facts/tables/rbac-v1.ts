/** k8s.io.api.rbac.v1 */
export const rbacV1 = `
AggregationRule
  1 clusterRoleSelectors: meta.LabelSelector[]

ClusterRole
  1 metadata: meta.ObjectMeta
  2 rules: PolicyRule[]!
  3 aggregationRule: AggregationRule

ClusterRoleBinding
  1 metadata: meta.ObjectMeta
  2 subjects: Subject[]
  3 roleRef: RoleRef! (required)

ClusterRoleBindingList
  1 metadata: meta.ListMeta
  2 items: ClusterRoleBinding[]!

ClusterRoleList
  1 metadata: meta.ListMeta
  2 items: ClusterRole[]!

PolicyRule
  1 verbs: string[]! (required)
  2 apiGroups: string[]
  3 resources: string[]
  4 resourceNames: string[]
  5 nonResourceURLs: string[]

Role
  1 metadata: meta.ObjectMeta
  2 rules: PolicyRule[]!

RoleBinding
  1 metadata: meta.ObjectMeta
  2 subjects: Subject[]
  3 roleRef: RoleRef! (required)

RoleBindingList
  1 metadata: meta.ListMeta
  2 items: RoleBinding[]!

RoleList
  1 metadata: meta.ListMeta
  2 items: Role[]!

RoleRef atomic
  1 apiGroup: string! (required)
  2 kind: string! (required)
  3 name: string! (required)

Subject atomic
  1 kind: string! (required)
  2 apiGroup: string
  3 name: string! (required)
  4 namespace: string
`
