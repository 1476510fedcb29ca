import { createContext, Script } from 'node:vm'
import { compileExpression } from '../../src/expression/compile.ts'
import type { CompiledExpression, EvaluationContext, ExpressionEngine } from '../../src/expression/contract.ts'

/** What a user might write to send annotations to the host under a prefix of the tenant. */
export const source =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the expression that has a template
  'value && value.startsWith("app-") ? `${context.vcluster.config.networking.prefix}-${value.slice(4)}.${context.vcluster.name}` : value'

const padding = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`setting${index}`, { enabled: true, text: 'x'.repeat(60) }]),
)

/** A configuration of about 10 KB. */
export const context: EvaluationContext = {
  vcluster: { name: 'demo', namespace: 'tenant-demo', config: { networking: { prefix: 'team-blue' }, padding } },
  hostObject: null,
  virtualObject: null,
  path: 'metadata.annotations["example.com/name"]',
}

/** Evaluates that many fresh values. */
export interface Subject {
  readonly name: string
  readonly evaluate: (count: number) => Promise<void>
}

export function inSandbox(engine: ExpressionEngine, batchSize: number, inFlight: number): Subject {
  const expression = compiled()
  return {
    name: `sandbox, ${batchSize} per batch, ${inFlight} in flight`,
    evaluate: async (count) => {
      for (let done = 0; done < count; done += batchSize * inFlight) {
        const batches = Array.from({ length: inFlight }, (_, number) =>
          Array.from({ length: batchSize }, (_, index) => {
            const value = `app-${done + number * batchSize + index}`
            return { expression, value, context }
          }),
        )
        const results = await Promise.all(batches.map((batch) => engine.evaluate(batch)))
        if (results.flat().some(({ state }) => state !== 'value')) throw new Error('An evaluation failed.')
      }
    },
  }
}

export function inPlainNode(): Subject {
  const evaluate = new Function('value', 'context', `"use strict"; return (\n${source}\n)`)
  return { name: 'plain Node, no boundary', evaluate: repeat((value) => evaluate(value, context)) }
}

/** How people use node:vm as a boundary: values go into its globals, and the compiled script runs there. */
export function inNodeVm(): Subject {
  const globals: Record<string, unknown> = createContext({ context })
  const script = new Script(`"use strict"; (\n${source}\n)`)
  const evaluate = (value: string) => {
    globals.value = value
    return script.runInContext(globals)
  }
  return { name: 'node:vm, no boundary', evaluate: repeat(evaluate) }
}

/** The same with the deadline of node:vm; a generous one, since it also counts the time of other processes. */
export function inNodeVmWithDeadline(): Subject {
  const globals: Record<string, unknown> = createContext({ context })
  const script = new Script(`"use strict"; (\n${source}\n)`)
  const evaluate = (value: string) => {
    globals.value = value
    return script.runInContext(globals, { timeout: 5000 })
  }
  return { name: 'node:vm with a timeout', evaluate: repeat(evaluate) }
}

function repeat(evaluate: (value: string) => unknown): Subject['evaluate'] {
  return async (count) => {
    for (let index = 0; index < count; index++) {
      if (typeof evaluate(`app-${index}`) !== 'string') throw new Error('An evaluation failed.')
    }
  }
}

function compiled(): CompiledExpression {
  const compilation = compileExpression(source)
  if (!compilation.ok) throw new Error(compilation.problem.message)
  return compilation.expression
}
