import { atOnce } from '../../base/pace.ts'
import { compileEffort } from '../../cel/compile-effort.ts'
import { badRequest } from '../error.ts'
import { type FieldError, invalidFieldAs } from '../field-error.ts'
import { goSource } from '../human/go-print.ts'
import { shortened } from '../human/shortened.ts'
import { compileStructure } from './compile.ts'
import { completed } from './prune-and-default.ts'
import { evaluateRules } from './rules/evaluate-rules.ts'
import { compileRuleTree, mostExpressionSteps } from './rules/rule-tree.ts'
import type { SchemaEffort } from './schema-effort.ts'
import { extension, namedNodesAt, nodeAt, type SchemaNode, schemaMember } from './schema-node.ts'
import type { Structure } from './structure.ts'
import { validateValue } from './validate.ts'
import { isSpent } from './validation-context.ts'

/**
 * What is wrong with the defaults of a schema that is structural. Those below `additionalProperties` are not looked at. A
 * default of the whole object is one of an object with a type and metadata.
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

/** A default must be what the schema would accept, with nothing that would be pruned. It may repeat items of a list. */
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
      .map((error) => ({ ...error, field: `${path}.default${below(error.field)}` })),
  ]
}

/** Metadata inside that cannot be read is told instead. */
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

/** What rules say of defaults. They may cost less than those of an object: nothing else has its turn meanwhile. */
export function defaultRuleErrors(schema: SchemaNode, path: string, { compiled }: SchemaEffort): readonly FieldError[] {
  const errors: FieldError[] = []
  const effort = compileEffort(mostExpressionSteps)
  const allowance = { budget: mostDefaultCost, work: mostDefaultCost }
  const check = (node: SchemaNode, at: string): void => {
    const fallback = schemaMember(node, 'default')
    const tree = fallback === undefined ? undefined : compileRuleTree(compileStructure(node, compiled), effort, false)
    if (tree !== undefined && allowance.budget > 0) {
      const found = atOnce(evaluateRules(tree, fallback, fallback, allowance)).errors
      const fresh = found.length > 0 ? found : atOnce(evaluateRules(tree, fallback, undefined, allowance)).errors
      if (allowance.budget > 0)
        errors.push(
          ...fresh.filter(isVerdict).map((error) => ({ ...error, field: `${at}.default${below(error.field)}` })),
        )
    }
    const items = nodeAt(node, 'items')
    if (items !== undefined) check(items, `${at}.items`)
    for (const [name, each] of namedNodesAt(node, 'properties')) check(each, `${at}.properties[${name}]`)
  }
  check(schema, path)
  return errors
}

const mostDefaultCost = 200_000

/** All rules compile by now, so that one that does not has found no room. */
function isVerdict({ message }: FieldError): boolean {
  return !message.includes('rule compile error')
}

function below(field: string): string {
  if (field === '<nil>' || field === '') return ''
  return /^[.[]/.test(field) ? field : `.${field}`
}
