import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteScanner, shapeOf } from './byte-scanner.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, member) => sum + valuesOf(member), 0)
}

describe('the shape of JSON', () => {
  it('is that of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        expect(shapeOf(Buffer.from(JSON.stringify(value)))).toEqual({ depth: depthOf(value), values: valuesOf(value) })
      }),
    )
  })

  it('is the same however the bytes are split', () => {
    const text = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (json, size) => {
        const bytes = Buffer.from(json)
        const scanner = new ByteScanner()
        for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size), 0)
        expect(scanner.shape).toEqual(shapeOf(bytes))
        expect(scanner.depth).toBe(0)
      }),
    )
  })

  it('of a million levels is found without recursion', () => {
    expect(shapeOf(Buffer.from('['.repeat(1_000_000))).depth).toBe(1_000_000)
  })
})
