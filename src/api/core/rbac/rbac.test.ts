import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { clusterRole } from './cluster-role.ts'
import { clusterRoleBinding } from './cluster-role-binding.ts'
import { role } from './role.ts'
import { roleBinding } from './role-binding.ts'

const metadata = { name: 'r', namespace: 'default' }
const rbac = 'rbac.authorization.k8s.io'
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const paths = { verbs: ['get'], nonResourceURLs: ['/metrics'] }

describe('rules', () => {
  it.each([
    ['of a Role', role, [pods], []],
    [
      'without verbs',
      clusterRole,
      [{ ...pods, verbs: [] }],
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'that say nothing',
      role,
      [{}],
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'on paths in a namespace',
      role,
      [paths],
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/metrics"}: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
    [
      'on paths and resources',
      clusterRole,
      [paths, { ...pods, ...paths }],
      [
        'rules[1].nonResourceURLs: Invalid value: []string{"/metrics"}: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
  ])('%s', (_, kind, rules, errors) => {
    expect(errorTexts(previewCreate(kind, { metadata, rules }))).toEqual(errors)
  })

  it('are shown even if there are none', () => {
    expect(previewCreate(role, { metadata }).object).toHaveProperty('rules', null)
  })

  it.each([
    [
      {},
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    [{ clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }, []],
    [
      { clusterRoleSelectors: Array.from({ length: 101 }, () => ({})) },
      ['aggregationRule.clusterRoleSelectors: Too many: 101: must have at most 100 items'],
    ],
    [
      {
        clusterRoleSelectors: [
          {
            matchExpressions: [
              { key: 'a', operator: 'In' },
              { key: 'a', operator: 'Exists', values: ['b'] },
              { key: 'a', operator: '=' },
            ],
          },
        ],
      },
      [
        "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "aggregationRule.clusterRoleSelectors[0].matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[2].operator: Invalid value: "=": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
      ],
    ],
  ])('put together by %j', (aggregationRule, errors) => {
    expect(errorTexts(previewCreate(clusterRole, { metadata, aggregationRule }))).toEqual(errors)
  })
})

describe('bindings', () => {
  const roleRef = { kind: 'ClusterRole', name: 'view' }

  it('fill in omitted API groups', () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ]
    expect(previewCreate(roleBinding, { metadata, roleRef, subjects }).object).toMatchObject({
      roleRef: { apiGroup: rbac, ...roleRef },
      subjects: [
        { kind: 'User', name: 'u', apiGroup: rbac },
        { kind: 'Group', name: 'g', apiGroup: rbac },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    })
  })

  it.each([
    [
      'to nothing',
      roleBinding,
      {},
      ['roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"', 'roleRef.name: Required value'],
    ],
    [
      'of the cluster to a Role',
      clusterRoleBinding,
      { roleRef: { kind: 'Role', name: 'a/b', apiGroup: 'x' } },
      [
        'roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        'roleRef.name: Invalid value: "a/b": may not contain \'/\'',
      ],
    ],
    [
      'to subjects without a name',
      roleBinding,
      { roleRef, subjects: [{}, { kind: 'User' }] },
      [
        'subjects[0].name: Required value',
        'subjects[0].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"',
        'subjects[1].name: Required value',
      ],
    ],
    [
      'of invalid accounts',
      clusterRoleBinding,
      { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'A', apiGroup: rbac }] },
      [
        expect.stringContaining('subjects[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        'subjects[0].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
        'subjects[0].namespace: Required value',
      ],
    ],
  ])('%s', (_, kind, body, errors) => {
    expect(errorTexts(previewCreate(kind, { metadata, ...body }))).toEqual(errors)
  })

  it('never change what they grant', () => {
    const { object: old } = previewCreate(roleBinding, { metadata, roleRef: { kind: 'Role', name: 'zz' } })
    expect(errorTexts(previewUpdate(roleBinding, { metadata, roleRef: { kind: 'Role', name: 'yy' } }, old))).toEqual([
      'roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"Role", Name:"yy"}: cannot change roleRef',
    ])
  })

  it('print who has which role', () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'User', name: 'v' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ]
    const { object } = previewCreate(clusterRoleBinding, { metadata, roleRef, subjects })
    expect(clusterRoleBinding.columns?.map((each) => each.value(object, 0))).toEqual([
      'r',
      'ClusterRole/view',
      '<unknown>',
      'u, v',
      '',
      'n/s',
    ])
  })
})

describe('roles', () => {
  it('print when they were created', () => {
    const dated = { ...metadata, creationTimestamp: '2026-01-02T03:04:05Z' }
    const { object } = previewCreate(role, { metadata: dated, rules: [pods] })
    expect(role.columns?.map((each) => [each.name, each.type, each.value(object, 0)])).toEqual([
      ['Name', 'string', 'r'],
      ['Created At', 'date', '2026-01-02T03:04:05Z'],
    ])
  })
})
