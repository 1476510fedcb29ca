import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object.ts'
import type { ValidatingAdmissionPolicy } from '../types/admissionregistration-v1.ts'
import { validatingAdmissionPolicyBinding } from './admission-policy-binding.ts'
import { validatePolicy } from './policy-validation.ts'

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]

/** Every request is held against selectors: one that cannot be read would fail all of them. */
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

describe('a policy that is written', () => {
  it('may use what is declared before it', () => {
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

  it('has each variable once, and not too many', () => {
    const twice = [
      { name: 'a', expression: '1' },
      { name: 'a', expression: '2' },
    ]
    expect(problems({ variables: twice })).toEqual([expect.stringContaining('Duplicate value')])
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `v${index}`, expression: '1' }))
    expect(problems({ variables: many })).toEqual([expect.stringContaining('must have at most 100 items')])
  })

  it('makes no types that grow with each variable', () => {
    const variables = Array.from({ length: 100 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? '1' : `{variables.v${index - 1}: variables.v${index - 1}}`,
    }))
    expect(problems({ variables, validations: [{ expression: 'variables.v99' }] })).toHaveLength(1)
  })
})
