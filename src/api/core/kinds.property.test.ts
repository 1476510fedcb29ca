import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { decodeObject } from '../decode/object.ts'
import { ApiError } from '../error.ts'
import type { Kind } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import type { Schema } from '../schema.ts'
import { coreKinds } from './kinds.ts'

const maxDepth = 7

/** Mostly what the schema requires, mixed with gaps, nulls and meaningless values. */
function bodies(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (depth > maxDepth) return fc.constant(null)
  switch (schema.type) {
    case 'object':
      return fc.oneof({ weight: 8, arbitrary: objects(schema, depth) }, { weight: 1, arbitrary: fc.constant(null) })
    case 'array':
      return fc.oneof(
        { weight: 8, arbitrary: fc.array(bodies(schema.items ?? { type: 'any' }, depth + 1), { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    default:
      return fc.oneof({ weight: 12, arbitrary: scalars(schema) }, { weight: 1, arbitrary: fc.constant(null) })
  }
}

function objects(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.additionalProperties !== undefined) {
    const key = fc.constantFrom('a', 'tls.crt', 'cpu', 'bad key', '__proto__', 'constructor')
    return fc.dictionary(key, bodies(schema.additionalProperties, depth + 1), { maxKeys: 3 })
  }
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, bodies(member, depth + 1)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: [] })
}

function scalars({ type, format, enum: choices = [] }: Schema): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.constantFrom(-1, 0, 1, 80, 65536)
  if (format === 'date-time') return fc.constant('2026-01-01T00:00:00Z')
  if (format === 'micro-time') return fc.constant('2026-01-01T00:00:00.000000Z')
  if (format === 'byte') return fc.constantFrom('', 'YQ==')
  if (format === 'quantity') return fc.constantFrom('1', '500m', '1Gi')
  if (format === 'int-or-string') return fc.constantFrom('web', 80, 0, '')
  return fc.constantFrom('', 'a', 'None', '10.0.0.1', '::1', 'Exists', '__proto__', ...choices)
}

function decoded(kind: Kind, value: unknown): KubeObject | undefined {
  try {
    return decodeObject(kind, { value, duplicateFields: [], text: '' }, { checkTypeMeta: false }).object
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

describe.each(coreKinds().map((kind) => [`${kind.group}/${kind.kind}`, kind] as const))('%s', (_, kind) => {
  const { apiVersion: _a, kind: _k, metadata: _m, ...own } = kind.schema.properties ?? {}
  const body = bodies({ ...kind.schema, properties: own })

  it('validates, defaults and prints every object of its schema', () => {
    fc.assert(
      fc.property(body, body, (first, second) => {
        const metadata = { name: 'x', namespace: 'default' }
        const old = decoded(kind, { ...Object(first), metadata })
        const next = decoded(kind, { ...Object(second), metadata })
        if (old === undefined || next === undefined) return
        const created = previewCreate(kind, old)
        const updated = previewUpdate(kind, next, created.object)
        for (const { object } of [created, updated]) {
          for (const column of kind.columns ?? []) column.value(object, 0)
          for (const value of Object.values(kind.selectableFields ?? {})) expect(typeof value(object)).toBe('string')
          kind.strategy.validateStatusUpdate?.(object, created.object)
          kind.strategy.gracePeriodSeconds?.(object, undefined)
          kind.strategy.holdsDeletion?.(object)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('is complete after its defaults', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const object = decoded(kind, { ...Object(sent), metadata: { name: 'x', namespace: 'default' } })
        if (object === undefined) return
        const once = kind.strategy.defaults?.(object) ?? object
        expect(kind.strategy.defaults?.(once)).toEqual(once)
      }),
      { numRuns: 40 },
    )
  })
})
