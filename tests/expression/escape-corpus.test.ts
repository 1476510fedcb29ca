import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileExpression } from '../../src/expression/compile.ts'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { type Attempt, escapeAttempts, type Outcome } from './escape-corpus.ts'
import { context, startEngine, tightLimits, valueBy } from './support.ts'

let engine: ExpressionEngine
/** Even on a slow machine, an attempt that exhausts memory must end because of memory. */
let patient: ExpressionEngine

beforeAll(() => {
  engine = startEngine(tightLimits)
  patient = startEngine({ ...tightLimits, deadlineMs: 10_000, stallMs: 20_000 })
})

afterAll(async () => {
  await engine.close()
  await patient.close()
})

function engineFor(outcome: Outcome): ExpressionEngine {
  return typeof outcome === 'object' && 'failed' in outcome && outcome.failed === 'memory' ? patient : engine
}

async function outcomeOf({ source, value, outcome }: Attempt): Promise<Outcome> {
  const compilation = compileExpression(source)
  if (!compilation.ok) return 'refused'
  const [result] = await engineFor(outcome).evaluate([{ expression: compilation.expression, value, context }])
  if (result === undefined) throw new Error('There is no result.')
  if (result.state === 'value') return { gives: result.value }
  if (result.state === 'removed') return 'removed'
  const exhausted = result.kind === 'timeout' || result.kind === 'memory'
  return outcome === 'exhausted' && exhausted ? 'exhausted' : { failed: result.kind }
}

/** Uses the objects that attempts try to change. */
const healthy =
  '[value, "polluted" in {}, [].concat(1), JSON.stringify({ a: [1] }), "abc".startsWith("b"), context.vcluster.config]'

describe('an attempt at', () => {
  it('is made in every way in the corpus', () => {
    expect(Object.values(escapeAttempts).flat().length).toBeGreaterThan(200)
  })

  for (const [kind, attempts] of Object.entries(escapeAttempts)) {
    describe(kind, () => {
      it.each(attempts)('$source', async (attempt) => {
        expect(await outcomeOf(attempt)).toEqual(attempt.outcome)
        const next = await valueBy(engineFor(attempt.outcome), healthy, 'v')
        expect(next).toEqual(['v', false, [1], '{"a":[1]}', false, context.vcluster.config])
      })
    })
  }
})
