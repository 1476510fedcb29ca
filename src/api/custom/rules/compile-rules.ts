import { type CelProgram, compileCel } from '../../../cel/compile.ts'
import type { CompileEffort } from '../../../cel/compile-effort.ts'
import { type CelEnvironment, withVariables } from '../../../cel/environment.ts'
import { optionalType } from '../../../cel/type.ts'
import type { Structure } from '../structure.ts'
import type { DeclaredType } from './declared-type.ts'
import { ruleFieldPath } from './field-path.ts'
import type { ValidationRule } from './validation-rule.ts'

/** A rule that can be evaluated, or the problem that prevents it. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly program?: CelProgram
  readonly problem?: string
  readonly message?: CelProgram
  readonly messageProblem?: string
  /** Relative to the path of the rule. */
  readonly fieldPath: string
  readonly usesOldSelf: boolean
}

/** `base`: what rules may call. */
export function compileValidationRules(
  structure: Structure,
  declared: DeclaredType,
  effort: CompileEffort,
  base: CelEnvironment,
): readonly CompiledRule[] {
  const plain = ruleEnvironment(declared, base, false)
  const optional = ruleEnvironment(declared, base, true)
  return structure.rules.map((rule) =>
    compileRule(rule, structure, rule.optionalOldSelf === true ? optional : plain, effort),
  )
}

function ruleEnvironment({ type, sizes }: DeclaredType, base: CelEnvironment, isOldOptional: boolean): CelEnvironment {
  return withVariables(
    base,
    new Map([
      ['self', { type, sizes }],
      ['oldSelf', { type: isOldOptional ? optionalType(type) : type, sizes }],
    ]),
  )
}

function compileRule(
  rule: ValidationRule,
  structure: Structure,
  environment: CelEnvironment,
  effort: CompileEffort,
): CompiledRule {
  const fieldPath = ruleFieldPath(rule.fieldPath, structure) ?? ''
  const bare = { rule, fieldPath, usesOldSelf: false }
  if (rule.rule.trim() === '') return bare
  const program = compileCel(rule.rule, environment, effort)
  if ('problem' in program) return { ...bare, problem: `compilation failed: ${program.problem}` }
  if (program.resultType.kind !== 'bool') return { ...bare, problem: 'cel expression must evaluate to a bool' }
  const compiled = { ...bare, program, usesOldSelf: program.variables.has('oldSelf') }
  if (rule.messageExpression === '') return compiled
  const message = compileCel(rule.messageExpression, environment, effort)
  if ('problem' in message) {
    return { ...compiled, messageProblem: `messageExpression compilation failed: ${message.problem}` }
  }
  if (message.resultType.kind !== 'string') {
    return { ...compiled, messageProblem: 'messageExpression must evaluate to a string' }
  }
  return { ...compiled, message }
}
