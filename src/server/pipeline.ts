import type { Exchange } from './exchange.ts'
import type { Response } from './http.ts'

/**
 * Sets its part of the exchange and returns nothing, or returns an answer, which ends the pipeline. Refusals are
 * thrown.
 */
export type PipelineStep = (exchange: Exchange) => StepResult | Promise<StepResult>
export type StepResult = Response | undefined

export interface NamedStep {
  readonly name: string
  readonly run: PipelineStep
}

/**
 * Runs the steps in order until one answers. Stays synchronous as long as the steps do: most requests wait only once,
 * for the object itself.
 */
export function runSteps(steps: readonly NamedStep[], exchange: Exchange, from = 0): Response | Promise<Response> {
  for (let index = from; index < steps.length; index++) {
    const result = steps[index]?.run(exchange)
    if (result instanceof Promise) return result.then((late) => late ?? runSteps(steps, exchange, index + 1))
    if (result !== undefined) return result
  }
  throw new Error('No step of the pipeline answered the request.')
}
