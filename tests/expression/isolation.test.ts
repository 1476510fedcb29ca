import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvaluationResult, ExpressionEngine } from '../../src/expression/contract.ts'
import { compiled, context, startEngine, valueBy } from './support.ts'

let engine: ExpressionEngine

beforeAll(() => {
  engine = startEngine()
})

afterAll(() => engine.close())

async function evaluateAll(sources: readonly string[], value?: unknown): Promise<readonly EvaluationResult[]> {
  return engine.evaluate(sources.map((source) => ({ expression: compiled(source), value, context })))
}

/** Each tries to count its runs. If it can, the second result differs from the first. */
const counters: readonly (readonly [string, string])[] = [
  ['a regular expression that is global', '/a/g.test("aa") + String(/a/g.exec("aa").index)'],
  ['one regular expression', '((r) => (r.test("aa"), r.lastIndex))(/a/g)'],
  ['a function of its own', '(function f() { f.count = (f.count ?? 0) + 1; return f.count })()'],
  ['a template object', '((strings) => Object.isFrozen(strings) && strings.raw.length)`a`'],
  [
    'a template object as a key',
    '((strings) => { const m = new WeakMap(); const had = m.has(strings); m.set(strings, 1); return had })`a`',
  ],
  ['a generator', '((g) => (g.next(), g.next().value))((function* () { yield 1; yield 2 })())'],
  ['a class', '(class A { static next() { A.n = (A.n ?? 0) + 1; return A.n } }).next()'],
  ['a registered symbol', '((s) => { try { s.count = 1 } catch {} return String(s.count) })(Symbol.for("count"))'],
  ['a prototype', '(() => { try { Object.prototype.n = 1 } catch {} return "n" in {} })()'],
  ['an intrinsic', '(() => { try { Array.prototype.n = 1 } catch {} return "n" in [] })()'],
  [
    'an iterator prototype',
    '((p) => { try { p.n = 1 } catch {} return "n" in p })(Object.getPrototypeOf([].values()))',
  ],
  [
    'a bound function',
    '((p) => { try { p.n = 1 } catch {} return "n" in p })(Object.getPrototypeOf((() => 1).bind()))',
  ],
  ['the configuration', '((c) => { try { c.n = 1 } catch {} return "n" in c })(context.vcluster.config)'],
  [
    'a part of an object',
    '((c) => { try { c.labels.n = 1 } catch {} return "n" in c.labels })(context.virtualObject.metadata)',
  ],
  ['context itself', '((c) => { try { c.n = 1 } catch {} return "n" in c })(context)'],
  ['the value', '(value.n = (value.n ?? 0) + 1)'],
  ['a function of ours', '((f) => { try { f.n = 1 } catch {} return "n" in f })(btoa)'],
  ['an error', '((e) => { e.n = (e.n ?? 0) + 1; return e.n })((() => { try { null.x } catch (e) { return e } })())'],
  ['the stack of an error', '((e) => e.stack.split("\\n").length)(new Error("a"))'],
]

describe('nothing survives an evaluation in', () => {
  it.each(counters)('%s', async (_where, source) => {
    const [first, ...others] = await evaluateAll([source, source, source], {})
    const [later] = await evaluateAll([source], {})
    expect(first).toMatchObject({ state: 'value' })
    expect(others).toEqual([first, first])
    expect(later).toEqual(first)
  })

  it('a value left behind for another evaluation', async () => {
    const [, second] = await evaluateAll(
      ['(value.self = value, value.big = "x".repeat(1000), 1)', 'Object.keys(value)'],
      {},
    )
    expect(second).toEqual({ state: 'value', value: [] })
  })

  it('an aborted expression', async () => {
    const sources = ['(() => { try { for (;;) {} } finally { Object.prototype.n = 1 } })()', '"n" in {}']
    const [first, second] = await evaluateAll(sources)
    expect([first, second]).toMatchObject([{ kind: 'timeout' }, { value: false }])
  })
})

