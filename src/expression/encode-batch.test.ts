import { describe, expect, it } from 'vitest'
import { compileExpression } from './compile.ts'
import type { Evaluation, EvaluationContext } from './contract.ts'
import { BatchEncoder, type EncodedBatch } from './encode-batch.ts'

const context: EvaluationContext = {
  vcluster: { name: 'demo', namespace: 'tenants', config: { large: 'x'.repeat(10_000) } },
  hostObject: null,
  virtualObject: { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web' }, subsets: [{ addresses: [] }] },
  path: 'a.b',
}

function evaluation(source: string, value: unknown = 1, own: Partial<EvaluationContext> = {}): Evaluation {
  const compilation = compileExpression(source)
  if (!compilation.ok) throw new Error(compilation.problem.message)
  return { expression: compilation.expression, value, context: { ...context, ...own } }
}

function contentOf({ text }: EncodedBatch): unknown {
  return JSON.parse(text)
}

describe('a batch is sent', () => {
  it('with nothing of the context if no expression looks at it', () => {
    const encoded = new BatchEncoder().encode([evaluation('value', 1), evaluation('value', 'a')])
    const groups = [{ expression: 0, context: -1, count: 2, values: [1, 'a'] }]
    expect(contentOf(encoded)).toEqual({ contexts: [], groups })
    expect(encoded).toMatchObject({ definitions: [[0, 'value']], kept: [] })
  })

  it('with the fields that some expression looks at, once for all of them', () => {
    const sources = [
      'context.virtualObject.metadata.name',
      'context.virtualObject.kind',
      'context.hostObject?.spec',
      'value',
    ]
    const encoded = new BatchEncoder().encode(sources.map((source) => evaluation(source)))
    expect(contentOf(encoded)).toMatchObject({
      contexts: [{ slot: -1, hostObject: null, virtualObject: { kind: 'Endpoints', metadata: { name: 'web' } } }],
      groups: [{ context: 0 }, { context: 0 }, { context: 0 }, { context: -1 }],
    })
  })

  it('with the whole object if an expression may look anywhere', () => {
    const encoded = new BatchEncoder().encode([evaluation('context.virtualObject[value]')])
    expect(contentOf(encoded)).toMatchObject({ contexts: [{ virtualObject: context.virtualObject }] })
  })

  it('with the paths only if an expression looks at them', () => {
    const encoded = new BatchEncoder().encode([
      evaluation('context.path', 1),
      evaluation('context.path', 2, { path: 'c' }),
    ])
    expect(contentOf(encoded)).toMatchObject({ groups: [{ values: [1, 2], paths: ['a.b', 'c'] }] })
  })

  it('with the virtual cluster and the expressions that are new to the sandbox', () => {
    const encoder = new BatchEncoder()
    const batch = [evaluation('context.vcluster.name + value')]
    const [first, second] = [encoder.encode(batch), encoder.encode(batch)]
    expect(first).toMatchObject({ fresh: true, kept: [[0, JSON.stringify(context.vcluster)]] })
    expect(second).toMatchObject({ fresh: false, kept: [], definitions: [] })
    expect(second.text.length).toBeLessThan(200)
    encoder.reset()
    expect(encoder.encode(batch)).toEqual(first)
  })

  it('in groups of what differs in the value only', () => {
    const other = { ...context, virtualObject: null }
    const encoded = new BatchEncoder().encode([
      evaluation('value', 1),
      { ...evaluation('value'), value: undefined },
      { ...evaluation('value'), value: undefined },
      evaluation('value', null),
      evaluation('context.virtualObject', 2),
      evaluation('context.virtualObject', 3, other),
      evaluation('value', 4),
    ])
    expect(contentOf(encoded)).toMatchObject({
      groups: [
        { expression: 0, count: 1, values: [1] },
        { expression: 0, count: 2 },
        { expression: 0, count: 1, values: [null] },
        { expression: 1, context: 0, values: [2] },
        { expression: 1, context: 1, values: [3] },
        { expression: 0, context: -1, values: [4] },
      ],
    })
  })

  it('with keys that mean something to JavaScript', () => {
    const virtualObject = JSON.parse('{"apiVersion":"v1","kind":"A","metadata":{},"__proto__":{"a":1}}')
    const own = { virtualObject }
    const encoded = new BatchEncoder().encode([evaluation('context.virtualObject.__proto__', 1, own)])
    expect(encoded.text).toContain('"virtualObject":{"__proto__":{"a":1}}')
  })

  it('completely after one that could not be written', () => {
    const encoder = new BatchEncoder()
    encoder.encode([evaluation('value')])
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(() => encoder.encode([evaluation('value + 1', cycle)])).toThrow()
    expect(encoder.encode([evaluation('value + 1')])).toMatchObject({ fresh: true, definitions: [[0, 'value + 1']] })
  })
})
