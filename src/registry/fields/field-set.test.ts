import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from '../../base/equal.ts'
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
  unionOfAll,
} from './field-set.ts'
import { printFieldsV1, readFieldsV1 } from './fields-v1.ts'

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"port":80}', 'k:{"port":443}', 'v:"x"', 'v:2', 'v:10', 'i:0')

const node = fc.letrec<{ node: FieldSet }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constant({}),
    fc
      .tuple(fc.boolean(), fc.dictionary(element, tie('node'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }))
      .map(([member, children]): FieldSet => (member ? { '.': {}, ...children } : children)),
  ),
})).node

const set = fc.dictionary(element, node, { maxKeys: 4, noNullPrototype: true })

function holds(law: (a: FieldSet, b: FieldSet, c: FieldSet) => boolean): void {
  fc.assert(fc.property(set, set, set, (a, b, c) => law(a, b, c)))
}

describe('field sets', () => {
  it('have a commutative union', () => {
    holds((a, b) => deepEqual(union(a, b), union(b, a)))
    holds((a, b, c) => deepEqual(union(union(a, b), c), union(a, union(b, c))))
    holds((a) => union(a, a) === a && deepEqual(union(a, emptySet), a))
    holds((a, b, c) => deepEqual(unionOfAll([a, b, c, a]), union(union(a, b), c)))
  })

  it('have a commutative intersection', () => {
    holds((a, b) => deepEqual(intersection(a, b), intersection(b, a)))
    holds((a, b) => deepEqual(intersection(a, union(a, b)), a))
    holds((a) => isEmptySet(intersection(a, emptySet)))
  })

  it('split into common and different fields', () => {
    holds((a, b) => deepEqual(union(difference(a, b), intersection(a, b)), a))
    holds((a, b) => isEmptySet(intersection(difference(a, b), b)))
    holds((a) => isEmptySet(difference(a, a)) && difference(a, emptySet) === a)
    holds((a, b) => deepEqual(difference(a, intersection(a, b)), difference(a, b)))
    holds((a, b, c) => deepEqual(difference(a, union(b, c)), difference(difference(a, b), c)))
  })

  it('lose more fields if children are removed too', () => {
    holds((a, b) => isEmptySet(difference(recursiveDifference(a, b), difference(a, b))))
  })

  it('are immutable', () => {
    holds((a, b) => {
      const before = JSON.stringify([a, b])
      union(a, b)
      unionOfAll([a, b])
      difference(a, b)
      recursiveDifference(a, b)
      intersection(a, b)
      return JSON.stringify([a, b]) === before
    })
  })

  it.each<[string, FieldSet, FieldSet, FieldSet]>([
    ['a leaf', { 'f:a': {} }, { 'f:a': {} }, {}],
    ['the object itself', { 'f:a': { '.': {}, 'f:b': {} } }, { 'f:a': {} }, { 'f:a': { 'f:b': {} } }],
    ['what is inside', { 'f:a': { '.': {}, 'f:b': {} } }, { 'f:a': { 'f:b': {} } }, { 'f:a': {} }],
    ['all fields without leaves', { 'f:a': { 'f:b': { 'f:c': {} } } }, { 'f:a': { 'f:b': { 'f:c': {} } } }, {}],
    ['no missing field', { 'f:a': {} }, { 'f:a': { 'f:b': {} }, 'f:z': {} }, { 'f:a': {} }],
  ])('lose %s', (_, left, right, rest) => {
    expect(difference(left, right)).toEqual(rest)
  })

  it('lose everything below a field when asked to', () => {
    const left = { 'f:spec': { '.': {}, 'f:a': {} }, 'f:status': { 'f:b': {} } }
    expect(recursiveDifference(left, { 'f:status': {} })).toEqual({ 'f:spec': { '.': {}, 'f:a': {} } })
  })
})

describe('printed field sets', () => {
  it('are read back as they were', () => {
    fc.assert(
      fc.property(set, (each) => {
        const printed = printFieldsV1(each)
        const read = readFieldsV1(JSON.parse(JSON.stringify(printed)))
        expect(read).toEqual(each)
        expect(JSON.stringify(printFieldsV1(printed))).toBe(JSON.stringify(printed))
      }),
    )
  })

  it('have members by name, then items by key and value, numbers by size', () => {
    const unordered: FieldSet = {
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'k:{"port":443,"protocol":"TCP"}': {},
      'k:{"port":80,"protocol":"UDP"}': {},
      'k:{"port":80,"protocol":"TCP"}': {},
      'f:b': { 'f:z': {}, 'f:y': {}, '.': {} },
      'f:a': {},
    }
    expect(JSON.stringify(printFieldsV1(unordered))).toBe(
      JSON.stringify({
        'f:a': {},
        'f:b': { '.': {}, 'f:y': {}, 'f:z': {} },
        'k:{"port":80,"protocol":"TCP"}': {},
        'k:{"port":80,"protocol":"UDP"}': {},
        'k:{"port":443,"protocol":"TCP"}': {},
        'v:9': {},
        'v:10': {},
        'v:"b"': {},
      }),
    )
  })

  it.each([
    ['keys in another order', { 'k:{"protocol":"TCP","port":80}': {} }, { 'k:{"port":80,"protocol":"TCP"}': {} }],
    ['spaces inside', { 'v: "a"': {} }, { 'v:"a"': {} }],
    ['types of a later version', { 'x:what': {}, 'f:a': {} }, { 'f:a': {} }],
    ['nothing at all', undefined, {}],
    [
      'names that objects inherit',
      { 'f:__proto__': {}, 'f:constructor': {} },
      { 'f:__proto__': {}, 'f:constructor': {} },
    ],
  ])('are understood with %s', (_, sent, expected) => {
    expect(readFieldsV1(sent)).toEqual(expected)
  })

  it.each([
    [{ f: {} }],
    [{ spec: {} }],
    [{ 'f:a': null }],
    [{ 'f:a': 5 }],
    [{ 'k:{bad': {} }],
    [{ 'k:5': {} }],
    [{ 'v:': {} }],
    [{ 'i:x': {} }],
    [JSON.parse('{"__proto__": {}}')],
    [[]],
    ['f:a'],
  ])('%j is not a field set', (sent) => {
    expect(readFieldsV1(sent)).toBeUndefined()
  })

  it('of excessive depth are refused', () => {
    let deep: unknown = {}
    for (let depth = 0; depth < 5000; depth += 1) deep = { 'f:a': deep }
    expect(readFieldsV1(deep)).toBeUndefined()
  })
})
