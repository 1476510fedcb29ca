import { mostExpressionCost, mostMatchCost, mostRequestCost } from '../../api/cel/environment.ts'
import { type CelMap, type CelResult, type CelValue, failure, noSuchOverload } from '../../cel/value.ts'
import type { PolicyExpression, PolicyExpressions, PolicyValidation } from './configured-policy.ts'

/** What is wrong with a request. */
export interface PolicyFinding {
  readonly message: string
  readonly reason: string
  /** The policy could not be evaluated: whether that refuses the request is for it to say. */
  readonly isError: boolean
}

export type PolicyVariables = Readonly<Record<string, CelResult>>

/** What a policy finds. Conditions come first, and leave out all the rest if one of them does not hold. */
export function evaluatePolicy(expressions: PolicyExpressions, given: PolicyVariables): readonly PolicyFinding[] {
  const conditions = new PolicyEvaluation(expressions, given, mostMatchCost)
  for (const condition of expressions.conditions) {
    const value = conditions.evaluate(condition)
    if (typeof value === 'object' && value?.kind === 'failure') return [errorOf(condition, value.message)]
    if (value !== true) return []
  }
  const evaluation = new PolicyEvaluation(expressions, given, mostRequestCost)
  return expressions.validations.flatMap((validation) => findingsOf(validation, evaluation))
}

function findingsOf(validation: PolicyValidation, evaluation: PolicyEvaluation): readonly PolicyFinding[] {
  const value = evaluation.evaluate(validation.expression)
  if (value === true) return []
  if (typeof value === 'object' && value?.kind === 'failure') return [errorOf(validation.expression, value.message)]
  return [{ message: messageOf(validation, evaluation), reason: validation.reason || 'Invalid', isError: false }]
}

function errorOf({ text }: PolicyExpression, problem: string): PolicyFinding {
  return { message: `expression '${text}' resulted in error: ${problem}`, reason: 'Invalid', isError: true }
}

const longestMessage = 5 * 1024

function messageOf({ expression, message, messageExpression }: PolicyValidation, evaluation: PolicyEvaluation): string {
  const told = messageExpression === undefined ? '' : evaluation.evaluate(messageExpression)
  const text = typeof told === 'string' ? told.trim() : ''
  if (text !== '' && text.length <= longestMessage && !text.includes('\n')) return text
  return message.trim() === '' ? `failed expression: ${expression.text.trim()}` : message.trim()
}

/** The expressions of a policy for one request, within one budget. Variables are evaluated once, when they are asked for. */
class PolicyEvaluation {
  readonly #expressions: PolicyExpressions
  readonly #given: PolicyVariables
  readonly #known = new Map<string, CelResult>()
  #budget: number

  constructor(expressions: PolicyExpressions, given: PolicyVariables, budget: number) {
    this.#expressions = expressions
    this.#budget = budget
    this.#given = { ...given, variables: this.#variables() }
  }

  evaluate(expression: PolicyExpression): CelResult {
    if ('problem' in expression) return failure(expression.problem)
    if (this.#budget < 0) return failure('validation failed due to running out of cost budget')
    const outcome = expression.program.evaluate(this.#given, mostExpressionCost)
    this.#budget -= outcome.cost
    return 'value' in outcome ? outcome.value : failure(outcome.problem)
  }

  #variables(): CelMap {
    const { variables } = this.#expressions
    return {
      kind: 'map',
      size: variables.size,
      find: (key) => (typeof key === 'string' ? this.#variable(key) : noSuchOverload),
      keys: (): readonly CelValue[] => [...variables.keys()],
    }
  }

  #variable(name: string): CelResult | undefined {
    const expression = this.#expressions.variables.get(name)
    if (expression === undefined) return undefined
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, failure(`the variable ${name} refers to itself`))
    const value = this.evaluate(expression)
    this.#known.set(name, value)
    return value
  }
}
