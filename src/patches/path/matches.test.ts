import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMatches, matchAt } from './matches.ts'
import { parsePath } from './parse.ts'
import type { PatchPathElement, Path } from './path.ts'
import { printConcretePath } from './print.ts'
import { isReserved, whyPathIsReserved } from './reserved.ts'

function path(text: string): Path {
  const parsed = parsePath(text)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.path
}

function found(object: unknown, text: string): string[] {
  return findMatches(object, path(text)).map((match) => printConcretePath(match.path))
}

const endpoints = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: 'u-1',
    labels: { app: 'web', 'tenant.internal/managed-by': 'demo' },
    annotations: { 'b.example/x': '1', a: '2', 'tenant.internal/object-name': 'web' },
  },
  subsets: [
    { addresses: [{ ip: '10.0.0.1', hostname: 'one' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }] },
    { ports: [{ port: 443 }] },
  ],
  data: { 0: 'zero', empty: {}, nothing: null },
}

describe('expansion', () => {
  const expansions: readonly (readonly [string, readonly string[]])[] = [
    ['subsets[0].addresses[1].ip', ['subsets[0].addresses[1].ip']],
    ['subsets[*].addresses[*].ip', ['subsets[0].addresses[0].ip', 'subsets[0].addresses[1].ip']],
    ['subsets[*].addresses[*].hostname', ['subsets[0].addresses[0].hostname']],
    ['subsets.*.ports.*.*', ['subsets[0].ports[0].port', 'subsets[1].ports[0].port']],
    ['subsets[2]', []],
    ['subsets.addresses', []],
    ['subsets["0"]', []],
    ['data[0]', ['data["0"]']],
    ['data.*', ['data["0"]', 'data.empty', 'data.nothing']],
    ['data.empty[*]', []],
    ['data.nothing.below', []],
    ['data.toString', []],
    ['data.__proto__', []],
    ['data.constructor.prototype', []],
    ['metadata.annotations[*]', ['metadata.annotations.a', 'metadata.annotations["b.example/x"]']],
    ['metadata.*.*', ['metadata.annotations.a', 'metadata.annotations["b.example/x"]', 'metadata.labels.app']],
    ['metadata.*', ['metadata.annotations', 'metadata.labels']],
    ['*', ['data', 'subsets']],
    ['*.name', []],
    ['*[*]["tenant.internal/object-name"]', []],
    ['missing', []],
  ]

  it.each(expansions)('of %s finds each place once, in a stable order, and nothing reserved', (text, places) => {
    expect(found(endpoints, text)).toEqual(places)
  })

  it('does not depend on the order in which members were written', () => {
    expect(found({ spec: { b: 1, a: 1, 10: 1, 9: 1 } }, 'spec.*')).toEqual(
      found({ spec: { 9: 1, a: 1, 10: 1, b: 1 } }, 'spec[*]'),
    )
  })

  it('treats __proto__ as a name like any other', () => {
    const object = JSON.parse('{"spec":{"__proto__":{"x":1}}}')
    expect(found(object, 'spec.*.x')).toEqual(['spec.__proto__.x'])
    expect(matchAt(object, path('spec.__proto__.x'))?.value).toBe(1)
    expect(matchAt({ spec: {} }, path('spec.__proto__'))).toBeUndefined()
  })
})

describe('a reserved path', () => {
  it.each([
    'apiVersion',
    'kind',
    'metadata',
    '$.metadata.name',
    'metadata["namespace"]',
    'metadata.uid',
    'metadata.managedFields[*].manager',
    'metadata.labels["tenant.internal/managed-by"]',
    "metadata.annotations['tenant.internal/anything']",
  ])('%s is recognized without an object', (text) => {
    expect(whyPathIsReserved(path(text))).toEqual(expect.any(String))
  })

  it.each([
    'metadata.labels',
    'metadata.annotations',
    'metadata.*',
    'metadata[*]',
    'metadata.labels[*]',
    'metadata.labels["tenant.internal"]',
    'metadata.ownerReferences[*].name',
    'spec.metadata.name',
    'spec.kind',
    '*.name',
    '*',
  ])('%s is not one', (text) => {
    expect(whyPathIsReserved(path(text))).toBeUndefined()
  })
})

/** All places of an object, by brute force. */
function everyPlace(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value)
  const below = [...steps].flatMap((step) =>
    everyPlace(Object.getOwnPropertyDescriptor(value, step)?.value).map((rest) => [step, ...rest]),
  )
  return [[], ...below]
}

function means(element: PatchPathElement | undefined, step: string | number): boolean {
  if (element?.type === 'wildcard') return true
  if (element?.type === 'index') return String(element.index) === String(step)
  return element?.name === step
}

describe('expansion of any path over any object', () => {
  const name = fc.constantFrom('metadata', 'name', 'labels', 'a', '0', '1', '__proto__', '', 'tenant.internal/x')
  const element: fc.Arbitrary<PatchPathElement> = fc.oneof(
    name.map((each): PatchPathElement => ({ type: 'member', name: each })),
    fc.nat(2).map((each): PatchPathElement => ({ type: 'index', index: each })),
    fc.constant<PatchPathElement>({ type: 'wildcard' }),
  )
  const object = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, 1, 'text', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value

  it('equals that of a naive walker', () => {
    fc.assert(
      fc.property(object, fc.array(element, { minLength: 1, maxLength: 4 }), (root, elements) => {
        const naive = everyPlace(root)
          .filter((place) => place.length === elements.length && place.every((step, at) => means(elements[at], step)))
          .filter((place) => !isReserved(place))
          .map(printConcretePath)
        expect(
          findMatches(root, elements)
            .map((match) => printConcretePath(match.path))
            .sort(),
        ).toEqual(naive.sort())
      }),
      { numRuns: 2000 },
    )
  })

  it('leads to places whose printed form leads there again', () => {
    fc.assert(
      fc.property(object, fc.array(element, { minLength: 1, maxLength: 4 }), (root, elements) => {
        for (const match of findMatches(root, elements)) {
          expect(findMatches(root, path(printConcretePath(match.path)))).toEqual([match])
        }
      }),
      { numRuns: 500 },
    )
  })
})
