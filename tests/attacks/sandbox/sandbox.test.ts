import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileExpression } from '../../../src/expression/compile.ts'
import type { EvaluationResult, ExpressionEngine } from '../../../src/expression/contract.ts'
import { compiled, context, evaluate, startEngine, tightLimits, valueBy } from '../../expression/support.ts'

let engine: ExpressionEngine

beforeAll(() => {
  engine = startEngine(tightLimits)
})

afterAll(() => engine.close())

/** After every attack, the next evaluation is right and sees nothing of the previous one. */
async function isUnharmed(): Promise<void> {
  expect(await valueBy(engine, '[value + 1, ({}).polluted ?? null, [].polluted ?? null]', 1)).toEqual([2, null, null])
}

const steps = (...lines: readonly string[]) => `(() => { ${lines.join('; ')} })()`

function batch(sources: readonly string[], value?: unknown): Promise<readonly EvaluationResult[]> {
  return engine.evaluate(sources.map((source) => ({ expression: compiled(source), value, context })))
}

describe('the gate', () => {
  test.each([
    ['a keyword that is written with escapes', '\\u0061wait value'],
    ['an import that is written with escapes', '\\u{69}mport("fs")'],
    ['eval that is written with escapes', '\\u0065val("1")'],
    ['a comment at the end that would swallow the wrapper', 'value /* never closed'],
    ['a line comment and a line separator behind it', 'value // \u2028 ; process.exit()'],
    ['an HTML-like comment', 'value <!-- x\n'],
    ['an HTML-like comment that closes', 'value\n--> x'],
    ['a second expression behind a comment', 'value /* a */ , /* b */ ; eval'],
    ['a label that jumps out of the wrapper', 'x: value'],
    ['new.target outside of a function', 'new.target'],
    ['a class with a static block', 'class { static { x = 1 } }'],
    ['an async arrow', 'async (a) => a'],
    ['an async generator method', '({ async *a() {} })'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of an expression
    ['top-level await in a template', '`${await value}`'],
    ['import.meta behind a member', 'import.meta.env.x'],
    ['a BigInt tower', '2n ** 2n ** 40n'],
    ['a BigInt by its function', 'BigInt(2)'],
    ['a hash-bang', '#!/bin/sh\nvalue'],
    ['a with statement in a sloppy function', '(function () { with (value) { return x } })()'],
    ['octal escapes of sloppy code', '"\\07"'],
  ])('%s is refused before it runs', async (_what, source) => {
    expect(compileExpression(source).ok).toBe(false)
    await isUnharmed()
  })
})

describe('an expression of one tenant', () => {
  test('pollutes no prototype for the next', async () => {
    const tries = [
      'Object.prototype.polluted = 1',
      '({}).__proto__.polluted = 1',
      '({}).constructor.prototype.polluted = 1',
      'Object.defineProperty(Array.prototype, "polluted", { get: () => 1 })',
      'Object.getPrototypeOf(value).polluted = 1',
      'Reflect.set(Object.prototype, "polluted", 1) || null.x',
      'Object.assign([].__proto__, { polluted: 1 })',
    ]
    for (const result of await batch(tries, {})) expect(result).toMatchObject({ state: 'failed', kind: 'thrown' })
    await isUnharmed()
  })

  test('cannot put __proto__ into its result', async () => {
    const result = await valueBy(engine, 'JSON.parse(\'{"__proto__": {"polluted": 1}, "a": 1}\')')
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.hasOwn(Object(result), '__proto__')).toBe(true)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    await isUnharmed()
  })

  test('does not get the __proto__ of its value', async () => {
    const value = JSON.parse('{"__proto__": {"isAdmin": true}}')
    expect(await valueBy(engine, '[value.isAdmin ?? null, Object.keys(value)]', value)).toEqual([null, ['__proto__']])
  })

  test('cannot change the context of the next one in its batch', async () => {
    const change = steps('try { context.virtualObject.metadata.labels.app = "x" } catch {}', 'return 1')
    const results = await batch([change, 'context.virtualObject.metadata.labels.app'])
    expect(results[1]).toEqual({ state: 'value', value: 'web' })
  })

  test.each([
    ['a toJSON that tells another story', '({ a: 1, toJSON: () => ({ forged: 1 }) })'],
    ['a toJSON behind a getter', '({ get toJSON() { return () => 1 } })'],
    ['a valueOf in place of a number', '({ valueOf: () => 1 })'],
    ['Symbol.toPrimitive', '({ [Symbol.toPrimitive]: () => "x" })'],
    ['an array with its own method', 'Object.assign([1], { toJSON: () => 2 }).map((a) => [a, Symbol.species])'],
    ['a subclass of Array', 'new (class extends Array {})(3)'],
    ['a boxed number', 'Object(1)'],
    ['a generator', '(function* () { yield 1 })()'],
    ['a function with members', 'Object.assign(() => 1, { a: 1 })'],
    ['a cycle through a map of members', steps('const a = {}', 'a.b = [a]', 'return a')],
    ['a typed array', 'new Float64Array(2)'],
  ])('returns %s instead of JSON', async (_what, source) => {
    expect(await evaluate(engine, source)).toMatchObject({ state: 'failed', kind: 'not-json' })
    await isUnharmed()
  })

  test('cannot fake a failure of another expression, or several results', async () => {
    const results = await batch(['({ kind: "memory" })', '[null]', '[[1], [2]]', '"],[1"', '"\\u0000\\ud800"'])
    expect(results.slice(0, 4)).toEqual([
      { state: 'value', value: { kind: 'memory' } },
      expect.anything(),
      { state: 'value', value: [[1], [2]] },
      { state: 'value', value: '],[1' },
    ])
    expect(results).toHaveLength(5)
    await isUnharmed()
  })

  test('gets only its own objects through Symbol.species', async () => {
    const source = steps(
      'class Fake extends Array { static get [Symbol.species]() { return function () { return { length: 2 ** 40 } } } }',
      'return new Fake(1, 2, 3).map((a) => a)',
    )
    expect(await valueBy(engine, source)).toEqual({ 0: 1, 1: 2, 2: 3, length: 2 ** 40 })
    await isUnharmed()
  })

  test('cannot keep a count in a cached template object', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of an expression
    const source = '((s) => { try { s.n = (s.n ?? 0) + 1 } catch {} return s.n ?? null })`a${value}b`'
    const results = await batch([source, source, source], 1)
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
  })

  test('cannot keep a count in a registered symbol, a regular expression or its own function', async () => {
    const source = steps(
      'const f = function g() { g.n = (g.n ?? 0) + 1; return g.n }',
      'const r = /a/g',
      'r.test("aa")',
      'return [f(), r.lastIndex, Symbol.for("x").description]',
    )
    const results = await batch([source, source])
    expect(results[1]).toEqual(results[0])
  })

  test.each([
    ['a regular expression with nested repetition', '/^(([a-z])+.)+[A-Z]([a-z])+$/.test("a".repeat(60))'],
    ['a regular expression with back references', '/^(a|a?)+\\1+$/.test("a".repeat(80) + "b")'],
    ['replaceAll with a pattern that explodes', '("a".repeat(40) + "b").replaceAll(/(a*)*$/g, "")'],
    ['a length that is a lie', '[].lastIndexOf.call({ length: 2 ** 53 - 1, get 0() { for (;;) {} } }, 1)'],
    ['flat on something endless', steps('const a = []', 'a.push(a, a)', 'return a.flat(Infinity)')],
    ['an iterator that never ends', 'Object.fromEntries((function* () { let i = 0; for (;;) yield ["a", i++] })())'],
    [
      'a sort that never settles',
      'Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (let i = 0; i < 1e4; i++); return 1 })',
    ],
    [
      'a proxy that answers for ever',
      steps(
        'const p = new Proxy({}, { has: () => true, get: () => p, ownKeys: () => { for (;;) {} } })',
        'return { ...p }',
      ),
    ],
    ['doubling a text', steps('let s = "x"', 'for (;;) s += s')],
    ['doubling a list', steps('let a = [1]', 'for (;;) a = [...a, ...a]')],
    ['a reviver that grows what it reads', 'JSON.parse("[[1]]", function (k, v) { for (;;) v = [v]; return v })'],
    ['recursion through getters', steps('const o = { get a() { return [this.a, this.a] } }', 'return o.a')],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of an expression
    ['recursion through toString', steps('const o = { toString: () => `${o}${o}` }', 'return `${o}`')],
    ['recursion through sort', '(function f() { return [2, 1].sort(f) })()'],
    ['a try that catches its own end', steps('for (;;) { try { (function f() { f() })() } catch {} }')],
    ['a finally that continues after the end', steps('try { for (;;) {} } finally { for (;;) {} }')],
    ['padding', '"x".padStart(2 ** 29, "abc")'],
    ['a list as long as the memory', 'new Array(2 ** 26).fill("x").join("y")'],
    ['a typed array as large as the memory', 'new Uint8Array(2 ** 30).fill(1).length'],
    ['encoding the same over and over', steps('let s = "x".repeat(1e5)', 'for (;;) s = btoa(s)')],
  ])('is stopped at %s, and the next one runs', async (_what, source) => {
    expect(await evaluate(engine, source)).toMatchObject({ state: 'failed' })
    await isUnharmed()
  })

  test('leaves no value for the next expression after it was stopped', async () => {
    const secret = 'a-value-of-one-tenant'
    const ended = await evaluate(engine, '[].reverse.call({ length: 2 ** 53 - 1, x: value })', secret)
    expect(ended).toMatchObject({ state: 'failed' })
    const looks = steps(
      'const seen = []',
      'for (const k of Reflect.ownKeys(context)) seen.push(String(context[k]))',
      'return seen.join()',
    )
    expect(JSON.stringify(await evaluate(engine, looks))).not.toContain(secret)
    await isUnharmed()
  })

  test('can use all memory, and the next one has all of it again', async () => {
    // The test is about memory: the time that a busy machine takes is irrelevant.
    const patient = startEngine({ ...tightLimits, stallMs: 20_000 })
    const greedy = steps('const a = []', 'for (;;) a.push("x".repeat(1e5))')
    for (let round = 0; round < 3; round++) {
      expect(await evaluate(patient, greedy)).toMatchObject({ kind: 'memory' })
      expect(await valueBy(patient, '"x".repeat(2e6).length')).toBe(2e6)
    }
    await patient.close()
  })

  test('that is slow fails alone, and all others are answered', async () => {
    const slow = steps('for (;;) {}')
    const [first, second] = await Promise.all([
      batch(['value', slow, 'value', slow, 'value'], 7),
      batch(['value + 1', 'value + 2'], 7),
    ])
    const seven = { state: 'value', value: 7 }
    expect(first).toMatchObject([seven, { kind: 'timeout' }, seven, { kind: 'timeout' }, seven])
    expect(second).toMatchObject([{ value: 8 }, { value: 9 }])
  })

  test('cannot harm other evaluations with a deeply nested object', async () => {
    let nested: unknown = 'end'
    for (let depth = 0; depth < 3_000; depth++) nested = [nested]
    const virtualObject = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: nested }
    const result = await evaluate(engine, 'Array.isArray(context.virtualObject.spec)', 1, { virtualObject }).catch(
      () => 'rejected',
    )
    expect(result === 'rejected' || typeof result === 'object').toBe(true)
    await isUnharmed()
  })

  test('gets only an error for the address of a Service with an invalid name', async () => {
    const strict = startEngine(tightLimits, (name) =>
      name.endsWith('.svc') ? { ok: true, address: name } : { ok: false, message: 'no service' },
    )
    for (const argument of ['{ toString: () => "a.b.svc" }', '["a.b.svc"]', 'null', '"!x"', '"a\\u0000b"']) {
      const result = await evaluate(strict, `virtualToHostDNS(${argument})`)
      expect(result.state === 'failed' || (result.state === 'value' && result.value === 'a.b.svc')).toBe(true)
    }
    await strict.close()
  })
})
