import { describe, expect, it } from 'vitest'
import { compilePolicy, compileStoredPolicy } from '../../api/admissionregistration/policy-expressions.ts'
import { authorizerValue } from '../../api/cel/authorizer.ts'
import { jsonCelValue } from '../../api/cel/json-value.ts'
import type { ValidatingAdmissionPolicy } from '../../api/types/admissionregistration-v1.ts'
import { paced } from '../../base/pace.ts'
import { atOnce } from '../../base/steps.ts'
import { configuredPolicy } from './configured-policy.ts'
import { evaluatePolicy } from './evaluate-policy.ts'
import { PolicyPace } from './policy-pace.ts'

type PolicySpec = ValidatingAdmissionPolicy['spec']

function stepsOf(spec: PolicySpec, object: unknown) {
  const policy = { apiVersion: 'v1', kind: 'P', metadata: { name: 'p' }, spec, status: {} } as ValidatingAdmissionPolicy
  return evaluatePolicy(configuredPolicy(policy).expressions(), { object: jsonCelValue(object) })
}

function messages(spec: PolicySpec, object: unknown): readonly string[] {
  return atOnce(stepsOf(spec, object)).findings.map(({ message }) => message)
}

describe('a policy', () => {
  it('returns its messages', () => {
    const validations = [
      { expression: 'object.n < 3', message: ' small ' },
      { expression: 'object.n < 4' },
      { expression: 'object.n < 5', messageExpression: '"is " + string(object.n)' },
      { expression: 'object.n < 5', messageExpression: '""', message: 'other' },
      { expression: 'object.n < 9' },
    ]
    expect(messages({ validations }, { n: 7 })).toEqual(['small', 'failed expression: object.n < 4', 'is 7', 'other'])
  })

  it('fails for a variable only where it is used, and variables cannot use themselves or later ones', () => {
    const variables = [
      { name: 'a', expression: 'object.n + 1' },
      { name: 'b', expression: 'variables.a * 2' },
      { name: 'c', expression: 'variables.c' },
    ]
    const validations = [{ expression: 'variables.b == 4' }, { expression: 'variables.c == 1' }]
    expect(messages({ variables, validations }, { n: 1 })).toEqual([
      expect.stringContaining(
        `expression 'variables.c == 1' resulted in error: composited variable "c" fails to evaluate: compilation failed: ERROR: <input>:1:10: undefined field 'c'`,
      ),
    ])
  })

  it('is evaluated as stored, even if a new policy like it would be refused', () => {
    const validations = [
      { expression: 'namespaceObject.metadata.uid == "u" && quantity("1").sign() == 1' },
      { expression: 'false', messageExpression: 'authorizer == authorizer ? "told" : ""' },
    ]
    const given = {
      namespaceObject: jsonCelValue({ metadata: { uid: 'u' } }),
      authorizer: authorizerValue(() => ({ isAllowed: false, reason: '' })),
    }
    const { findings } = atOnce(evaluatePolicy(compileStoredPolicy({ validations }), given))
    expect(findings.map(({ message }) => message)).toEqual(['told'])
    expect(compilePolicy({ validations }).validations).toEqual([
      expect.objectContaining({ expression: expect.objectContaining({ problem: expect.any(String) }) }),
      expect.objectContaining({ messageExpression: expect.objectContaining({ problem: expect.any(String) }) }),
    ])
  })

  it('is skipped if its match conditions are false', () => {
    const validations = [{ expression: 'false' }]
    const matchConditions = [{ name: 'c', expression: 'object.n == 1' }]
    expect(messages({ matchConditions, validations }, { n: 2 })).toEqual([])
    expect(messages({ matchConditions, validations }, { n: 1 })).toEqual(['failed expression: false'])
    expect(messages({ matchConditions, validations }, {})).toEqual([
      "expression 'object.n == 1' resulted in error: no such key: n",
    ])
  })

  it('is skipped if a single condition is false, even if others fail', () => {
    const validations = [{ expression: 'false' }]
    const matchConditions = [
      { name: 'fails', expression: 'object.missing == 1' },
      { name: 'no', expression: 'false' },
    ]
    expect(messages({ matchConditions, validations }, {})).toEqual([])
  })

  it('records non-empty strings as audit annotations', () => {
    const auditAnnotations = [
      { key: 'n', valueExpression: "' is ' + string(object.n) + ' '" },
      { key: 'none', valueExpression: 'null' },
      { key: 'empty', valueExpression: "' '" },
    ]
    const { annotations, findings } = atOnce(stepsOf({ auditAnnotations }, { n: 7 }))
    expect([annotations, findings]).toEqual([[{ key: 'n', value: 'is 7' }], []])
  })

  it('fails if an audit annotation cannot be evaluated', () => {
    const auditAnnotations = [{ key: 'n', valueExpression: 'string(object.n)' }]
    const { annotations, findings } = atOnce(stepsOf({ auditAnnotations }, {}))
    const message = "valueExpression 'string(object.n)' resulted in error: no such key: n"
    expect(annotations).toEqual([])
    expect(findings).toMatchObject([{ message, isError: true, isOfAnnotation: true }])
  })

  it('fails if it cannot be compiled', () => {
    expect(messages({ validations: [{ expression: 'object.' }] }, {})[0]).toContain(
      'resulted in error: compilation failed',
    )
  })
})

