import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { Evaluation, ExpressionEngine } from '../../src/expression/contract.ts'
import { applied, apply, endpoints, openTestEngine } from './support.ts'

let engine: ExpressionEngine
beforeAll(() => {
  engine = openTestEngine()
})
afterAll(() => engine.close())

function withSpec(spec: unknown): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', namespace: 'default' }, spec }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

describe('a list of patches', () => {
  const patches = [
    { path: 'spec.text', expression: 'value + "a"', reverseExpression: 'value + "A"' },
    { path: 'spec.*', expression: 'value + "b"', reverseExpression: 'value + "B"' },
  ]

  it('runs in order toward the host and in reverse order on the way back', async () => {
    expect(await applied(withSpec({ text: '' }), patches, { engine })).toMatchObject({ spec: { text: 'ab' } })
    const back = await applied(withSpec({ text: '' }), patches, { engine, direction: 'toVirtual' })
    expect(back).toMatchObject({ spec: { text: 'BA' } })
  })

  it('has counters for each patch, in the order of the list in both directions', async () => {
    const list = [...patches, { path: 'spec.none', expression: '1', reverseExpression: '1' }]
    for (const direction of ['toHost', 'toVirtual'] as const) {
      expect(await apply(withSpec({ text: '', other: '' }), list, { engine, direction })).toMatchObject({
        counters: [
          { matched: 1, changed: 1, notFound: 0, failed: 0 },
          { matched: 2, changed: 2, notFound: 0, failed: 0 },
          { matched: 0, changed: 0, notFound: 1, failed: 0 },
        ],
      })
    }
  })

  it('never changes its input, and shares what no patch changes', async () => {
    const before = frozen(endpoints())
    const after = await applied(before, [{ path: 'subsets[*].ports[*].port', expression: 'value + 1' }], { engine })
    expect(after).toMatchObject({ subsets: [{ ports: [{ port: 81 }] }, { ports: [{ port: 444 }] }] })
    expect(before).toEqual(endpoints())
    expect(after.metadata).toBe(before.metadata)
  })

  it('returns the same object if nothing changes', async () => {
    const before = endpoints()
    expect(await applied(before, [{ path: 'metadata.annotations[*]', expression: 'value' }], { engine })).toBe(before)
  })

  it('sends independent evaluations to the engine together, and none without a match', async () => {
    const batches: (readonly Evaluation[])[] = []
    const counting: ExpressionEngine = {
      evaluate: (batch) => {
        batches.push(batch)
        return engine.evaluate(batch)
      },
      close: () => engine.close(),
    }
    const list = [
      { path: 'subsets[*].*[*].ip', expression: 'value + "a"' },
      { path: 'metadata.labels.app', expression: 'value + "b"' },
      { path: 'subsets[*].nothing', expression: 'value' },
      { path: 'metadata.labels[*]', expression: 'value + "c"' },
    ]
    expect(await applied(endpoints(), list, { engine: counting })).toMatchObject({
      metadata: { labels: { app: 'webbc' } },
    })
    expect(batches.map((batch) => batch.length)).toEqual([4, 1])
    await applied(endpoints(), [{ path: 'spec.none', expression: '1' }], { engine: counting })
    expect(batches).toHaveLength(2)
  })

  it('considers removals by earlier patches', async () => {
    const list = [
      { path: 'spec.list[0]', expression: 'null' },
      { path: 'spec.list[1].name', expression: 'value + "!"' },
    ]
    const object = withSpec({ list: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })
    expect((await applied(object, list, { engine })).spec).toEqual({ list: [{ name: 'b' }, { name: 'c!' }] })
  })
})

