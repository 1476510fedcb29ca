import type { CelProgram } from '../../../cel/compile.ts'
import { type CompileEffort, EffortSpent } from '../../../cel/compile-effort.ts'
import { unlimited } from '../../../cel/cost/range.ts'
import { kubernetesEnvironment } from '../../cel/environment.ts'
import { type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import { extension, type SchemaNode, schemaMember } from '../schema-node.ts'
import type { Structure } from '../structure.ts'
import { type CompiledRule, compileValidationRules } from './compile-rules.ts'
import { type DeclaredType, declaredType, mostBytes } from './declared-type.ts'
import { escapedProperty } from './property-names.ts'

/** The maximum cost of one rule, and of all rules of a schema together, for the largest possible object. */
const mostRuleCost = 10_000_000
const mostSchemaCost = 100_000_000
/** How many rules are named if the sum is too high. */
const mostNamed = 4

interface ExpensiveRule {
  readonly path: string
  readonly cost: number
}

interface Found {
  readonly errors: FieldError[]
  readonly effort: CompileEffort
  readonly expensive: ExpensiveRule[]
  total: number
}

/** The place of a rule. */
interface Place {
  readonly path: string
  readonly declared: DeclaredType | undefined
  /** The maximum number of values; undefined: as many as fit into an object. */
  readonly count: number | undefined
  /** The list in which items cannot be matched with their previous state. */
  readonly uncorrelated?: string
}

/** What is wrong with the expressions of an otherwise valid schema. */
export function expressionErrors(
  root: Structure,
  node: SchemaNode,
  path: string,
  effort: CompileEffort,
): readonly FieldError[] {
  const found: Found = { errors: [], effort, expensive: [], total: 0 }
  const declared = declaredType(root, 'selfType', true)
  try {
    check(root, node, { path, declared, count: 1 }, found)
  } catch (error) {
    if (!(error instanceof EffortSpent)) throw error
    return [...found.errors, forbiddenField(path, `${extension.validations}: ${error.message}`)]
  }
  return [...found.errors, ...totalErrors(found, path)]
}

/** Nested nodes come first. */
function check(structure: Structure, node: SchemaNode, place: Place, found: Found): void {
  const { path, declared, uncorrelated } = place
  const kept = uncorrelated === undefined ? {} : { uncorrelated }
  const count = innerCount(structure, place.count)
  const { additional, items } = structure
  if (additional !== undefined) {
    check(
      additional,
      innerNode(node, 'additionalProperties'),
      { ...kept, path: `${path}.additionalProperties`, declared: declared?.items, count },
      found,
    )
  }
  const nodes = innerNode(node, 'properties')
  for (const [name, property] of structure.properties) {
    const type = declaredProperty(name, property, declared)
    check(
      property,
      innerNode(nodes, name),
      { ...kept, path: `${path}.properties[${name}]`, declared: type, count },
      found,
    )
  }
  if (items !== undefined) {
    const within = structure.listType === 'map' ? kept : { uncorrelated: uncorrelated ?? path }
    check(
      items,
      innerNode(node, 'items'),
      { ...within, path: `${path}.items`, declared: declared?.items, count },
      found,
    )
  }
  if (structure.rules.length > 0) checkOwn(structure, node, place, found)
}

function innerNode(node: SchemaNode, name: string): SchemaNode {
  const value = schemaMember(node, name)
  return typeof value === 'object' && value !== null ? (value as SchemaNode) : {}
}

function declaredProperty(
  name: string,
  property: Structure,
  declared: DeclaredType | undefined,
): DeclaredType | undefined {
  const escaped = escapedProperty(name)
  return escaped === undefined
    ? declaredType(property, 'selfType', property.isResource)
    : declared?.fields?.get(escaped)
}

function innerCount({ type, additional, checks }: Structure, count: number | undefined): number | undefined {
  if (count === undefined) return undefined
  const limit = type === 'array' ? checks.maxItems : additional === undefined ? 1 : checks.maxProperties
  return limit === undefined ? undefined : count * Math.max(0, limit)
}

function checkOwn(structure: Structure, node: SchemaNode, place: Place, found: Found): void {
  const { path, declared } = place
  const at = `${path}.${extension.validations}`
  if (declared === undefined) {
    const reason = 'rules need a schema that says what type a value has'
    found.errors.push(forbiddenField(at, reason))
    return
  }
  const shown = schemaMember(node, extension.validations)
  const count = place.count ?? Math.floor(mostBytes / (declared.leastLength + 1))
  compileValidationRules(structure, declared, found.effort, kubernetesEnvironment).forEach((compiled, index) => {
    const value = Array.isArray(shown) ? shown[index] : compiled.rule
    const problem = compiled.problem ?? flawText(compiled.program)
    if (problem === undefined) found.errors.push(...ruleCostErrors(compiled, `${at}[${index}].rule`, count, found))
    else found.errors.push(invalidField(`${at}[${index}].rule`, value, problem))
    found.errors.push(...messageErrors(compiled, `${at}[${index}].messageExpression`, value, found))
    found.errors.push(...oldSelfErrors(compiled, `${at}[${index}]`, place))
  })
}

function flawText(program: CelProgram | undefined): string | undefined {
  const flaw = program?.flaw()
  if (flaw === undefined) return undefined
  return `${flaw.stage === 'compilation' ? 'compilation' : 'program instantiation'} failed: ${flaw.text}`
}

function ruleCostErrors({ program }: CompiledRule, path: string, count: number, found: Found): readonly FieldError[] {
  const cost = Math.min(unlimited, (program?.mostCost() ?? 0) * count)
  note(found, path, cost)
  return cost > mostRuleCost ? [forbiddenField(path, tooCostly('estimated rule cost', cost, mostRuleCost))] : []
}

function note(found: Found, path: string, cost: number): void {
  found.total = Math.min(unlimited, found.total + cost)
  if (cost < mostSchemaCost / 100) return
  found.expensive.push({ path, cost })
  found.expensive.sort((left, right) => right.cost - left.cost)
  found.expensive.length = Math.min(found.expensive.length, mostNamed)
}

function messageErrors(
  { message, messageProblem }: CompiledRule,
  path: string,
  value: unknown,
  found: Found,
): readonly FieldError[] {
  if (messageProblem !== undefined) return [invalidField(path, value, messageProblem)]
  if (message === undefined) return []
  const flaw = message.flaw()
  if (flaw !== undefined) return [invalidField(path, value, `messageExpression ${flaw.stage} failed: ${flaw.text}`)]
  const cost = message.mostCost()
  note(found, path, cost)
  if (cost <= mostRuleCost) return []
  return [forbiddenField(path, tooCostly('estimated messageExpression cost', cost, mostRuleCost))]
}

function oldSelfErrors(
  { rule, usesOldSelf }: CompiledRule,
  path: string,
  { uncorrelated }: Place,
): readonly FieldError[] {
  if (usesOldSelf && uncorrelated !== undefined) {
    const reason = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
    return [invalidField(`${path}.rule`, rule.rule, reason)]
  }
  if (usesOldSelf || rule.optionalOldSelf === undefined) return []
  return [
    invalidField(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
  ]
}

function totalErrors({ total, expensive }: Found, path: string): readonly FieldError[] {
  if (total <= mostSchemaCost) return []
  const reason = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
  return [
    ...expensive.map(({ path }) => forbiddenField(path, reason)),
    forbiddenField(path, tooCostly(name, total, mostSchemaCost)),
  ]
}

function tooCostly(name: string, cost: number, limit: number): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${name} exceeds budget by factor of ${excess(cost / limit)} (${advice})`
}

function excess(factor: number): string {
  if (factor > 100) return 'more than 100x'
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`
}
