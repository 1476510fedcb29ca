import { kubernetesEnvironment, mostExpressionCost } from '../../src/api/cel/environment.ts'
import { jsonCelValue } from '../../src/api/cel/json-value.ts'
import { compileStructure } from '../../src/api/custom/compile.ts'
import { evaluateRules } from '../../src/api/custom/rules/evaluate-rules.ts'
import { compileRuleTree } from '../../src/api/custom/rules/rule-tree.ts'
import { atOnce } from '../../src/base/steps.ts'
import { type CelProgram, compileCel } from '../../src/cel/compile.ts'
import { compileEffort } from '../../src/cel/compile-effort.ts'
import { withVariables } from '../../src/cel/environment.ts'
import { dynType } from '../../src/cel/type.ts'

/**
 * CEL evaluations per second and core, and how long the most expensive allowed one takes. Prints one line of JSON for
 * each.
 *
 * npx tsc -p tsconfig.bench.json && node dist-bench/bench/cel/run.js
 */

/** Ten nodes: four names, four fields, and the operators. */
const rule = 'self.min <= self.max && self.max < self.limit'

const integer = { type: 'integer' }
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { min: integer, max: integer, limit: integer },
      'x-kubernetes-validations': [{ rule }],
    },
  },
}
const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: { min: 1, max: 2, limit: 3 } }

const environment = withVariables(kubernetesEnvironment, new Map([['self', { type: dynType }]]))

function programOf(text: string): CelProgram {
  const program = compileCel(text, environment, compileEffort(50_000))
  if ('problem' in program) throw new Error(program.problem)
  return program
}

function perSecond(count: number, once: () => void): number {
  for (let index = 0; index < count / 4; index++) once()
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) once()
  const { user, system } = process.cpuUsage(before)
  return Math.round((count * 1e6) / (user + system))
}

function milliseconds(once: () => void): number {
  once()
  const before = process.cpuUsage()
  once()
  return Math.round(process.cpuUsage(before).user / 1000)
}

function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const program = programOf(rule)
const self = jsonCelValue(object.spec)
print({
  measure: 'evaluations of ten nodes, per core and second',
  rate: perSecond(500_000, () => program.evaluate({ self }, mostExpressionCost)),
})

const tree = compileRuleTree(compileStructure(schema), compileEffort(50_000))
if (tree === undefined) throw new Error('The schema has no rules.')
print({
  measure: 'objects held against a rule of ten nodes, per core and second',
  rate: perSecond(200_000, () => atOnce(evaluateRules(tree, object))),
})

print({
  measure: 'rules of ten nodes compiled, per core and second',
  rate: perSecond(5_000, () => programOf(rule)),
})

const items = jsonCelValue({ list: Array.from({ length: 1000 }, (_, index) => ({ n: index, t: `text-${index}` })) })
for (const text of [
  'self.list.all(a, self.list.all(b, a.n == b.n || a.t != b.t))',
  'self.list.map(a, self.list.map(b, a.n + b.n)).size() > 0',
  'self.list.all(a, self.list.all(b, (a.t + b.t).matches("^t.*[0-9]+$")))',
  'self.list.map(a, a.t + a.t).map(a, a + a).map(a, a + a).map(a, a.split("")).size() > 0',
]) {
  const heavy = programOf(text)
  const outcome = heavy.evaluate({ self: items }, mostExpressionCost)
  const ms = milliseconds(() => heavy.evaluate({ self: items }, mostExpressionCost))
  print({ measure: 'one evaluation that costs as much as it may', text, cost: outcome.cost, ms })
}
