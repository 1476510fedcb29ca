import type { CompiledExpression, EvaluationResult, ExpressionEngine } from '../expression/contract.ts'
import { isTooDeep, maxDepth } from './depth.ts'
import type { PatchContext } from './run.ts'

/** A value and where it stands. */
export interface Input {
  readonly value: unknown
  readonly path: string
}

export type Evaluated =
  /** `undefined` means that the field goes. */
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/** One expression for many values of one object, in one go. */
export async function evaluateValues(
  engine: ExpressionEngine,
  expression: CompiledExpression,
  { vcluster, hostObject, virtualObject }: PatchContext,
  inputs: readonly Input[],
): Promise<readonly Evaluated[]> {
  const batch = inputs.map(({ value, path }) => ({
    expression,
    value,
    context: { vcluster, hostObject, virtualObject, path },
  }))
  return (await engine.evaluate(batch)).map(evaluatedFrom)
}

export function evaluatedFrom(result: EvaluationResult): Evaluated {
  switch (result.state) {
    case 'removed':
      return { ok: true, value: undefined }
    case 'failed':
      return { ok: false, message: result.message }
    case 'value':
      return isTooDeep(result.value)
        ? { ok: false, message: `the result is nested deeper than ${maxDepth} levels` }
        : { ok: true, value: result.value }
  }
}
