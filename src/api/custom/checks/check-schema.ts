import { atOnce, type Steps } from '../../../base/steps.ts'
import { type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import { compileStructure } from '../compile.ts'
import { expressionErrors } from '../rules/check-expressions.ts'
import { type SchemaEffort, schemaEffort } from '../schema-effort.ts'
import { innerNodes, isSet, type SchemaNode } from '../schema-node.ts'
import { defaultRuleErrors, schemaDefaultErrors } from './check-defaults.ts'
import { keywordErrors } from './check-keywords.ts'
import { statusRootErrors } from './check-status-root.ts'
import { structuralErrors } from './check-structural.ts'
import { unreadableProblem } from './unreadable-schema.ts'

/** The nesting of schemas; those of Pods, which nest much, are not a quarter as deep. */
const mostDepth = 100

export interface SchemaUse {
  readonly effort?: SchemaEffort
  /** Whether `/status` is a separate endpoint. */
  readonly hasStatus?: boolean
}

/**
 * Why a schema is not structural, or not a schema at all. `path` is its path in the definition. As in Kubernetes,
 * defaults are checked once the structure is valid, and rules once everything else is.
 */
export function schemaErrors(schema: SchemaNode, path: string, use: SchemaUse = {}): readonly FieldError[] {
  return atOnce(schemaErrorSteps(schema, path, use))
}

/** `schemaErrors` in steps: each walks the whole schema, which may be large. */
export function* schemaErrorSteps(
  schema: SchemaNode,
  path: string,
  { effort = schemaEffort(), hasStatus = false }: SchemaUse = {},
): Steps<readonly FieldError[]> {
  const deep = tooDeepPath(schema, path, 0)
  if (deep !== undefined) return [forbiddenField(deep, `schemas may be nested at most ${mostDepth} deep`)]
  yield
  const unreadable = unreadableProblem(schema)
  yield
  const structural = unreadable === undefined ? structuralErrors(schema, path, effort) : []
  const isStructural = unreadable === undefined && structural.length === 0
  yield
  const ofDefaults = isStructural ? schemaDefaultErrors(schema, path, effort) : []
  yield
  const ofKeywords = keywordErrors(schema, path, effort.compiled)
  yield
  const errors = [
    ...(hasStatus ? statusRootErrors(schema, path) : []),
    ...(isSet(schema, 'nullable') ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...structural,
    ...ofDefaults,
    ...ofKeywords,
  ]
  if (errors.length > 0) return errors
  if (unreadable !== undefined) return [invalidField(path, '', unreadable)]
  const structure = compileStructure(schema, effort.compiled)
  yield
  const expressions = expressionErrors(structure, schema, path, effort.expressions)
  yield
  return expressions.length > 0 ? expressions : defaultRuleErrors(schema, path, effort)
}

function tooDeepPath(node: SchemaNode, path: string, depth: number): string | undefined {
  if (depth === mostDepth) return path
  for (const [name, inner] of innerNodes(node)) {
    const found = tooDeepPath(inner, `${path}.${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
