import { type CompileEffort, EffortSpent } from '../../../cel/compile-effort.ts'
import { storedEnvironment } from '../../cel/environment.ts'
import type { Structure } from '../structure.ts'
import { type CompiledRule, compileValidationRules } from './compile-rules.ts'
import { type DeclaredType, declaredType } from './declared-type.ts'
import { escapedProperty } from './property-names.ts'
import { withResourceMembers } from './resource-members.ts'

/** For the expressions of one definition. Those of large operators need a tenth of it. */
export const mostExpressionSteps = 50_000

/** The rules of a schema by place. Nodes without rules at or below them are omitted. */
export interface RuleNode {
  /** How rules see values. */
  readonly structure: Structure
  readonly rules: readonly CompiledRule[]
  readonly properties: ReadonlyMap<string, RuleNode>
  readonly items?: RuleNode
  readonly additional?: RuleNode
}

/** Undefined for a schema without rules. */
export function compileRuleTree(root: Structure, effort: CompileEffort): RuleNode | undefined {
  if (!hasRuleWithin(root)) return undefined
  const declared = declaredType(root, 'selfType', true)
  return declared === undefined ? undefined : nodeOf(root, declared, true, effort)
}

export function hasRuleWithin({ rules, properties, items, additional }: Structure): boolean {
  if (rules.length > 0) return true
  if ([...properties.values()].some(hasRuleWithin)) return true
  return (items !== undefined && hasRuleWithin(items)) || (additional !== undefined && hasRuleWithin(additional))
}

function nodeOf(
  structure: Structure,
  declared: DeclaredType,
  isResource: boolean,
  effort: CompileEffort,
): RuleNode | undefined {
  const properties = new Map<string, RuleNode>()
  for (const [name, property] of structure.properties) {
    const node = inner(property, declaredProperty(name, property, declared), effort)
    if (node !== undefined) properties.set(name, node)
  }
  const items = inner(structure.items, declared.items, effort)
  const additional = inner(structure.additional, declared.items, effort)
  const rules = structure.rules.length === 0 ? [] : compiledOrRefused(structure, declared, effort)
  if (rules.length === 0 && properties.size === 0 && items === undefined && additional === undefined) return undefined
  return {
    structure: isResource ? withResourceMembers(structure) : structure,
    rules,
    properties,
    ...(items !== undefined && { items }),
    ...(additional !== undefined && { additional }),
  }
}

function inner(
  structure: Structure | undefined,
  declared: DeclaredType | undefined,
  effort: CompileEffort,
): RuleNode | undefined {
  if (structure === undefined || declared === undefined || !hasRuleWithin(structure)) return undefined
  return nodeOf(structure, declared, structure.isResource, effort)
}

/** A name that expressions cannot use hides the property from rules above it, but not from its own rules. */
function declaredProperty(name: string, property: Structure, { fields }: DeclaredType): DeclaredType | undefined {
  const escaped = escapedProperty(name)
  return escaped === undefined ? declaredType(property, 'selfType', property.isResource) : fields?.get(escaped)
}

function compiledOrRefused(
  structure: Structure,
  declared: DeclaredType,
  effort: CompileEffort,
): readonly CompiledRule[] {
  try {
    return compileValidationRules(structure, declared, effort, storedEnvironment)
  } catch (error) {
    if (!(error instanceof EffortSpent)) throw error
    return structure.rules.map((rule) => ({ rule, problem: error.message, fieldPath: '', usesOldSelf: false }))
  }
}
