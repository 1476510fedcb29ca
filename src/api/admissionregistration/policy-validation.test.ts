import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object.ts'
import type { ValidatingAdmissionPolicy } from '../types/admissionregistration-v1.ts'
import { validatingAdmissionPolicyBinding } from './admission-policy-binding.ts'
import { validatePolicyStatus } from './policy-status.ts'
import { validatePolicy } from './policy-validation.ts'

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]

/** Every request is matched against selectors: an invalid one would fail all of them. */
const unknownOperator = { matchExpressions: [{ key: 'a', operator: 'Near' }] }

function problems(change: Partial<ValidatingAdmissionPolicy['spec']>): readonly string[] {
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: rules },
    validations: [{ expression: 'true' }],
    ...change,
  }
  const policy = { apiVersion: 'v1', kind: 'P', metadata: { name: 'p' }, spec, status: {} } as ValidatingAdmissionPolicy
  return validatePolicy(policy).map(({ field, message }) => `${field}: ${message}`)
}

it.each([
  [{ matchResources: { namespaceSelector: unknownOperator } }, 'spec.matchResources.namespaceSelector'],
  [{ matchResources: { objectSelector: unknownOperator } }, 'spec.matchResources.objectSelector'],
  [{ paramRef: { selector: unknownOperator, parameterNotFoundAction: 'Deny' } }, 'spec.paramRef.selector'],
])('a binding is refused: %j', (change, field) => {
  const spec = { policyName: 'p', validationActions: ['Deny'], ...change }
  const { validate } = validatingAdmissionPolicyBinding.strategy
  const problems = validate?.({ apiVersion: 'v1', kind: 'B', metadata: { name: 'b' }, spec } as KubeObject)
  expect(problems?.map((each) => each.field)).toEqual([`${field}.matchExpressions[0].operator`])
})

it.each([
  [{ policyName: 'P!' }, ['spec.policyName: Invalid value: "P!"']],
  [{ validationActions: [] }, ['spec.validationActions: Required value: at least one validation action is required']],
  [
    { paramRef: { name: 'a/b', selector: {}, parameterNotFoundAction: 'Ask' } },
    [
      `spec.paramRef.name: Invalid value: "a/b": may not contain '/'`,
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Unsupported value: "Ask": supported values: "Deny", "Allow"',
    ],
  ],
  [
    { matchResources: { matchPolicy: '', resourceRules: [{ ...rules[0], resources: [''] }] } },
    [
      'spec.matchResources.matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"',
      'spec.matchResources.resourceRules[0].resources[0]: Required value',
    ],
  ],
])('a binding with %j', (change, expected) => {
  const spec = { policyName: 'p', validationActions: ['Deny'], ...change }
  const { validate } = validatingAdmissionPolicyBinding.strategy
  const problems = validate?.({ apiVersion: 'v1', kind: 'B', metadata: { name: 'b' }, spec } as KubeObject) ?? []
  expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  )
})

it.each([
  [{ apiVersion: 'a/b/c', kind: 'K' }, ['apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c']],
  [{ apiVersion: 'E/v1', kind: 'K' }, ['apiVersion: Invalid value: "E": a lowercase RFC 1123 subdomain']],
  [{ apiVersion: 'e.com/', kind: 'K' }, ['apiVersion: Invalid value: "e.com/": version must be specified']],
  [{ apiVersion: 'e.com/1', kind: 'K' }, ['apiVersion: Invalid value: "1": a DNS-1035 label']],
  [
    { apiVersion: 'v1', kind: 'K!' },
    ['kind: Invalid value: "K!": may have mixed case, but should otherwise match: a DNS'],
  ],
  [{}, ['apiVersion: Required value', 'kind: Required value']],
])('a policy with parameters of %j', (paramKind, expected) => {
  expect(problems({ paramKind })).toEqual(expected.map((text) => expect.stringContaining(`spec.paramKind.${text}`)))
})

