import { atOnce } from '../../../base/steps.ts'
import { compileEffort } from '../../../cel/compile-effort.ts'
import { badRequest } from '../../error.ts'
import { type FieldError, invalidFieldAs } from '../../field-error.ts'
import { goSource } from '../../human/go-print.ts'
import { shortened } from '../../human/shortened.ts'
import { type Compiled, compileStructure } from '../compile.ts'
import { completed } from '../prune-and-default.ts'
import { evaluateRules, type RuleAllowance } from '../rules/evaluate-rules.ts'
import { compileRuleTree, hasRuleWithin, mostExpressionSteps, type RuleNode } from '../rules/rule-tree.ts'
import type { SchemaEffort } from '../schema-effort.ts'
import { extension, namedNodesAt, nodeAt, type SchemaNode, schemaMember } from '../schema-node.ts'
import type { Structure } from '../structure.ts'
import { validateValue } from '../validate.ts'
import { isSpent } from '../validation-context.ts'

/**
 * What is wrong with the defaults of a structural schema. Those below `additionalProperties` are not checked. A default
 * of the whole object is one of an object with a type and metadata.
 */
export function schemaDefaultErrors(schema: SchemaNode, path: string, effort: SchemaEffort): readonly FieldError[] {
  const errors: FieldError[] = []
  checkDefaults({ ...schema, [extension.embeddedResource]: true }, path, effort, errors)
  return errors
}

function checkDefaults(node: SchemaNode, path: string, effort: SchemaEffort, errors: FieldError[]): void {
  if (isSpent(effort.budget)) return
  errors.push(...ownDefaultErrors(node, path, effort))
  const items = nodeAt(node, 'items')
  if (items !== undefined) checkDefaults(items, `${path}.items`, effort, errors)
  for (const [name, each] of namedNodesAt(node, 'properties')) {
    checkDefaults(each, `${path}.properties[${name}]`, effort, errors)
  }
}

/** The schema must accept a default, without pruning anything. It may repeat items of a list. */
function ownDefaultErrors(node: SchemaNode, path: string, { compiled, budget }: SchemaEffort): readonly FieldError[] {
  const fallback = schemaMember(node, 'default')
  if (fallback === undefined) return []
  const structure = compileStructure(node, compiled)
  const unknownFields = unknownIn(structure, fallback)
  if ('field' in unknownFields) return [{ ...unknownFields, field: `${path}.default.${unknownFields.field}` }]
  const isPruned = unknownFields.length > 0
  const errors = validateValue(structure, fallback, undefined, budget)
  return [
    ...(isPruned
      ? [invalidFieldAs(`${path}.default`, shortened(goSource(fallback)), 'must not have unknown fields')]
      : []),
    ...errors
      .filter(({ reason }) => reason !== 'FieldValueDuplicate')
      .map((error) => ({ ...error, field: `${path}.default${belowDefault(error.field)}` })),
  ]
}

/** Invalid metadata inside is reported instead. */
function unknownIn(structure: Structure, fallback: unknown): readonly string[] | FieldError {
  let problem: FieldError | undefined
  const refuseMetadata = (field: string, value: unknown, reason: string) => {
    problem = invalidFieldAs(field, shortened(goSource(value)), reason)
    return badRequest(reason)
  }
  try {
    return completed(structure, fallback, undefined, { refuseMetadata }).unknownFields
  } catch (error) {
    if (problem === undefined) throw error
    return problem
  }
}

/** Checks defaults against rules, as far as that is cheap: it blocks everything else meanwhile. */
export function defaultRuleErrors(schema: SchemaNode, path: string, { compiled }: SchemaEffort): readonly FieldError[] {
  if (!hasRuledDefault(schema, compiled)) return []
  const errors: FieldError[] = []
  const allowance = { budget: mostDefaultCost, work: mostDefaultCost }
  const check = (node: SchemaNode, at: string, rules: RuleNode | undefined): void => {
    if (rules === undefined) return
    const fallback = schemaMember(node, 'default')
    if (fallback !== undefined) {
      const found = verdictsOn(fallback, rules, allowance)
      errors.push(...found.map((error) => ({ ...error, field: `${at}.default${below(error.field)}` })))
    }
    const items = nodeAt(node, 'items')
    if (items !== undefined) check(items, `${at}.items`, rules.items)
    for (const [name, each] of namedNodesAt(node, 'properties')) {
      check(each, `${at}.properties[${name}]`, rules.properties.get(name))
    }
  }
  check(schema, path, compileRuleTree(compileStructure(schema, compiled), compileEffort(mostExpressionSteps)))
  return errors
}

const mostDefaultCost = 200_000

/** Most schemas have none, and their rules need not be compiled again. */
function hasRuledDefault(node: SchemaNode, compiled: Compiled): boolean {
  if (schemaMember(node, 'default') !== undefined) return hasRuleWithin(compileStructure(node, compiled))
  const items = nodeAt(node, 'items')
  if (items !== undefined && hasRuledDefault(items, compiled)) return true
  return namedNodesAt(node, 'properties').some(([, each]) => hasRuledDefault(each, compiled))
}

/** As an existing value, and if there are no errors, as a new one. */
function verdictsOn(fallback: unknown, rules: RuleNode, allowance: RuleAllowance): readonly FieldError[] {
  const kept = atOnce(evaluateRules(rules, fallback, fallback, { allowance })).errors
  const found = kept.length > 0 ? kept : atOnce(evaluateRules(rules, fallback, undefined, { allowance })).errors
  return found.filter(isVerdict)
}

/** A default is not refused if a rule could not be evaluated. */
function isVerdict({ message }: FieldError): boolean {
  return !message.includes('no further validation rules will be run')
}

/** As in Kubernetes, a dot precedes an index too. */
function belowDefault(field: string): string {
  return field.startsWith('[') ? `.${field}` : below(field)
}

function below(field: string): string {
  if (field === '<nil>' || field === '') return ''
  return /^[.[]/.test(field) ? field : `.${field}`
}