describe('everything that an expression can reach is frozen or private', () => {
  it('from each of its globals and from what syntax makes', async () => {
    const source = `(() => {
      const roots = [Array, ArrayBuffer, Boolean, DataView, Date, Error, EvalError, Float32Array, Int8Array, JSON, Map, Math,
        Number, Object, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set, String, Symbol, SyntaxError, TypeError,
        URIError, Uint8ClampedArray, WeakMap, WeakSet, decodeURI, encodeURIComponent, isNaN, parseInt, atob, btoa,
        virtualToHostDNS, context,
        ...[() => 1, function* () {}, [], {}, /a/, "a", 1, true, Symbol(), new Map().entries(), new Set().values(),
          "a".matchAll(/a/g), "a"[Symbol.iterator](), [].values(), [].values().map((a) => a), [].values().take(1),
          Object.getPrototypeOf((function* () {})()), new Error(), class {}, (function () { return arguments })(), new Date(0), new DataView(new ArrayBuffer(1)),
          new Proxy({}, {}), new WeakMap(), (() => 1).bind(),
        ].map((made) => Object.getPrototypeOf(Object(made)))]
      const seen = new Set(), open = []
      const todo = roots.map((root, index) => [root, String(index)])
      while (todo.length > 0) {
        const [found, path] = todo.pop()
        if (found === null || (typeof found !== "object" && typeof found !== "function") || seen.has(found)) continue
        seen.add(found)
        if (!Object.isFrozen(found)) open.push(path)
        todo.push([Object.getPrototypeOf(found), path + ".[[Prototype]]"])
        for (const key of Reflect.ownKeys(found)) {
          const { value, get, set } = Object.getOwnPropertyDescriptor(found, key)
          for (const next of [value, get, set]) todo.push([next, path + "." + String(key)])
        }
      }
      return { open, count: seen.size }
    })()`
    const slow = startEngine({ deadlineMs: 2000 })
    const result = await valueBy(slow, source)
    await slow.close()
    expect(result).toEqual({ open: [], count: expect.any(Number) })
    expect(Reflect.get(Object(result), 'count')).toBeGreaterThan(400)
  })

  it.each([
    ...['globalThis', 'Function', 'eval', 'Promise', 'BigInt', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'Iterator'],
    ...['FinalizationRegistry', 'queueMicrotask', 'performance', 'console', 'DOMException', 'InternalError', 'escape'],
    ...['unescape', 'WebAssembly', 'Intl', 'expose', 'translate', 'DisposableStack', 'AggregateError', 'BigInt64Array'],
  ])('and there is no %s', async (name) => {
    expect(await valueBy(engine, `typeof ${name}`)).toBe('undefined')
  })
})

describe('the same expression gives the same result', () => {
  const sources = [
    'Object.keys({ b: 1, a: 2, 1: 3, 0: 4 }).join()',
    '[3, 1, 2].sort().join() + ["b", "a"].sort().join()',
    'new Date(Date.UTC(2020, 5, 1)).toString()',
    'new Date("2020-06-01T12:00:00").toISOString() + new Date(2020, 5, 1, 12).toISOString()',
    '(0.1 + 0.2) + " " + 1e21 + " " + (123456789.123).toLocaleString() + Math.pow(2, 0.5) + Math.sin(1)',
    '"ä".localeCompare("z") + ["z", "ä", "a"].sort((a, b) => a.localeCompare(b)).join() + "İ".toLowerCase()',
    'new Error("a").stack',
    'String(() => { /* own text */ })',
  ]

  it('in every engine, in every time zone', async () => {
    const zone = process.env.TZ
    process.env.TZ = 'Pacific/Auckland'
    const other = startEngine()
    try {
      const first = await evaluateAll(sources)
      const second = await other.evaluate(
        sources.map((source) => ({ expression: compiled(source), value: 1, context })),
      )
      expect(first.every(({ state }) => state === 'value')).toBe(true)
      expect(second).toEqual(first)
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
      await other.close()
    }
  })

  it('even if it fails at its deadline', async () => {
    const source = '(() => { let n = 0; for (let i = 0; i < 60000; i++) n += i; return n })()'
    const results = await evaluateAll(Array.from({ length: 20 }, () => source))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
  })
})
