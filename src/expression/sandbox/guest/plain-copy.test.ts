import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotJson, plainCopy } from './plain-copy.js'

function refusal(value: unknown): string {
  try {
    plainCopy(value)
  } catch (error) {
    if (error instanceof NotJson) return error.message
    throw error
  }
  throw new Error('It was copied.')
}

const cycle: unknown[] = []
cycle.push({ in: cycle })

describe('plainCopy', () => {
  it('copies any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (value !== null) expect(JSON.stringify(plainCopy(value).copy)).toBe(JSON.stringify(value))
      }),
    )
  })

  it.each([
    [() => 1, 'is not JSON: it is a function'],
    [{ spec: { ports: [1, Number.NaN] } }, 'is not JSON: .spec.ports[1] is NaN'],
    [[undefined], 'is not JSON: [0] is undefined'],
    [{ a: [new Date(0)] }, 'is not JSON: .a[0] is a Date; use toISOString()'],
    [{ a: new Map() }, 'is not JSON: .a is a Map; use Object.fromEntries()'],
    [Object.create({ a: 1 }), 'is not JSON: it is an object of a class of its own'],
    [{ [Symbol('a')]: 1 }, 'is not JSON: it is an object with a member named by a symbol'],
    [10n, 'is not JSON: it is a bigint'],
    [cycle, 'is not JSON: [0].in is a cycle'],
    [{ a: { b: 1 }, c: [{}, { d: Symbol('a') }] }, 'is not JSON: .c[1].d is a symbol'],
    ['a'.repeat(4_000_000), 'is longer than any object may be'],
    [Array(4).fill('a'.repeat(1_000_000)), 'is longer than any object may be'],
  ])('%# refuses what is not, with its place', (value, message) => {
    expect(refusal(value)).toBe(message)
  })

  it('takes the same object in two places for what it is, no cycle', () => {
    const shared = { a: 1 }
    expect(JSON.stringify(plainCopy([shared, { shared }]).copy)).toBe('[{"a":1},{"shared":{"a":1}}]')
  })

  it('goes a thousand levels deep, and no further', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(JSON.stringify(plainCopy(nested(1000)).copy)).toBe('['.repeat(1000) + ']'.repeat(1000))
    expect(refusal(nested(1001))).toBe('is nested deeper than 1000 levels')
  })

  it('keeps keys that mean something to JavaScript', () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toJSON":3,"":4,"length":5}'
    expect(JSON.stringify(plainCopy(JSON.parse(text)).copy)).toBe(text)
  })

  it('reads each member once', () => {
    let reads = 0
    const value = {
      get a() {
        return ++reads
      },
    }
    expect(JSON.stringify(plainCopy([value, value]).copy)).toBe('[{"a":1},{"a":2}]')
  })
})
