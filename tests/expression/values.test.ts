import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { compiled, context, evaluate, startEngine, valueBy } from './support.ts'

let engine: ExpressionEngine

beforeAll(() => {
  engine = startEngine()
})

afterAll(() => engine.close())

const anyUnits = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units))
const keys = fc.oneof(anyUnits, fc.constantFrom('', '__proto__', 'constructor', 'toString', 'toJSON', 'length', '0'))
const numbers = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 2 ** 53, -(2 ** 53), Number.MAX_VALUE, Number.MIN_VALUE, 1e21, 0.1, 1 / 3),
)
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(true, false),
    numbers,
    anyUnits,
    fc.array(fc.oneof(tie('value'), fc.constant(null)), { maxLength: 4 }),
    fc.array(fc.tuple(keys, fc.oneof(tie('value'), fc.constant(null))), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value

describe('a value', () => {
  it('survives a round trip through the sandbox', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 20 }), async (values) => {
        const expression = compiled('value')
        const results = await engine.evaluate(values.map((value) => ({ expression, value, context })))
        const texts = results.map((result) => (result.state === 'value' ? JSON.stringify(result.value) : result.state))
        expect(texts).toEqual(values.map((value) => JSON.stringify(value)))
      }),
      { numRuns: 150 },
    )
  })

  it('is the same inside as outside', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        expect(await valueBy(engine, 'JSON.stringify(value)', value)).toBe(JSON.stringify(value))
        expect(await valueBy(engine, 'JSON.stringify(context.virtualObject)', 1, virtual(value))).toBe(
          JSON.stringify(virtual(value).virtualObject),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('may be a thousand levels deep', async () => {
    const list: unknown = JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`)
    const object: unknown = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)
    expect(JSON.stringify(await valueBy(engine, 'value', list))).toBe(JSON.stringify(list))
    expect(JSON.stringify(await valueBy(engine, '({ ...value })', object))).toBe(JSON.stringify(object))
    expect(await valueBy(engine, 'JSON.stringify(context.virtualObject).length', 1, virtual(object))).toBeGreaterThan(
      6000,
    )
  })

  it('may be as long as an object may be', async () => {
    const text = 'ä\n'.repeat(700_000)
    expect(await valueBy(engine, 'value', text)).toBe(text)
    const list = Array.from({ length: 20_000 }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }))
    expect(await valueBy(engine, 'value.length', list)).toBe(20_000)
    expect(await valueBy(engine, 'value.slice(0, 5000)', list)).toEqual(list.slice(0, 5000))
  })

  it('may be missing', async () => {
    expect(await valueBy(engine, 'value === undefined', undefined)).toBe(true)
    expect(await valueBy(engine, 'value === null', null)).toBe(true)
    expect(await valueBy(engine, 'value?.a ?? "none"', undefined)).toBe('none')
  })

  it.each(['undefined', 'null', 'void 0', 'value', 'value?.missing'])(
    '%s as a result removes the field',
    async (source) => {
      expect(await evaluate(engine, source, undefined)).toEqual({ state: 'removed' })
    },
  )

  it('may be changed in place, since it is a copy', async () => {
    const value = { list: [3, 1, 2] }
    expect(await valueBy(engine, '(value.list.sort(), value.added = 1, value)', value)).toEqual({
      list: [1, 2, 3],
      added: 1,
    })
    expect(value).toEqual({ list: [3, 1, 2] })
  })
})

describe('context', () => {
  it('has the six members of the specification', async () => {
    const source =
      '[context.vcluster.name, context.vcluster.namespace, context.vcluster.config, context.hostObject, context.virtualObject, context.path]'
    const { vcluster, hostObject, virtualObject, path } = context
    const all = [vcluster.name, vcluster.namespace, vcluster.config, hostObject, virtualObject, path]
    expect(await valueBy(engine, source)).toEqual(all)
    expect(await valueBy(engine, 'Object.keys(context)')).toEqual(['vcluster', 'hostObject', 'virtualObject', 'path'])
    expect(await valueBy(engine, 'context')).toEqual(context)
  })

  it('has null for an object that does not exist', async () => {
    const neither = { hostObject: null, virtualObject: null }
    expect(await valueBy(engine, '[context.hostObject, context.virtualObject]', 1, neither)).toEqual([null, null])
    expect(await valueBy(engine, 'context.hostObject?.metadata?.name ?? "none"', 1, neither)).toBe('none')
  })

  it.each([
    ['context.virtualObject.metadata.labels.app', 'web'],
    ['context.virtualObject["metadata"].name + context.hostObject.metadata.name', 'webv-web-1'],
    ['context.virtualObject.hasOwnProperty("subsets")', true],
    ['Object.keys(context.virtualObject).length', 4],
    ['(({ virtualObject: { kind } }) => kind)(context)', 'Endpoints'],
    ['"subsets" in context.virtualObject', true],
    ['context.virtualObject.missing === undefined', true],
    ['context.virtualObject.constructor === Object', true],
    ['context[["pa", "th"].join("")]', context.path],
    ['JSON.parse(JSON.stringify(context)).vcluster.config.sync.toHost.endpoints.enabled', true],
  ])('%s behaves as if all of it were loaded', async (source, expected) => {
    expect(await valueBy(engine, source)).toBe(expected)
  })

  it('is read-only, and says so', async () => {
    expect(await evaluate(engine, 'context.vcluster.config.sync.toHost = 1')).toMatchObject({ kind: 'thrown' })
    expect(await valueBy(engine, 'context.vcluster.config.sync.toHost.endpoints.enabled')).toBe(true)
  })

  it('follows a changed description of the virtual cluster', async () => {
    for (let number = 0; number < 40; number++) {
      const vcluster = { name: `v${number}`, namespace: 'n', config: { number } }
      expect(await valueBy(engine, '[context.vcluster.name, context.vcluster.config.number]', 1, { vcluster })).toEqual(
        [`v${number}`, number],
      )
    }
  })
})

describe('what an expression throws', () => {
  it.each([
    ['value.missing.name', "TypeError: cannot read property 'name' of undefined (line 1, column 1)", 1, 1],
    ['1 +\n  value.a.b', "TypeError: cannot read property 'b' of undefined (line 2, column 3)", 2, 3],
    [
      'value\n  .map(x => {\n    return x.y.z\n  })',
      "TypeError: cannot read property 'z' of undefined (line 3, column 12)",
      3,
      12,
    ],
    ['(() => { throw new RangeError("mine") })()', 'RangeError: mine (line 1, column 20)', 1, 20],
    ['JSON.parse("{")', expect.stringMatching(/^SyntaxError: .*\(line 1, column \d+\)$/), 1, expect.any(Number)],
    ['atob("*")', 'TypeError: atob was given text that is not base64 (line 1, column 1)', 1, 1],
  ])('is reported with its position: %s', async (source, message, line, column) => {
    const result = await evaluate(engine, source, [{}])
    expect(result).toEqual({ state: 'failed', kind: 'thrown', message, line, column })
  })

  it.each([
    ['(() => { throw "text" })()', 'the expression threw text'],
    ['(() => { throw 42 })()', 'the expression threw 42'],
    ['(() => { throw { a: 1 } })()', 'the expression threw an object that is not an Error'],
    ['(() => { throw null })()', 'the expression threw null'],
  ])('may be anything: %s', async (source, message) => {
    expect(await evaluate(engine, source)).toEqual({ state: 'failed', kind: 'thrown', message })
  })
})

function virtual(value: unknown) {
  return { virtualObject: { apiVersion: 'v1', kind: 'Sample', metadata: { name: 'a' }, value } }
}
