import { describe, expect, it } from 'vitest'
import { compileMatchConditions, type MatchSubject, validateMatchConditions } from './match-conditions.ts'

const subject: MatchSubject = {
  object: { metadata: { name: 'a', labels: { team: 'x' } }, data: { k: 'v' }, spec: { replicas: 3 } },
  oldObject: null,
  request: {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    operation: 'CREATE',
    namespace: 'shop',
    userInfo: { username: 'system:serviceaccount:kube-system:x', groups: ['system:masters'] },
    dryRun: false,
  },
}

const evaluate = (...expressions: readonly string[]) =>
  compileMatchConditions(expressions.map((expression, index) => ({ name: `c${index}`, expression })))(subject)

describe('match conditions of a webhook', () => {
  it.each([
    "object.data.k == 'v'",
    'object.spec.replicas > 2',
    'oldObject == null',
    "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap'",
    "!request.userInfo.username.startsWith('system:node:')",
    "'system:masters' in request.userInfo.groups",
    'has(object.metadata.labels) && object.metadata.labels.exists(l, l == "team")',
  ])('%s is met', (expression) => {
    expect(evaluate(expression)).toEqual({ isMatch: true })
  })

  it('are met if all are, and one that says no decides, whatever the others', () => {
    expect(evaluate('true', "object.data.k == 'other'")).toEqual({ isMatch: false })
    expect(evaluate("object.data.missing == 'x'", 'false')).toEqual({ isMatch: false })
  })

  it('are told if one cannot be evaluated', () => {
    expect(evaluate("object.data.missing == 'x'")).toEqual({
      problem: "expression 'object.data.missing == 'x'' resulted in error: no such key: missing",
    })
  })

  it('end when they have cost what all of them may', () => {
    const list = `[${'1,'.repeat(200)}1]`
    const outcome = evaluate(`${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c > 0)))`)
    expect(outcome).toEqual({ problem: expect.stringContaining('cost limit exceeded') })
  })

  it.each([
    ['', 'Required value'],
    ['object.x =', 'compilation failed'],
    ['1 + 1', 'must evaluate to bool but got int'],
    ['request.operatoin == "CREATE"', 'compilation failed'],
    ['authorizer == null', 'compilation failed'],
  ])('%s is refused', (expression, problem) => {
    const errors = validateMatchConditions('c', [{ name: 'n', expression }])
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(problem)])
  })

  it('are at most 64', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' }))
    expect(validateMatchConditions('c', many)).toHaveLength(1)
  })
})