describe('a result', () => {
  it.each(['null', 'undefined', 'value.missing', 'void 0'])('%s removes the field', async (expression) => {
    const after = await applied(withSpec({ a: {}, b: 1 }), [{ path: 'spec.a', expression }], { engine })
    expect(after.spec).toEqual({ b: 1 })
  })

  it('that is null removes elements of an array by their original positions', async () => {
    const patches = [{ path: 'spec.list[*]', expression: 'value.keep ? { ...value, at: context.path } : null' }]
    const list = [{ n: 0 }, { n: 1, keep: true }, { n: 2 }, { n: 3 }, { n: 4, keep: true }]
    expect((await applied(withSpec({ list }), patches, { engine })).spec).toEqual({
      list: [
        { n: 1, keep: true, at: 'spec.list[1]' },
        { n: 4, keep: true, at: 'spec.list[4]' },
      ],
    })
  })

  it('that is null removes elements from every list that two wildcards match', async () => {
    const patches = [{ path: 'spec.rows[*].cells[*]', expression: 'value % 2 ? null : value * 10' }]
    const rows = [{ cells: [1, 2, 3] }, { cells: [5] }, { cells: [] }, { cells: [4, 6] }]
    expect((await applied(withSpec({ rows }), patches, { engine })).spec).toEqual({
      rows: [{ cells: [20] }, { cells: [] }, { cells: [] }, { cells: [40, 60] }],
    })
  })

  it('may have another type', async () => {
    const after = await applied(
      withSpec({ a: '1,2' }),
      [{ path: 'spec.a', expression: 'value.split(",").map(Number)' }],
      {
        engine,
      },
    )
    expect(after.spec).toEqual({ a: [1, 2] })
  })

  it.each(['() => 1', 'Symbol("x")', 'NaN', '1 / 0', '(() => { const a = []; a.push(a); return a })()'])(
    '%s is not JSON and fails',
    async (expression) => {
      const outcome = await apply(withSpec({ a: 1 }), [{ path: 'spec.a', expression }], { engine })
      expect(outcome).toMatchObject({ state: 'failed', counters: [{ matched: 1, failed: 1, changed: 0 }] })
    },
  )

  it('with a member called __proto__ keeps it as a member', async () => {
    const expression = 'JSON.parse(\'{"__proto__":{"x":1}}\')'
    const after = await applied(withSpec({ a: 1 }), [{ path: 'spec.a', expression }], { engine })
    expect(JSON.stringify(after.spec)).toBe('{"a":{"__proto__":{"x":1}}}')
  })

  it('that is nested too deeply fails', async () => {
    const expression = '(() => { let a = 1; for (let i = 0; i < 1500; i++) a = [a]; return a })()'
    expect(await apply(withSpec({ a: 1 }), [{ path: 'spec.a', expression }], { engine })).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringContaining('nested deeper') },
    })
  })
})

describe('a failure', () => {
  const patches = [
    { path: 'spec.first', expression: '"changed"' },
    { path: 'spec.list[*].name', expression: 'value === "bad" ? value.no.such : value + "!"' },
    { path: 'spec.last', expression: '"changed"' },
  ]
  const object = withSpec({ first: '1', last: '2', list: [{ name: 'good' }, { name: 'bad' }] })

  it('names the patch, the path, the match, the expression and the cause', async () => {
    expect(await apply(object, patches, { engine })).toEqual({
      state: 'failed',
      failure: {
        index: 1,
        path: 'spec.list[*].name',
        concretePath: 'spec.list[1].name',
        expression: 'value === "bad" ? value.no.such : value + "!"',
        message: expect.stringContaining('undefined'),
      },
      counters: [
        { matched: 1, changed: 1, notFound: 0, failed: 0 },
        { matched: 2, changed: 0, notFound: 0, failed: 1 },
        { matched: 0, changed: 0, notFound: 0, failed: 0 },
      ],
    })
  })

  it('leaves the object unchanged', async () => {
    const before = frozen(object)
    await apply(before, patches, { engine })
    expect(before).toEqual(object)
    expect(await apply(before, patches, { engine })).not.toHaveProperty('object')
  })

  it('of a reference or a selector has the same details', async () => {
    const reference = { path: 'spec.list', reference: { apiVersion: 'v1', kind: 'Secret' } }
    expect(await apply(object, [reference], { engine })).toMatchObject({
      state: 'failed',
      failure: { index: 0, path: 'spec.list', concretePath: 'spec.list', message: expect.stringContaining('an array') },
    })
    expect(await apply(object, [{ path: 'spec.first', labels: {} }], { engine })).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringContaining('label selector') },
    })
  })
})

describe('a reserved field', () => {
  it.each(['metadata.*', '*', '*.*', 'metadata.labels[*]', 'metadata.annotations', 'metadata.labels', 'metadata.*.*'])(
    'survives a patch of %s that removes everything it can',
    async (path) => {
      const after = await applied(endpoints(), [{ path, expression: 'null' }], { engine })
      expect(after).toMatchObject({
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: {
          name: 'web',
          namespace: 'default',
          labels: { 'tenant.internal/managed-by': 'demo' },
          annotations: { 'tenant.internal/object-name': 'web' },
        },
      })
    },
  )

  it('is hidden from patches of a whole map, and restored after them', async () => {
    const expression = 'Object.fromEntries(Object.entries(value).map(([key, text]) => ["x-" + key, text]))'
    const after = await applied(endpoints(), [{ path: 'metadata.annotations', expression }], { engine })
    expect(after.metadata.annotations).toEqual({
      'x-example.com/owner': 'team-a',
      'x-note': 'hello',
      'tenant.internal/object-name': 'web',
    })
  })

  it('cannot be forged', async () => {
    const expression = '({ ...value, "tenant.internal/managed-by": "other" })'
    expect(await apply(endpoints(), [{ path: 'metadata.labels', expression }], { engine })).toMatchObject({
      state: 'failed',
      failure: { message: '"tenant.internal/managed-by" belongs to the syncer, a patch cannot set it' },
    })
    const text = [{ path: 'metadata.labels', expression: '"text"' }]
    expect(await apply(endpoints(), text, { engine })).toMatchObject({ state: 'failed' })
  })
})
