import { type CheckedExpression, checkExpression } from './check/check.ts'
import { constantProblem } from './check/constants.ts'
import { formatErrors } from './check/format-calls.ts'
import { literalErrors } from './check/literals.ts'
import { allNodes } from './check/nodes-below.ts'
import type { CompileEffort } from './compile-effort.ts'
import { estimateCost } from './cost/estimate.ts'
import type { CelEnvironment } from './environment.ts'
import { BudgetSpent, Meter, mostWork } from './meter.ts'
import { type CelPlan, planCel } from './run/plan.ts'
import { parseCel } from './syntax/parse.ts'
import { printSourceErrors } from './syntax/source-error.ts'
import type { CelType } from './type.ts'
import { type CelResult, type CelValue, isFailure } from './value.ts'

/** An expression that can be evaluated any number of times. */
export interface CelProgram {
  readonly resultType: CelType
  /** Variables of the environment that it uses. */
  readonly variables: ReadonlySet<string>
  /** The maximum cost. Computed on first use. */
  readonly mostCost: () => number
  /** Errors that occur only during evaluation. New expressions are refused for them; stored ones are still evaluated. */
  readonly flaw: () => CelFlaw | undefined
  /**
   * Every variable of the expression must be present; a failure may stand for an unavailable one. However much work is
   * allowed, one evaluation does no more than `mostWork`. Never throws.
   */
  readonly evaluate: (
    variables: Readonly<Record<string, CelResult>>,
    costLimit: number,
    workLimit?: number,
  ) => CelOutcome
}

export type CelOutcome =
  | { readonly value: CelValue; readonly cost: number; readonly work: number }
  | { readonly problem: string; readonly cost: number; readonly work: number; readonly isSpent: boolean }

export interface CelFlaw {
  readonly stage: 'compilation' | 'instantiation'
  readonly text: string
}

/** `problem` includes the position, in the words of the reference implementation. */
export type CompiledCel = CelProgram | { readonly problem: string }

/**
 * Parses and checks an expression. Whatever the expression, this takes no longer than `effort` allows, and then throws
 * `EffortSpent`; its evaluation takes no longer than its cost limit allows.
 */
export function compileCel(text: string, environment: CelEnvironment, effort: CompileEffort): CompiledCel {
  const parsed = parseCel(text, effort)
  if ('errors' in parsed) return { problem: printSourceErrors(text, parsed.errors) }
  const checked = checkExpression(parsed.root, environment, effort)
  if ('errors' in checked) return { problem: printSourceErrors(text, checked.errors) }
  const wrong = literalErrors(checked, effort)
  if (wrong.length > 0) return { problem: printSourceErrors(text, wrong) }
  return programOf(text, checked, environment, effort)
}

function programOf(
  text: string,
  checked: CheckedExpression,
  environment: CelEnvironment,
  effort: CompileEffort,
): CelProgram {
  const plan = planCel(checked, effort)
  const patterns: Meter['patterns'] = new Map()
  return {
    resultType: checked.typeOf(checked.root),
    variables: checked.variables,
    mostCost: () => estimateCost(checked, environment, effort).max,
    flaw: () => flawOf(text, checked, effort),
    evaluate: (variables, costLimit, workLimit = mostWork) => {
      const limits = { cost: costLimit, work: Math.min(workLimit, mostWork) }
      return evaluated(plan, variables, new Meter(limits, patterns))
    },
  }
}

function flawOf(text: string, checked: CheckedExpression, effort: CompileEffort): CelFlaw | undefined {
  const errors = allNodes(checked.root).flatMap((node) => (node.kind === 'call' ? formatErrors(node, checked) : []))
  if (errors.length > 0) return { stage: 'compilation', text: printSourceErrors(text, errors) }
  const problem = constantProblem(checked, effort)
  return problem === undefined ? undefined : { stage: 'instantiation', text: problem }
}

function evaluated(plan: CelPlan, variables: Readonly<Record<string, CelResult>>, meter: Meter): CelOutcome {
  const slots = new Array<CelResult>(plan.slotCount).fill(null)
  for (let slot = 0; slot < plan.variables.length; slot++) {
    slots[slot] = variables[plan.variables[slot] ?? ''] ?? null
  }
  try {
    const result = plan.step({ slots, meter })
    const { cost, workDone: work } = meter
    return isFailure(result) ? { problem: result.message, cost, work, isSpent: false } : { value: result, cost, work }
  } catch (error) {
    return unfinished(error, meter)
  }
}

function unfinished(error: unknown, { cost, workDone: work }: Meter): CelOutcome {
  if (error instanceof BudgetSpent) return { problem: error.message, cost: error.cost, work, isSpent: true }
  if (error instanceof RangeError) {
    return { problem: 'operation cancelled: a value is too deep or too large', cost, work, isSpent: true }
  }
  // No known error gets here. Rethrown, it would be a 500 for every object that the rule applies to, even where
  // failures are ignored.
  process.emitWarning(error instanceof Error ? error : String(error), { code: 'CEL_EVALUATION' })
  return { problem: 'internal error', cost, work, isSpent: false }
}