const fifteen = '[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]'

/** `v16` has 983,040 items, at almost no cost. */
const doubled = Array.from({ length: 17 }, (_, index) => ({
  name: `v${index}`,
  expression: index === 0 ? fifteen : `variables.v${index - 1} + variables.v${index - 1}`,
}))

const ten = '[0,1,2,3,4,5,6,7,8,9]'
/** 100,000 iterations. */
const spinning = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.all(e, a < 10)))))`

describe('a hostile policy', () => {
  it('has one budget for the size of its variables', () => {
    const large = Array.from({ length: 20 }, (_, index) => ({
      name: `w${index}`,
      expression: 'variables.v16 + variables.v16',
    }))
    const validations = large.map(({ name }) => ({ expression: `size(variables.${name}) > 0` }))
    const found = messages({ variables: [...doubled, ...large], validations }, {})
    expect(found.length).toBeGreaterThan(15)
    expect(found[0]).toContain('running out of cost budget')
  })

  it('has one budget for the work of all expressions', () => {
    const validations = Array.from({ length: 50 }, () => ({ expression: 'size(variables.v15 + variables.v15) > 0' }))
    expect(messages({ variables: doubled, validations }, {}).length).toBeGreaterThan(40)
  })

  it('pays for all variables, however they refer to each other', () => {
    expect(messages({ validations: [{ expression: spinning }] }, {})).toEqual([])
    const variables = Array.from({ length: 25 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? 'true' : `${spinning} && variables.v${index - 1}`,
    }))
    const validations = [{ expression: 'variables.v24' }]
    expect(messages({ variables, validations }, {})).toEqual([expect.stringContaining('cost')])
  })

  it('yields after each expression', () => {
    const matchConditions = [{ name: 'c', expression: 'true' }]
    const validations = [{ expression: 'true' }, { expression: 'false', messageExpression: '"m"' }]
    const variables = [{ name: 'v', expression: '1' }]
    const steps = stepsOf({ matchConditions, variables, validations }, {})
    let rests = 0
    while (steps.next().done !== true) rests += 1
    expect(rests).toBe(5)
  })

  it('is aborted with its caller, and after its time limit', async () => {
    const validations = Array.from({ length: 200 }, () => ({ expression: 'true' }))
    const user = { name: 'alice', groups: [] }
    const gone = new PolicyPace({ user, signal: AbortSignal.abort(new Error('gone')), elapsed: { now: () => 0 } })
    await expect(paced(stepsOf({ validations }, {}), gone)).rejects.toThrow('gone')
    let nowMs = 0
    const elapsed = { now: () => (nowMs += 6_000) }
    const late = new PolicyPace({ user, signal: new AbortController().signal, elapsed })
    await expect(paced(stepsOf({ validations: [...validations, ...validations] }, {}), late)).rejects.toThrow(
      'took longer than 10 seconds',
    )
  })
})
