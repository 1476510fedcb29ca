import { describe, expect, it } from 'vitest'
import { compileStructure } from './compile.ts'
import { completed } from './prune-and-default.ts'
import type { SchemaNode } from './schema-node.ts'

const text = { type: 'string' }
const keeps = { 'x-kubernetes-preserve-unknown-fields': true }

interface Case {
  readonly rule: string
  readonly schema: SchemaNode
  readonly sent: unknown
  readonly kept: unknown
  readonly unknown?: readonly string[]
}

const cases: readonly Case[] = [
  {
    rule: 'members that the schema does not name go',
    schema: { type: 'object', properties: { a: text } },
    sent: { a: 'x', b: 1 },
    kept: { a: 'x' },
    unknown: ['b'],
  },
  {
    rule: 'members inside lists are told with their position',
    schema: {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { q: text } } } },
    },
    sent: { a: [{ q: 'x' }, { z: 1 }] },
    kept: { a: [{ q: 'x' }, {}] },
    unknown: ['a[1].z'],
  },
  {
    rule: 'unknown members stay where the schema keeps them, but not below what it describes',
    schema: { type: 'object', ...keeps, properties: { known: { type: 'object', properties: { k: text } } } },
    sent: { x: { y: 1 }, known: { k: 'k', gone: 2 } },
    kept: { x: { y: 1 }, known: { k: 'k' } },
    unknown: ['known.gone'],
  },
  {
    rule: 'values of a map are pruned',
    schema: { type: 'object', additionalProperties: { type: 'object', properties: { x: text } } },
    sent: { one: { x: '1', y: 2 } },
    kept: { one: { x: '1' } },
    unknown: ['one.y'],
  },
  {
    rule: 'defaults are filled in, also inside defaults',
    schema: {
      type: 'object',
      properties: {
        d: { type: 'object', default: {}, properties: { f: { type: 'string', default: 'deep' } } },
        n: { type: 'integer', default: 0 },
      },
    },
    sent: {},
    kept: { d: { f: 'deep' }, n: 0 },
  },
  {
    rule: 'what is absent gets no defaults of its members',
    schema: {
      type: 'object',
      properties: { d: { type: 'object', properties: { f: { type: 'string', default: 'x' } } } },
    },
    sent: {},
    kept: {},
  },
  {
    rule: 'null is kept where it may be, and gives way to a default elsewhere',
    schema: { type: 'object', properties: { a: { ...text, nullable: true }, b: { ...text, default: 'd' }, c: text } },
    sent: { a: null, b: null, c: null },
    kept: { a: null, b: 'd' },
  },
  {
    rule: 'null goes also where anything else may stand, and stays where no schema says what',
    schema: { type: 'object', properties: { a: keeps, k: { type: 'object', ...keeps, properties: { x: keeps } } } },
    sent: { a: null, k: { x: null, y: null } },
    kept: { k: { y: null } },
  },
  {
    rule: 'a null item gives way to a default, and stays without one',
    schema: {
      type: 'object',
      properties: {
        d: { type: 'array', items: { ...text, default: 'D' } },
        n: { type: 'array', items: { ...text, nullable: true, default: 'N' } },
        t: { type: 'array', items: text },
        u: { type: 'array', items: keeps },
      },
    },
    sent: { d: [null, 'x'], n: [null], t: [null], u: [null] },
    kept: { d: ['D', 'x'], n: [null], t: [null], u: [null] },
  },
  {
    rule: 'a null member that no schema names gives way to the default of those, and goes without one',
    schema: {
      type: 'object',
      properties: {
        d: { type: 'object', additionalProperties: { ...text, default: 'D' } },
        t: { type: 'object', additionalProperties: text },
        u: { type: 'object', additionalProperties: keeps },
      },
    },
    sent: { d: { x: null }, t: { x: null }, u: { x: null } },
    kept: { d: { x: 'D' }, t: {}, u: {} },
  },
  {
    rule: 'the metadata of an embedded object is held against what metadata is',
    schema: { type: 'object', properties: { e: { type: 'object', 'x-kubernetes-embedded-resource': true, ...keeps } } },
    sent: { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'e', bogus: 1 }, foo: 1 } },
    kept: { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'e' }, foo: 1 } },
    unknown: ['e.metadata.bogus'],
  },
  {
    rule: 'an embedded object keeps its apiVersion and kind although no schema names them',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
    sent: { apiVersion: 'v1', kind: 'X', spec: {}, more: 1 },
    kept: { apiVersion: 'v1', kind: 'X', spec: {} },
    unknown: ['more'],
  },
  {
    rule: 'a member called __proto__ is a member like any other',
    schema: { type: 'object', ...keeps },
    sent: JSON.parse('{"__proto__": {"a": 1}}'),
    kept: JSON.parse('{"__proto__": {"a": 1}}'),
  },
  {
    rule: 'what has another type is left for the validation to refuse',
    schema: { type: 'object', properties: { a: text } },
    sent: { a: { b: 1 } },
    kept: { a: { b: 1 } },
  },
]

describe('a sent object is pruned and defaulted', () => {
  it.each(cases)('$rule', ({ schema, sent, kept, unknown = [] }) => {
    const { value, unknownFields } = completed(compileStructure(schema), sent)
    expect(JSON.stringify(value)).toBe(JSON.stringify(kept))
    expect(unknownFields).toEqual(unknown)
  })

  it('returns the value itself if nothing changes', () => {
    const sent = { a: 'x', list: [{ q: 'y' }] }
    const schema = {
      type: 'object',
      properties: { a: text, list: { type: 'array', items: { type: 'object', properties: { q: text } } } },
    }
    expect(completed(compileStructure(schema), sent).value).toBe(sent)
  })

  it('refuses an object that its defaults would make too large', () => {
    const large = 'x'.repeat(100_000)
    const items = { type: 'object', properties: { p: { type: 'string', default: large } } }
    const structure = compileStructure({ type: 'object', properties: { a: { type: 'array', items } } })
    const sent = { a: Array.from({ length: 1000 }, () => ({})) }
    expect(() => completed(structure, sent)).toThrow('would add more than 3145728 bytes')
  })
})
