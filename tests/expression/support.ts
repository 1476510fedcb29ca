import { compileExpression } from '../../src/expression/compile.ts'
import type {
  CompiledExpression,
  EngineOptions,
  EvaluationContext,
  EvaluationLimits,
  EvaluationResult,
  ExpressionEngine,
} from '../../src/expression/contract.ts'
import { createExpressionEngine } from '../../src/expression/engine.ts'

export const context: EvaluationContext = {
  vcluster: { name: 'demo', namespace: 'tenant-demo', config: { sync: { toHost: { endpoints: { enabled: true } } } } },
  hostObject: { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'v-web-1', namespace: 'tenant-demo' } },
  virtualObject: {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web', labels: { app: 'web' } },
    subsets: [],
  },
  path: 'metadata.annotations["example.com/name"]',
}

/** Tighter limits than the default ones, for tests that reach them on purpose. */
export const tightLimits: EvaluationLimits = { deadlineMs: 10, stallMs: 100, memoryBytes: 4 * 1024 * 1024 }

export function startEngine(
  limits?: Partial<EvaluationLimits>,
  virtualToHostDNS: EngineOptions['virtualToHostDNS'] = (service) => ({ ok: true, address: `host-of-${service}` }),
): ExpressionEngine {
  return createExpressionEngine({ virtualToHostDNS, ...(limits && { limits }) })
}

export function compiled(source: string): CompiledExpression {
  const compilation = compileExpression(source)
  if (!compilation.ok) throw new Error(`${source}: ${compilation.problem.message}`)
  return compilation.expression
}

export async function evaluate(
  engine: ExpressionEngine,
  source: string,
  value?: unknown,
  own: Partial<EvaluationContext> = {},
): Promise<EvaluationResult> {
  const results = await engine.evaluate([{ expression: compiled(source), value, context: { ...context, ...own } }])
  const [result] = results
  if (result === undefined || results.length !== 1) throw new Error('One evaluation has one result.')
  return result
}

/** The value of an expression; throws if the evaluation fails. */
export async function valueBy(
  engine: ExpressionEngine,
  source: string,
  value?: unknown,
  own: Partial<EvaluationContext> = {},
): Promise<unknown> {
  const result = await evaluate(engine, source, value, own)
  if (result.state === 'value') return result.value
  throw new Error(`${source}: ${result.state === 'failed' ? result.message : 'removed'}`)
}
