import { describe, expect, it } from 'vitest'
import { atOnce } from '../../base/steps.ts'
import { compileEffort } from '../../cel/compile-effort.ts'
import { authorizerValue } from '../cel/authorizer.ts'
import {
  compiledConditions,
  compileMatchConditions,
  type MatchSubject,
  validateMatchConditions,
  webhookEnvironment,
} from './match-conditions.ts'
import { validateWebhooks } from './webhook-validation.ts'

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
  authorizers: {
    authorizer: authorizerValue(({ verb, resource, name }) => ({
      isAllowed: `${verb} ${resource} ${name}` === 'breakglass validatingwebhookconfigurations w',
      reason: '',
    })),
  },
}

const steps = (...expressions: readonly string[]) =>
  compileMatchConditions(expressions.map((expression, index) => ({ name: `c${index}`, expression })))(subject)

const evaluate = (...expressions: readonly string[]) => atOnce(steps(...expressions))

function validate(conditions: readonly { readonly name: string; readonly expression: string }[]) {
  return validateMatchConditions(
    'c',
    conditions,
    compiledConditions(conditions, webhookEnvironment, compileEffort(10_000)),
  )
}

describe('match conditions of a webhook', () => {
  it.each([
    "object.data.k == 'v'",
    'object.spec.replicas > 2',
    'oldObject == null',
    "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap'",
    "!request.userInfo.username.startsWith('system:node:')",
    "'system:masters' in request.userInfo.groups",
    'authorizer.group("admissionregistration.k8s.io").resource("validatingwebhookconfigurations").name("w").check("breakglass").allowed()',
    '!authorizer.group("").resource("pods").check("create").allowed()',
    'has(object.metadata.labels) && object.metadata.labels.exists(l, l == "team")',
  ])('%s is met', (expression) => {
    expect(evaluate(expression)).toEqual({ isMatch: true })
  })

  it('are met only if all of them are, and a single false decides even if others fail', () => {
    expect(evaluate('true', "object.data.k == 'other'")).toEqual({ isMatch: false })
    expect(evaluate("object.data.missing == 'x'", 'false')).toEqual({ isMatch: false })
  })

  it('return an error if one cannot be evaluated', () => {
    expect(evaluate("object.data.missing == 'x'")).toEqual({
      problem: "expression 'object.data.missing == 'x'' resulted in error: no such key: missing",
    })
  })

  it('return every error once', () => {
    const [k, l] = ["object.data.k2 == 'x'", "object.data.l == 'x'"]
    const problem = (expression: string, key: string) =>
      `expression '${expression}' resulted in error: no such key: ${key}`
    expect(evaluate(k, l, k)).toEqual({ problem: `[${problem(k, 'k2')}, ${problem(l, 'l')}]` })
  })

  it('stop when together they exceed the cost limit', () => {
    const list = `[${'1,'.repeat(200)}1]`
    const outcome = evaluate(`${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c > 0)))`)
    expect(outcome).toEqual({ problem: expect.stringContaining('cost limit exceeded') })
  })

  it.each([
    ['', 'Required value'],
    ['object.x =', 'compilation failed'],
    ['1 + 1', 'must evaluate to bool but got int'],
    ['request.operatoin == "CREATE"', 'compilation failed'],
    ['params == null', 'compilation failed'],
  ])('%s is refused', (expression, problem) => {
    const errors = validate([{ name: 'n', expression }])
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(problem)])
  })

  it('are at most 64', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' }))
    expect(validate(many)).toHaveLength(1)
  })

  it('yield after each condition', () => {
    const each = steps('true', 'true', 'true')
    let rests = 0
    while (each.next().done !== true) rests += 1
    expect(rests).toBe(3)
  })

  it('share one compile budget with all webhooks of the configuration', () => {
    const matchConditions = [{ name: 'c', expression: Array(10).fill('"".matches("(a{40}){47}")').join(' || ') }]
    const webhooks = Array.from({ length: 100 }, (_, index) => ({
      name: `w${index}.example.com`,
      clientConfig: { url: 'https://w.example.com/' },
      sideEffects: 'None',
      failurePolicy: 'Fail',
      matchPolicy: 'Exact',
      admissionReviewVersions: ['v1'],
      matchConditions,
    }))
    const errors = validateWebhooks('webhooks', webhooks)
    expect(errors.filter(({ message }) => message.includes('too many or too large')).length).toBeGreaterThan(90)
  })
})
