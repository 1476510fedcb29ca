import { describe, expect, it } from 'vitest'
import { jsonCelValue } from '../../api/cel/json-value.ts'
import type { ValidatingAdmissionPolicy } from '../../api/types/admissionregistration-v1.ts'
import { configuredPolicy } from './configured-policy.ts'
import { evaluatePolicy } from './evaluate-policy.ts'

type PolicySpec = ValidatingAdmissionPolicy['spec']

function messages(spec: PolicySpec, object: unknown): readonly string[] {
  const policy = { apiVersion: 'v1', kind: 'P', metadata: { name: 'p' }, spec, status: {} } as ValidatingAdmissionPolicy
  return evaluatePolicy(configuredPolicy(policy).expressions(), { object: jsonCelValue(object) }).map(
    ({ message }) => message,
  )
}

describe('a policy', () => {
  it('says what its messages say', () => {
    const validations = [
      { expression: 'object.n < 3', message: ' small ' },
      { expression: 'object.n < 4' },
      { expression: 'object.n < 5', messageExpression: '"is " + string(object.n)' },
      { expression: 'object.n < 5', messageExpression: '""', message: 'other' },
      { expression: 'object.n < 9' },
    ]
    expect(messages({ validations }, { n: 7 })).toEqual(['small', 'failed expression: object.n < 4', 'is 7', 'other'])
  })

  it('evaluates its variables once, when they are needed, and none that needs itself', () => {
    const variables = [
      { name: 'a', expression: 'object.n + 1' },
      { name: 'b', expression: 'variables.a * 2' },
      { name: 'c', expression: 'variables.c' },
    ]
    const validations = [{ expression: 'variables.b == 4' }, { expression: 'variables.c == 1' }]
    expect(messages({ variables, validations }, { n: 1 })).toEqual([
      "expression 'variables.c == 1' resulted in error: the variable c refers to itself",
    ])
  })

  it('leaves out what its conditions do not let in', () => {
    const validations = [{ expression: 'false' }]
    const matchConditions = [{ name: 'c', expression: 'object.n == 1' }]
    expect(messages({ matchConditions, validations }, { n: 2 })).toEqual([])
    expect(messages({ matchConditions, validations }, { n: 1 })).toEqual(['failed expression: false'])
    expect(messages({ matchConditions, validations }, {})).toEqual([
      "expression 'object.n == 1' resulted in error: no such key: n",
    ])
  })

  it('that cannot be compiled says so', () => {
    expect(messages({ validations: [{ expression: 'object.' }] }, {})[0]).toContain(
      'resulted in error: compilation failed',
    )
  })
})
