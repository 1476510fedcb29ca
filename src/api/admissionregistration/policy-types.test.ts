import { describe, expect, it } from 'vitest'
import { atOnce } from '../../base/steps.ts'
import { builtinKinds } from '../builtin-kinds.ts'
import type { Kind } from '../kind.ts'
import type { Schema } from '../schema.ts'
import type { ValidatingAdmissionPolicySpec } from '../types/admissionregistration-v1.ts'
import { type PolicyKinds, typeWarnings } from './policy-types.ts'

const integer: Schema = { type: 'integer' }

function kindNamed(name: string): Kind {
  const found = builtinKinds().find(({ kind }) => kind === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}

const kindsOf = (...names: readonly string[]) => ({ matched: names.map(kindNamed), params: undefined })

function warningsOf(spec: ValidatingAdmissionPolicySpec, kinds: PolicyKinds = kindsOf('Deployment')) {
  return atOnce(typeWarnings(spec, kinds))
}

function told(expression: string, ...names: readonly string[]): string {
  const spec = { validations: [{ expression }] }
  return warningsOf(spec, names.length === 0 ? undefined : kindsOf(...names))[0]?.warning ?? ''
}

describe('a policy is checked against the kinds that it names', () => {
  it.each([
    'object.spec.replicas > 1',
    'oldObject == null || object.spec.replicas >= oldObject.spec.replicas',
    "object.metadata.labels['a'] == 'b' && has(object.metadata.annotations)",
    'object.spec.template.spec.containers.all(c, c.image.startsWith("a/") && c.ports.all(p, p.containerPort < 10))',
    'object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.strategy.rollingUpdate.maxSurge == "10%"',
    "quantity(object.spec.template.spec.containers[0].resources.limits['cpu']).isLessThan(quantity('1'))",
    'request.userInfo.username != "a" && namespaceObject.metadata.name == "b"',
    "namespaceObject == null || namespaceObject.metadata.labels['a'] == 'b' && namespaceObject.status.phase == 'Active'",
    "has(namespaceObject.metadata.deletionTimestamp) && namespaceObject.status.conditions.all(c, c.type != 'x')",
    "authorizer.group('').resource('pods').check('get').allowed()",
  ])('%s is fine for a Deployment', (expression) => {
    expect(told(expression)).toBe('')
  })

  it('reports the error and its position, as Kubernetes does', () => {
    expect(told('object.spec.replicass > 1')).toBe(
      "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicass'\n | object.spec.replicass > 1\n | ...........^\n",
    )
    expect(told("object.spec.replicas > '1'")).toContain(
      "found no matching overload for '_>_' applied to '(int, string)'",
    )
    expect(told('request.users == 1')).toContain("undefined field 'users'")
    expect(told("namespaceObject.metadata.label['a'] == 'b'")).toContain("undefined field 'label'")
    expect(told('namespaceObject.metadata.name == 1')).toContain(
      "found no matching overload for '_==_' applied to '(string, int)'",
    )
  })

  it('warns about each kind that fails the type check', () => {
    expect(told('object.spec.replicas > 1', 'ConfigMap', 'Deployment', 'Pod').split('\n\n')).toEqual([
      expect.stringMatching(/^\/v1, Kind=ConfigMap: ERROR: .* undefined field 'spec'/),
      expect.stringMatching(/^\/v1, Kind=Pod: ERROR: .* undefined field 'replicas'/),
    ])
  })

  it('checks messages and variables too, and names the field', () => {
    const variables = [{ name: 'n', expression: 'object.spec.replicas' }]
    const validations = [
      { expression: 'variables.n > 1' },
      { expression: "variables.n > 'a'", messageExpression: 'object.spec.wrong' },
    ]
    expect(warningsOf({ variables, validations }).map(({ fieldRef }) => fieldRef)).toEqual([
      'spec.validations[1].expression',
      'spec.validations[1].messageExpression',
    ])
  })

  it('has types for parameters if their kind is served', () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'params.spec == 1' }],
    }
    const [known] = warningsOf(spec, { ...kindsOf('Pod'), params: kindNamed('ConfigMap') })
    expect(known?.warning).toContain("undefined field 'spec'")
    expect(warningsOf(spec)[0]?.warning).toContain("undeclared reference to 'params'")
  })

  it('accepts a recursive kind, and a kind without a known schema', () => {
    const schema: Schema = {
      type: 'object',
      get properties() {
        return { next: schema, n: integer, any: { type: 'object', preserveUnknownFields: true } } as const
      },
    }
    const kinds = { matched: [{ group: 'a', version: 'v1', kind: 'Loop', schema }], params: undefined }
    const problem = (expression: string) => warningsOf({ validations: [{ expression }] }, kinds)[0]?.warning ?? ''
    expect(problem(`object.${'next.'.repeat(50)}n == 1 && object.any.thing == 'b'`)).toBe('')
    expect(problem(`object.${'next.'.repeat(50)}m == 1`)).toContain("undefined field 'm'")
  })
})

describe('a hostile policy', () => {
  it('gets at most 100 warnings of at most 4,096 characters', () => {
    const kinds = kindsOf(...['Pod', 'ConfigMap', 'Secret', 'Service', 'Deployment', 'Job', 'CronJob', 'Node', 'Lease'])
    const validations = Array.from({ length: 300 }, () => ({ expression: `object.a.${'b.'.repeat(100)}c == 1` }))
    const warnings = warningsOf({ validations }, kinds)
    expect(warnings.length).toBe(100)
    expect(Math.max(...warnings.map(({ warning }) => warning?.length ?? 0))).toBeLessThanOrEqual(4_096)
  })

  it('has one compile budget for each kind', () => {
    const validations = Array.from({ length: 90 }, () => ({ expression: `[${'1,'.repeat(2_000)}1] == [2]` }))
    const warnings = warningsOf({ validations })
    expect(warnings.at(-1)?.warning).toContain('type checking error: the expressions are too many or too large')
  })
})
