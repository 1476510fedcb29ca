import { deepEqual } from '../../../base/equal.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { lazily } from '../../../base/lazily.ts'
import type { Steps } from '../../../base/steps.ts'
import type { CelOutcome, CelProgram } from '../../../cel/compile.ts'
import { type CelResult, emptyOptional, isFailure, optionalOf } from '../../../cel/value.ts'
import { mostExpressionCost, mostRequestCost, mostRequestWork } from '../../cel/environment.ts'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  maxFieldErrors,
  requiredField,
} from '../../field-error.ts'
import type { Structure } from '../structure.ts'
import { itemsByKey, listMapKey } from '../validate-collection.ts'
import type { CompiledRule } from './compile-rules.ts'
import type { RuleFindings } from './rule-findings.ts'
import type { RuleNode } from './rule-tree.ts'
import { schemaValue } from './schema-value.ts'
import type { ValidationRule } from './validation-rule.ts'

/** A value and its previous state. */
interface Pair {
  readonly old: unknown
  /** Whether they are equal. Needed for every place below, and computed once. */
  readonly isUnchanged: () => boolean
}

function pairOf(value: unknown, old: unknown): Pair {
  return { old, isUnchanged: lazily(() => deepEqual(value, old)) }
}

interface Place {
  readonly value: unknown
  /** Undefined if there was none, or if it is unknown. */
  readonly old: unknown
  /** Absent if the previous value is unknown. */
  readonly current?: Pair
  /** The nearest place above where it is known. */
  readonly above?: Pair
}

interface Context {
  /** Each with its dot or brackets. */
  readonly path: string[]
  readonly errors: FieldError[]
  readonly warnings: string[]
  /** The cost and work that all rules together may still use. */
  budget: number
  work: number
}

/** The cost and work that all rules together may still use. */
export interface RuleAllowance {
  budget: number
  work: number
}

export interface RuleOptions {
  readonly allowance?: RuleAllowance
  /** Unchanged values are checked as well, as in Kubernetes when a status is written. */
  readonly isStrict?: boolean
}

/** Evaluates the rules of an object's schema, with a rest after each. `old` is absent for a new object. */
export function* evaluateRules(
  tree: RuleNode,
  object: unknown,
  old?: unknown,
  { allowance = { budget: mostRequestCost, work: mostRequestWork }, isStrict = false }: RuleOptions = {},
): Steps<RuleFindings> {
  const context: Context = { path: [], errors: [], warnings: [], ...allowance }
  const hasPair = old !== undefined && !isStrict
  const place = hasPair ? { value: object, old, current: pairOf(object, old) } : { value: object, old }
  yield* nodeFindings(tree, place, context)
  allowance.budget = context.budget
  allowance.work = context.work
  return context
}

function isDone(context: Context): boolean {
  return isOverspent(context) || context.errors.length >= maxFieldErrors
}

function* nodeFindings(node: RuleNode, place: Place, context: Context): Steps<void> {
  const { value } = place
  if (value === null || value === undefined || isDone(context)) return
  if (node.rules.length > 0) yield* ownFindings(node, place, context)
  if (Array.isArray(value)) yield* itemFindings(node, value, place, context)
  else if (isJsonObject(value)) yield* memberFindings(node, value, place, context)
}

function* itemFindings(
  { structure, items }: RuleNode,
  values: readonly unknown[],
  place: Place,
  context: Context,
): Steps<void> {
  if (items === undefined) return
  const before = itemsByKey(structure, place.old)
  const correlated = place.current === undefined ? undefined : itemsByKey(structure, place.current.old)
  for (let at = 0; at < values.length && !isDone(context); at++) {
    const value = values[at]
    const key = before === undefined && correlated === undefined ? '' : listMapKey(structure, value)
    context.path.push(`[${at}]`)
    yield* nodeFindings(
      items,
      below(place, value, before?.get(key), correlated?.has(key), correlated?.get(key)),
      context,
    )
    context.path.pop()
  }
}

function* memberFindings(
  { properties, additional }: RuleNode,
  object: Record<string, unknown>,
  place: Place,
  context: Context,
): Steps<void> {
  if (properties.size === 0 && additional === undefined) return
  const before = asMembers(place.old)
  const correlated = isJsonObject(place.current?.old) ? place.current.old : {}
  const isRoot = context.path.length === 0
  for (const name of Object.keys(object).sort()) {
    const node = properties.get(name) ?? additional
    if (node === undefined || isDone(context)) continue
    const hasOld = Object.hasOwn(correlated, name) && !(isRoot && (name === 'apiVersion' || name === 'kind'))
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    context.path.push(properties.has(name) ? `.${name}` : `[${name}]`)
    yield* nodeFindings(node, below(place, object[name], old, hasOld, correlated[name]), context)
    context.path.pop()
  }
}

function below({ current, above }: Place, value: unknown, old: unknown, isKnown = false, correlated?: unknown): Place {
  const nearest = current ?? above
  return {
    value,
    old,
    ...(isKnown && { current: pairOf(value, correlated) }),
    ...(nearest !== undefined && { above: nearest }),
  }
}

