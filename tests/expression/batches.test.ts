import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Evaluation, ExpressionEngine } from '../../src/expression/contract.ts'
import { compiled, context, startEngine, tightLimits, valueBy } from './support.ts'

let engine: ExpressionEngine

beforeAll(() => {
  engine = startEngine(tightLimits)
})

afterAll(() => engine.close())

function evaluation(source: string, value?: unknown): Evaluation {
  return { expression: compiled(source), value, context }
}

/** Ends only with its thread, because it never reaches a step. */
const stuck = '[].reverse.call({ length: 2 ** 53 - 1 })'
const endless = '(() => { for (;;) {} })()'
const tooBig = '"x".repeat(1e9)'

/** One line for each result. */
async function summaries(batch: readonly Evaluation[], by = engine): Promise<readonly unknown[]> {
  const results = await by.evaluate(batch)
  return results.map((result) => {
    if (result.state === 'value') return result.value
    return result.state === 'removed' ? 'removed' : result.kind
  })
}

describe('a batch', () => {
  it('has a result for each evaluation, in order', async () => {
    const batch = [
      evaluation('value + 1', 1),
      evaluation('value', undefined),
      evaluation('value.a.b', {}),
      evaluation('context.path.length + value', 1),
      evaluation('value + 1', 'a'),
      evaluation('() => 1'),
      evaluation('[value]', null),
      evaluation('context.virtualObject.metadata.name'),
    ]
    const expected = [2, 'removed', 'thrown', context.path.length + 1, 'a1', 'not-json', [null], 'web']
    expect(await summaries(batch)).toEqual(expected)
  })

  it('may be empty', async () => {
    expect(await engine.evaluate([])).toEqual([])
  })

  it('may be large', async () => {
    const batch = Array.from({ length: 20_000 }, (_, index) =>
      evaluation(index % 7 === 0 ? 'value * 2' : '"v" + value', index),
    )
    const expected = batch.map((_, index) => (index % 7 === 0 ? index * 2 : `v${index}`))
    expect(await summaries(batch)).toEqual(expected)
  })

  it('gives every evaluation its own path', async () => {
    const batch = Array.from({ length: 300 }, (_, index) => ({
      expression: compiled(index % 2 === 0 ? 'context.path' : 'value'),
      value: index,
      context: { ...context, path: `subsets[${index}]` },
    }))
    expect(await summaries(batch)).toEqual(batch.map(({ value }) => (value % 2 === 0 ? `subsets[${value}]` : value)))
  })

  it('may contain several objects and virtual clusters', async () => {
    const expression = compiled('[context.virtualObject.metadata.name, context.vcluster.name, context.hostObject]')
    const batch = Array.from({ length: 30 }, (_, index) => ({
      expression,
      value: 1,
      context: {
        vcluster: { name: `v${index % 20}`, namespace: 'n', config: {} },
        virtualObject: { apiVersion: 'v1', kind: 'A', metadata: { name: `o${index % 3}` } },
        hostObject: null,
        path: '',
      },
    }))
    expect(await summaries(batch)).toEqual(batch.map((_, index) => [`o${index % 3}`, `v${index % 20}`, null]))
  })

  it('has results of any size', async () => {
    const batch = Array.from({ length: 40 }, (_, index) => evaluation('value.repeat(100000)', String(index % 10)))
    expect(await summaries(batch)).toEqual(batch.map((_, index) => String(index % 10).repeat(100_000)))
  })

  it('does not fill the memory of the process', async () => {
    // Work of other suites in this process would count as time in which the thread is stalled.
    const patient = startEngine({ ...tightLimits, stallMs: 10_000 })
    const batch = Array.from({ length: 500 }, () => evaluation('"x".repeat(1000000)'))
    const results = await summaries(batch, patient)
    expect(results).toHaveLength(500)
    expect(results[0]).toHaveLength(1_000_000)
    expect(results.slice(50)).toEqual(Array(450).fill('not-json'))
    expect(await valueBy(patient, 'value', 1)).toBe(1)
    await patient.close()
  })

  it('may use more expressions than an engine remembers', async () => {
    for (let round = 0; round < 3; round++) {
      const batch = Array.from({ length: 700 }, (_, index) => evaluation(`value + ${round * 700 + index}`, 1))
      expect(await summaries(batch)).toEqual(batch.map((_, index) => 1 + round * 700 + index))
    }
  })
})

describe('an aborted evaluation', () => {
  it.each([
    ['at its deadline', endless, 'timeout'],
    ['for want of memory', tooBig, 'memory'],
    ['with its thread', stuck, 'timeout'],
  ])('%s does not affect the others of its batch', async (_how, source, kind) => {
    const batch = Array.from({ length: 150 }, (_, index) => evaluation(index === 70 ? source : 'value', index))
    expect(await summaries(batch)).toEqual(batch.map((_, index) => (index === 70 ? kind : index)))
    expect(await valueBy(engine, 'value', 'next')).toBe('next')
  })

  it('may be the first, the last, and one of several', async () => {
    const sources = [endless, 'value', stuck, tooBig, 'value', endless, tooBig, 'value', stuck]
    const expected = ['timeout', 1, 'timeout', 'memory', 1, 'timeout', 'memory', 1, 'timeout']
    expect(await summaries(sources.map((source) => evaluation(source, 1)))).toEqual(expected)
  })

  it('is distinguished from its neighbors, however many there are', async () => {
    const trouble = new Map([
      [20, stuck],
      [30, endless],
      [150, stuck],
      [190, tooBig],
    ])
    const batch = Array.from({ length: 200 }, (_, index) => evaluation(trouble.get(index) ?? 'value', index))
    const expected = batch.map((_, index) => (index === 190 ? 'memory' : trouble.has(index) ? 'timeout' : index))
    expect(await summaries(batch)).toEqual(expected)
  })

  it('does not block the batches behind it forever', async () => {
    const batches = [[stuck], ['value'], [endless, 'value'], ['value'], [stuck, 'value']]
    const results = await Promise.all(batches.map((batch) => summaries(batch.map((source) => evaluation(source, 1)))))
    expect(results).toEqual([['timeout'], [1], ['timeout', 1], [1], ['timeout', 1]])
  })

  it('does not leak its value: the next one gets a fresh one', async () => {
    const slow = '(value.seen = (value.seen ?? 0) + 1, (() => { for (let i = 0; i < 15000; i++); })(), value.seen)'
    const batch = Array.from({ length: 100 }, () => evaluation(slow, {}))
    expect(await summaries(batch)).toEqual(batch.map(() => 1))
  })
})

describe('batches', () => {
  it('may be sent concurrently, and are answered separately', async () => {
    const batches = Array.from({ length: 200 }, (_, number) =>
      Array.from({ length: number % 5 }, (_, index) => evaluation('[value, context.path]', [number, index])),
    )
    const results = await Promise.all(batches.map((batch) => summaries(batch)))
    expect(results).toEqual(batches.map((batch, number) => batch.map((_, index) => [[number, index], context.path])))
  })
})