it('the status of a policy is validated', () => {
  const status = {
    typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] },
    conditions: [
      { type: 'a b', status: 'Yes', observedGeneration: -1, lastTransitionTime: null, reason: '-', message: '' },
    ],
  }
  const policy = { apiVersion: 'v1', kind: 'P', metadata: {}, spec: {}, status } as ValidatingAdmissionPolicy
  expect(validatePolicyStatus(policy).map(({ field, reason }) => `${reason} ${field.replace('status.', '')}`)).toEqual([
    'FieldValueRequired typeChecking.expressionWarnings[0].warning',
    'FieldValueRequired typeChecking.expressionWarnings[0].fieldRef',
    'FieldValueInvalid conditions[0].type',
    'FieldValueNotSupported conditions[0].status',
    'FieldValueInvalid conditions[0].observedGeneration',
    'FieldValueRequired conditions[0].lastTransitionTime',
    'FieldValueInvalid conditions[0].reason',
  ])
})

describe('a policy that is written', () => {
  it('may use variables declared before it', () => {
    const variables = [
      { name: 'a', expression: 'object.n' },
      { name: 'isSmall', expression: 'variables.a < 3' },
    ]
    const validations = [{ expression: 'variables.isSmall && params.x == 1', messageExpression: "'no'" }]
    expect(problems({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, variables, validations })).toEqual([])
  })

  it.each([
    [{ validations: [{ expression: 'true', reason: 'constructor' }] }, 'spec.validations[0].reason: Unsupported value'],
    [{ validations: [{ expression: 'params.x == 1' }] }, "undeclared reference to 'params'"],
    [{ variables: [{ name: 'a', expression: 'variables.a' }] }, "undefined field 'a'"],
    [{ variables: [{ name: 'a b', expression: '1' }] }, 'spec.variables[0].name: Invalid value'],
    [{ matchConditions: [{ name: 'c', expression: 'variables.a' }] }, "undeclared reference to 'variables'"],
    [
      { matchConstraints: { resourceRules: rules, namespaceSelector: unknownOperator } },
      'spec.matchConstraints.namespaceSelector.matchExpressions[0].operator: Invalid value',
    ],
    [
      { matchConstraints: { resourceRules: rules, objectSelector: unknownOperator } },
      'spec.matchConstraints.objectSelector.matchExpressions[0].operator: Invalid value',
    ],
  ])('is refused: %j', (change, problem) => {
    expect(problems(change)).toEqual([expect.stringContaining(problem)])
  })

  it('knows the fields of a request', () => {
    const validations = [{ expression: 'request.foo == 1' }]
    expect(problems({ validations })).toEqual([expect.stringContaining("undefined field 'foo'")])
    expect(problems({ validations: [{ expression: 'request.userInfo.username == "a"' }] })).toEqual([])
  })

  it('may declare a variable twice, as in Kubernetes, but at most 100 variables', () => {
    const twice = [
      { name: 'a', expression: '1' },
      { name: 'a', expression: '2' },
    ]
    expect(problems({ variables: twice })).toEqual([])
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `v${index}`, expression: '1' }))
    expect(problems({ variables: many })).toEqual([expect.stringContaining('must have at most 100 items')])
  })

  it('builds no types that grow with each variable', () => {
    const variables = Array.from({ length: 100 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? '1' : `{variables.v${index - 1}: variables.v${index - 1}}`,
    }))
    expect(problems({ variables, validations: [{ expression: 'variables.v99' }] })).toHaveLength(1)
  })
})

describe('names that expressions of a policy may use, as in Kubernetes 1.32.4', () => {
  it.each([
    ['authorizer.requestResource.check("get").allowed()'],
    ['authorizer.group("").resource("pods").fieldSelector("a=b").labelSelector("c=d").check("get").allowed()'],
    ['namespaceObject.metadata.name == "x" || namespaceObject == null'],
  ])('%s is fine', (expression) => {
    expect(problems({ validations: [{ expression }] })).toEqual([])
  })

  it.each([
    [{ validations: [{ expression: 'namespaceObject.nope == 1' }] }, "undefined field 'nope'"],
    [{ validations: [{ expression: 'variables.x' }] }, "undeclared reference to 'variables'"],
    [
      { validations: [{ expression: 'true', messageExpression: 'authorizer.path("/").check("get").reason()' }] },
      "undeclared reference to 'authorizer'",
    ],
    [{ variables: [{ name: 'if', expression: '1' }] }, 'Invalid value: "if": name is not a valid CEL identifier'],
  ])('%j is refused', (change, problem) => {
    expect(problems(change)).toEqual([expect.stringContaining(problem)])
  })
})