function* ownFindings({ structure, rules }: RuleNode, place: Place, context: Context): Steps<void> {
  const self = schemaValue(structure, place.value)
  const old = place.old === null || place.old === undefined ? undefined : schemaValue(structure, place.old)
  for (const rule of rules) {
    if (isDone(context)) return
    holdAgainst(rule, structure, { place, self, old }, context)
    yield
  }
}

interface Shown {
  readonly place: Place
  readonly self: CelResult
  readonly old: CelResult | undefined
}

function holdAgainst(compiled: CompiledRule, structure: Structure, shown: Shown, context: Context): void {
  const { rule, program, problem, usesOldSelf } = compiled
  const type = structure.isIntOrString ? '' : (structure.type ?? '')
  const at = () => printed(context.path)
  if (problem !== undefined) context.errors.push(invalidField(at(), type, `rule compile error: ${problem}`))
  if (program === undefined) return
  const isOptional = rule.optionalOldSelf === true
  if (usesOldSelf && shown.old === undefined && !isOptional) return
  const variables = { self: shown.self, oldSelf: oldSelf(shown.old, isOptional) }
  const evaluated = program.evaluate(variables, mostExpressionCost, context.work)
  const spent = spend(evaluated, rule, context)
  if (spent !== undefined) {
    context.errors.push(invalidField(at(), type, spent))
  } else if (!('value' in evaluated)) {
    context.errors.push(invalidField(at(), type, failureText(evaluated.problem, rule)))
  } else if (evaluated.value !== true) {
    tellViolation(compiled, type, !usesOldSelf && isUnchanged(shown.place), variables, context)
  }
}

/**
 * Warnings have the same limit as errors. The message may use the rest of the budget; if rules cannot run, the object
 * is refused.
 */
function tellViolation(
  compiled: CompiledRule,
  type: string,
  isWarning: boolean,
  variables: Readonly<Record<string, CelResult>>,
  context: Context,
): void {
  if (isWarning && context.warnings.length >= maxFieldErrors) return
  const error = violation(compiled, type, variables, context)
  if (isWarning) context.warnings.push(`${error.field}: ${error.message}`)
  else context.errors.push(error)
  if (isOverspent(context)) context.errors.push(invalidField(printed(context.path), type, outOfBudget))
}

function printed(path: readonly string[]): string {
  const text = path.join('').replace(/^\./, '')
  return text === '' ? '<nil>' : text
}

function oldSelf(old: CelResult | undefined, isOptional: boolean): CelResult {
  if (!isOptional) return old ?? null
  if (old === undefined) return emptyOptional
  return isFailure(old) ? old : optionalOf(old)
}

/** The problem that stops all further rules, if this one has cost too much. */
function spend(evaluated: CelOutcome, rule: ValidationRule, context: Context): string | undefined {
  if ('isSpent' in evaluated && evaluated.isSpent) {
    context.budget = -1
    return `'${evaluated.problem}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleName(rule)}`
  }
  context.budget -= evaluated.cost
  context.work -= evaluated.work
  return isOverspent(context) ? outOfBudget : undefined
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run'

function isOverspent({ budget, work }: Context): boolean {
  return budget < 0 || work < 0
}

function failureText(problem: string, rule: ValidationRule): string {
  if (!problem.startsWith('no such overload')) return `${problem} evaluating rule: ${ruleName(rule)}`
  return `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleName(rule)}`
}

function ruleName({ rule, message }: ValidationRule): string {
  return (message === '' ? rule : message).trim()
}

/** An unchanged value only leads to a warning, even if the rule became stricter. */
function isUnchanged({ current, above }: Place): boolean {
  return (current ?? above)?.isUnchanged() === true
}

function violation(
  { rule, message, fieldPath }: CompiledRule,
  type: string,
  variables: Readonly<Record<string, CelResult>>,
  context: Context,
): FieldError {
  const field = printed([...context.path, fieldPath])
  const detail = (message === undefined ? undefined : toldBy(message, variables, context)) ?? defaultDetail(rule)
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail)
    case 'FieldValueRequired':
      return requiredField(field, detail)
    case 'FieldValueDuplicate':
      return duplicateField(field, type)
    default:
      return invalidField(field, type, detail)
  }
}

function defaultDetail({ rule, message }: ValidationRule): string {
  return message === '' ? `failed rule: ${rule.trim()}` : message.trim()
}

const longestMessage = 5 * 1024

/** Undefined if the expression fails, or does not yield a message. */
function toldBy(
  message: CelProgram,
  variables: Readonly<Record<string, CelResult>>,
  context: Context,
): string | undefined {
  const evaluated = message.evaluate(variables, mostExpressionCost, context.work)
  context.budget -= evaluated.cost
  context.work -= evaluated.work
  if (!('value' in evaluated) || typeof evaluated.value !== 'string') return undefined
  const text = evaluated.value.trim()
  return text === '' || text.length > longestMessage || text.includes('\n') ? undefined : text
}
