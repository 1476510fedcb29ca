import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { flowSchema } from './flow-schema.ts'
import { ownSchemaSpec } from './own-schemas.ts'

const user = { kind: 'User', user: { name: 'u' } }
const resources = { verbs: ['get'], apiGroups: ['*'], resources: ['pods'], namespaces: ['*'] }
const paths = { verbs: ['*'], nonResourceURLs: ['/healthz'] }
const at = 'spec.rules[0]'

function problemsOf(rule: object): readonly string[] {
  const spec = { priorityLevelConfiguration: { name: 'l' }, rules: [rule] }
  return errorTexts(previewCreate(flowSchema, { metadata: { name: 'f' }, spec }))
}

describe('a rule of a FlowSchema', () => {
  it.each([
    [{ subjects: [user], resourceRules: [resources], nonResourceRules: [paths] }, []],
    [
      {},
      [
        `${at}.subjects: Required value: subjects must contain at least one value`,
        `${at}: Required value: at least one of resourceRules and nonResourceRules has to be non-empty`,
      ],
    ],
  ])('names callers and requests: %j', (rule, errors) => {
    expect(problemsOf(rule)).toEqual(errors)
  })

  it.each([
    [{ kind: 'User' }, ["user: Required value: user is required when subject kind is 'User'"]],
    [{ kind: 'User', user: { name: '' } }, ['user.name: Required value']],
    [
      { kind: 'Group', group: { name: 'g' }, user: { name: 'u' }, serviceAccount: { namespace: 'n', name: 's' } },
      [
        "serviceAccount: Forbidden: serviceAccount is forbidden when subject kind is not 'ServiceAccount'",
        "user: Forbidden: user is forbidden when subject kind is not 'User'",
      ],
    ],
    [
      { kind: 'ServiceAccount', serviceAccount: { namespace: '', name: '' } },
      [
        'serviceAccount.name: Required value',
        'serviceAccount.namespace: Required value: must specify namespace for service account',
      ],
    ],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } }, []],
    [{ kind: 'Robot' }, ['kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"']],
  ])('has its subject validated: %j', (subject, errors) => {
    const found = problemsOf({ subjects: [subject], nonResourceRules: [paths] })
    expect(found).toEqual(errors.map((text) => `${at}.subjects[0].${text}`))
  })

  const supported = '"create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"'

  it.each([
    [{ verbs: ['fly'] }, [`verbs: Unsupported value: []string{"fly"}: supported values: ${supported}`]],
    [{ verbs: [] }, ['verbs: Required value: verbs must contain at least one value']],
    [
      { verbs: ['*', 'get'] },
      [`verbs: Invalid value: []string{"*", "get"}: if '*' is present, must not specify other verbs`],
    ],
    [{ apiGroups: [] }, ['apiGroups: Required value: resource rules must supply at least one api group']],
    [
      { apiGroups: ['*', ''] },
      [`apiGroups: Invalid value: []string{"*", ""}: if '*' is present, must not specify other api groups`],
    ],
    [{ resources: [] }, ['resources: Required value: resource rules must supply at least one resource']],
    [
      { resources: ['*', 'a'] },
      [`resources: Invalid value: []string{"*", "a"}: if '*' is present, must not specify other resources`],
    ],
    [
      { namespaces: [] },
      ['namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace'],
    ],
    [{ namespaces: [], clusterScope: true }, []],
    [
      { namespaces: ['*', 'a'] },
      [`namespaces: Invalid value: []string{"*", "a"}: if '*' is present, must not specify other namespaces`],
    ],
    [
      { namespaces: ['a b'] },
      [
        expect.stringContaining(
          `namespaces[0]: Invalid value: "a b": each member of this list must be '*' or a DNS-1123 label; a lowercase`,
        ),
      ],
    ],
  ])('has its resources validated: %j', (changes, errors) => {
    const found = problemsOf({ subjects: [user], resourceRules: [{ ...resources, ...changes }] })
    expect(found.map((text) => text.replace(`${at}.resourceRules[0].`, ''))).toEqual(errors)
  })

  it.each([
    [{ verbs: [] }, ['verbs: Required value: verbs must contain at least one value']],
    [{ nonResourceURLs: [] }, ['nonResourceURLs: Required value: nonResourceURLs must contain at least one value']],
    [
      { nonResourceURLs: ['*', '/a'] },
      [
        `nonResourceURLs: Invalid value: []string{"*", "/a"}: if '*' is present, must not specify other non-resource URLs`,
      ],
    ],
    [{ nonResourceURLs: ['/a/*', '/'] }, []],
  ])('has its paths validated: %j', (changes, errors) => {
    const found = problemsOf({ subjects: [user], nonResourceRules: [{ ...paths, ...changes }] })
    expect(found.map((text) => text.replace(`${at}.nonResourceRules[0].`, ''))).toEqual(errors)
  })
})

it('conditions in a status have unique types', () => {
  const spec = { priorityLevelConfiguration: { name: 'l' } }
  const { object } = previewCreate(flowSchema, { metadata: { name: 'f' }, spec })
  const conditions = [{ type: 'A' }, { type: 'A' }, {}]
  const found = flowSchema.strategy.validateStatusUpdate?.({ ...object, status: { conditions } }, object) ?? []
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'status.conditions[1].type: Duplicate value: "A"',
    'status.conditions[2].type: Required value: must not be empty',
  ])
})

describe('schemas that may not be changed', () => {
  it.each(['exempt', 'catch-all'])('%s has its fixed value', (name) => {
    const spec = ownSchemaSpec(name)
    expect(errorTexts(previewCreate(flowSchema, { metadata: { name }, spec }))).toEqual([])
    const changed = { ...spec, rules: [] }
    expect(errorTexts(previewCreate(flowSchema, { metadata: { name }, spec: changed })).join()).toMatch(
      new RegExp(`^spec: Invalid value: .*: spec of '${name}' must equal the fixed value$`),
    )
  })
})
