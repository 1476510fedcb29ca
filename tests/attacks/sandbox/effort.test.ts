import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvaluationContext, EvaluationResult, ExpressionEngine } from '../../../src/expression/contract.ts'
import { BatchEncoder } from '../../../src/expression/encode-batch.ts'
import { checkRoundTrip } from '../../../src/patches/round-trip/check.ts'
import { compiled as expression } from '../../expression/support.ts'
import { compiled, openTestEngine, vcluster } from '../../patches/support.ts'

/** An object that a user sends may have as many values as there are in 256 KB. */
const values = Array.from({ length: 2_000 }, (_, index) => index)
/** The effort grows with the values, not with their pairs. */
const mostPerValue = 50

let engine: ExpressionEngine
beforeAll(() => {
  engine = openTestEngine()
})
afterAll(() => engine.close())

describe('patches that a user tries out on an object with many values', () => {
  test('compare each value with what comes back for it, and with nothing else', async () => {
    let reads = 0
    const counted = (result: EvaluationResult): EvaluationResult =>
      new Proxy(result, {
        get: (target, name) => {
          reads += 1
          return Reflect.get(target, name)
        },
      })
    const counting: ExpressionEngine = {
      evaluate: async (batch) => (await engine.evaluate(batch)).map(counted),
      close: () => engine.close(),
    }
    const [patch] = compiled([{ path: 'list[*]', expression: 'value + 1', reverseExpression: 'value - 1' }])
    if (patch === undefined) throw new Error('There is no patch.')
    const { verdict } = await checkRoundTrip(patch, { engine: counting, vcluster, realValues: values })
    expect(verdict).not.toBe('counter-example')
    expect(reads).toBeLessThan(values.length * mostPerValue)
  })

  test('send a context for each value without comparing it with all others', () => {
    let reads = 0
    const contextOf = (name: number): EvaluationContext => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: String(name) } }
      return {
        vcluster,
        hostObject: null,
        path: 'list[0]',
        get virtualObject() {
          reads += 1
          return object
        },
      }
    }
    const named = expression('context.virtualObject.metadata.name')
    const batch = values.map((value) => ({ expression: named, value, context: contextOf(value) }))
    const { contexts } = JSON.parse(new BatchEncoder().encode(batch).text)
    expect(contexts).toHaveLength(values.length)
    expect(reads).toBeLessThan(values.length * mostPerValue)
  })
})
