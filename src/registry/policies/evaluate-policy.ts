import { evaluateConditions } from '../../api/admissionregistration/match-conditions.ts'
import type {
  AnnotationExpression,
  PolicyExpressions,
  PolicyValidation,
} from '../../api/admissionregistration/policy-expressions.ts'
import { CelAllowance, type CelVariables } from '../../api/cel/allowance.ts'
import { mostRequestCost } from '../../api/cel/environment.ts'
import type { CelExpression } from '../../api/cel/expression.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import { shortened } from '../../api/human/shortened.ts'
import type { Steps } from '../../base/steps.ts'
import { mostWork } from '../../cel/meter.ts'
import { type CelMap, type CelResult, type CelValue, failure, noSuchOverload } from '../../cel/value.ts'

/** A violation of a policy, or an error in its evaluation. */
export interface PolicyFinding {
  readonly message: string
  readonly reason: string
  /** The policy could not be evaluated. Its failurePolicy decides whether that refuses the request. */
  readonly isError: boolean
  /** The index of the validation. */
  readonly expressionIndex: number
  /** An audit annotation could not be evaluated. Such a request is refused whatever a binding says. */
  readonly isOfAnnotation?: true
}

/** An audit annotation. In the audit event, the name of the policy precedes the key. */
export interface PolicyAnnotation {
  readonly key: string
  readonly value: string
}

export interface PolicyOutcome {
  readonly findings: readonly PolicyFinding[]
  readonly annotations: readonly PolicyAnnotation[]
}

/** For all expressions of a policy in one request; this bounds the memory of its variables. */
const mostPolicyWork = 2 * mostWork

const mostFindings = 100

/** Evaluates a policy, with a rest after each expression. Conditions come first; if one is false, the rest is skipped. */
export function* evaluatePolicy(expressions: PolicyExpressions, given: CelVariables): Steps<PolicyOutcome> {
  const met = yield* evaluateConditions(expressions.conditions, given)
  if ('problem' in met) return { findings: [errorFinding(met.problem, 0)], annotations: [] }
  if (!met.isMatch) return { findings: [], annotations: [] }
  const evaluation = new PolicyEvaluation(given)
  for (const [name, expression] of expressions.variables) {
    evaluation.declare(name, expression)
    yield
  }
  const findings: PolicyFinding[] = []
  for (const [expressionIndex, validation] of expressions.validations.entries()) {
    if (findings.length >= mostFindings) break
    const value = evaluation.evaluate(validation.expression)
    yield
    if (value === true) continue
    if (typeof value === 'object' && value?.kind === 'failure') {
      findings.push(errorOf(validation.expression, value.message, expressionIndex))
    } else {
      findings.push({
        message: messageOf(validation, evaluation),
        reason: validation.reason || 'Invalid',
        isError: false,
        expressionIndex,
      })
      yield
    }
  }
  const { annotations, failed } = yield* annotationsOf(expressions.annotations, evaluation)
  return { findings: [...findings, ...failed], annotations }
}

function errorOf({ text }: CelExpression, problem: string, expressionIndex: number): PolicyFinding {
  return errorFinding(`expression '${shortened(text)}' resulted in error: ${problem}`, expressionIndex)
}

function errorFinding(message: string, expressionIndex: number): PolicyFinding {
  return { message, reason: 'Invalid', isError: true, expressionIndex }
}

const longestAnnotation = 4_096

function* annotationsOf(
  expressions: readonly AnnotationExpression[],
  evaluation: PolicyEvaluation,
): Steps<{ readonly annotations: readonly PolicyAnnotation[]; readonly failed: readonly PolicyFinding[] }> {
  const annotations: PolicyAnnotation[] = []
  const failed: PolicyFinding[] = []
  for (const [index, { key, expression }] of expressions.entries()) {
    const value = evaluation.evaluate(expression)
    yield
    if (typeof value === 'string') {
      const text = value.slice(0, longestAnnotation).trim()
      if (text !== '') annotations.push({ key, value: text })
    } else if (typeof value === 'object' && value?.kind === 'failure') {
      const message = `valueExpression '${shortened(expression.text)}' resulted in error: ${value.message}`
      failed.push({ ...errorFinding(message, index), isOfAnnotation: true })
    }
  }
  return { annotations, failed }
}

const longestMessage = 5 * 1024

function messageOf({ expression, message, messageExpression }: PolicyValidation, evaluation: PolicyEvaluation): string {
  const told = messageExpression === undefined ? '' : evaluation.evaluate(messageExpression)
  const text = typeof told === 'string' ? told.trim() : ''
  if (text !== '' && text.length <= longestMessage && !text.includes('\n')) return text
  return message.trim() === '' ? `failed expression: ${shortened(expression.text.trim())}` : message.trim()
}

/** Evaluates the expressions of a policy for one request, within one allowance. */
class PolicyEvaluation {
  readonly #given: CelVariables
  readonly #known = new Map<string, CelResult>()
  readonly #allowance = new CelAllowance(mostRequestCost, mostPolicyWork)

  constructor(given: CelVariables) {
    this.#given = { ...given, variables: this.#variables() }
  }

  evaluate(expression: CelExpression): CelResult {
    const outcome = this.#allowance.evaluate(expression, this.#given)
    return 'value' in outcome ? outcome.value : failure(outcome.problem)
  }

  /** Declares a variable for later expressions. If it fails, only expressions that use it fail. */
  declare(name: string, expression: CelExpression): void {
    const value = this.evaluate(expression)
    const isFailure = typeof value === 'object' && value?.kind === 'failure'
    const problem = `composited variable ${quoted(name)} fails to evaluate: `
    this.#known.set(name, isFailure ? failure(problem + value.message) : value)
  }

  #variables(): CelMap {
    const known = this.#known
    return {
      kind: 'map',
      get size() {
        return known.size
      },
      find: (key) => (typeof key === 'string' ? known.get(key) : noSuchOverload),
      keys: (): readonly CelValue[] => [...known.keys()],
    }
  }
}
