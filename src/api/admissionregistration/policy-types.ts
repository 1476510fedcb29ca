import type { Steps } from '../../base/steps.ts'
import { compileCel } from '../../cel/compile.ts'
import { type CompileEffort, compileEffort, EffortSpent } from '../../cel/compile-effort.ts'
import type { CelEnvironment } from '../../cel/environment.ts'
import { mostAdmissionSteps, typedPolicyEnvironment } from '../cel/admission-environment.ts'
import { schemaCelType } from '../cel/schema-type.ts'
import type { Kind } from '../kind.ts'
import type { ExpressionWarning, ValidatingAdmissionPolicySpec } from '../types/admissionregistration-v1.ts'
import { requestType } from './match-conditions.ts'
import { withPolicyVariables } from './policy-expressions.ts'

export type TypedKind = Pick<Kind, 'group' | 'version' | 'kind' | 'schema'>

/** The served kinds that a policy refers to. */
export interface PolicyKinds {
  readonly matched: readonly TypedKind[]
  /** Undefined: it has no parameters, or their kind is not served. */
  readonly params: TypedKind | undefined
}

const mostWarnings = 100
const longestWarning = 4_096

/**
 * What is wrong with the expressions of a policy for objects of the kinds that it matches, in the words of Kubernetes.
 * It does not affect the policy. Each kind gets as much effort as the policy had when it was written.
 */
export function* typeWarnings(
  spec: ValidatingAdmissionPolicySpec,
  { matched, params }: PolicyKinds,
): Steps<readonly ExpressionWarning[]> {
  const checks: TypeCheck[] = []
  for (const kind of matched) {
    checks.push(typeCheck(spec, kind, params))
    yield
  }
  const warnings: ExpressionWarning[] = []
  for (const { fieldRef, expression } of expressionsOf(spec)) {
    if (warnings.length >= mostWarnings) break
    const found: string[] = []
    for (const check of checks) {
      const problem = check(expression)
      if (problem !== undefined) found.push(problem)
      yield
    }
    if (found.length > 0) warnings.push({ fieldRef, warning: found.join('\n').slice(0, longestWarning) })
  }
  return warnings
}

interface PlacedExpression {
  readonly fieldRef: string
  readonly expression: string
}

function expressionsOf({ validations = [] }: ValidatingAdmissionPolicySpec): readonly PlacedExpression[] {
  return validations.flatMap(({ expression, messageExpression = '' }, index) => {
    const at = `spec.validations[${index}]`
    const message = { fieldRef: `${at}.messageExpression`, expression: messageExpression }
    return [{ fieldRef: `${at}.expression`, expression }, ...(messageExpression === '' ? [] : [message])]
  })
}

type TypeCheck = (expression: string) => string | undefined

function typeCheck(
  { variables = [] }: ValidatingAdmissionPolicySpec,
  matched: TypedKind,
  params: TypedKind | undefined,
): TypeCheck {
  const effort = compileEffort(mostAdmissionSteps)
  const bare = typedPolicyEnvironment({
    object: schemaCelType(matched.schema, matched.kind),
    request: requestType,
    params: params && schemaCelType(params.schema, params.kind),
  })
  const environment = withPolicyVariables(variables, bare, effort)
  const { group, version, kind } = matched
  return (expression) => {
    const problem = problemOf(expression, environment, effort)
    return problem === undefined ? undefined : `${group}/${version}, Kind=${kind}: ${problem}\n`
  }
}

function problemOf(expression: string, environment: CelEnvironment, effort: CompileEffort): string | undefined {
  try {
    const compiled = compileCel(expression, environment, effort)
    return 'problem' in compiled ? compiled.problem : undefined
  } catch (error) {
    if (error instanceof EffortSpent) return `type checking error: ${error.message}`
    throw error
  }
}
