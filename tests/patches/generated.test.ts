import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { compilePatches } from '../../src/patches/compile.ts'
import { findMatches } from '../../src/patches/path/matches.ts'
import { parsePath } from '../../src/patches/path/parse.ts'
import type { ConcretePath, PatchPathElement } from '../../src/patches/path/path.ts'
import { printPatchPath } from '../../src/patches/path/print.ts'
import { isMarkerMap } from '../../src/patches/path/reserved.ts'
import { applied, apply, openTestEngine, vcluster } from './support.ts'

let engine: ExpressionEngine
beforeAll(() => {
  engine = openTestEngine()
})
afterAll(() => engine.close())

const name = fc.constantFrom(
  'metadata',
  'labels',
  'spec',
  'a',
  '0',
  '1',
  '__proto__',
  'constructor',
  '',
  'tenant.internal/x',
)
const element: fc.Arbitrary<PatchPathElement> = fc.oneof(
  name.map((each): PatchPathElement => ({ type: 'member', name: each })),
  fc.nat(2).map((each): PatchPathElement => ({ type: 'index', index: each })),
  fc.constant<PatchPathElement>({ type: 'wildcard' }),
)
const pathText = fc.array(element, { minLength: 1, maxLength: 4 }).map(printPatchPath)

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, 1, 'text', true, 0, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value
const object: fc.Arbitrary<KubeObject> = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Thing'),
  metadata: fc.record({
    name: fc.constant('a'),
    namespace: fc.constant('default'),
    labels: fc.dictionary(name, fc.string({ maxLength: 3 }), { maxKeys: 3 }),
  }),
  spec: value,
  a: value,
})

/** Expressions and their equivalents in plain JavaScript. */
const meanings = new Map<string, (before: unknown) => unknown>([
  ['value', (before) => before ?? undefined],
  ['null', () => undefined],
  ['"x"', () => 'x'],
  ['[value]', (before) => [before]],
  ['value === "text" ? null : value', (before) => (before === 'text' ? undefined : (before ?? undefined))],
])

/** One change at a time, from the last match to the first, on a copy. */
function naively(before: KubeObject, path: string, meaning: (value: unknown) => unknown): unknown {
  const copy = structuredClone(before)
  const parsed = parsePath(path)
  const matches = parsed.ok ? findMatches(before, parsed.path) : []
  for (const match of matches.toReversed()) put(copy, match.path, meaning(match.value))
  return copy
}

function put(root: unknown, path: ConcretePath, after: unknown): void {
  const [step, ...rest] = path
  if (step === undefined || typeof root !== 'object' || root === null) return
  if (rest.length > 0) put(Object.getOwnPropertyDescriptor(root, step)?.value, rest, after)
  else if (after === undefined && Array.isArray(root)) root.splice(Number(step), 1)
  else if (after === undefined) Reflect.deleteProperty(root, step)
  else Object.defineProperty(root, step, { value: after, writable: true, enumerable: true, configurable: true })
}

function contextOf(virtualObject: KubeObject) {
  return { vcluster, hostObject: null, virtualObject }
}

function reachesMarkers(before: KubeObject, path: string): boolean {
  const parsed = parsePath(path)
  return parsed.ok && findMatches(before, parsed.path).some((match) => isMarkerMap(match.path))
}

describe('any patch on any object', () => {
  it('has the same effect as changing one match after the other', async () => {
    await fc.assert(
      fc.asyncProperty(object, pathText, fc.constantFrom(...meanings.keys()), async (before, path, expression) => {
        const meaning = meanings.get(expression)
        const patches = [{ path, expression }]
        fc.pre(meaning !== undefined && compilePatches(patches).ok && !reachesMarkers(before, path))
        const snapshot = JSON.stringify(before)
        const after = await applied(before, patches, { engine })
        if (meaning !== undefined) expect(JSON.stringify(after)).toBe(JSON.stringify(naively(before, path, meaning)))
        expect(JSON.stringify(before)).toBe(snapshot)
      }),
      { numRuns: 400 },
    )
  })

  it('in a list has the same effect as alone after its predecessors', async () => {
    const patch = fc.record({ path: pathText, expression: fc.constantFrom(...meanings.keys()) })
    await fc.assert(
      fc.asyncProperty(object, fc.array(patch, { minLength: 2, maxLength: 4 }), async (before, patches) => {
        fc.pre(compilePatches(patches).ok)
        const together = await apply(before, patches, { engine })
        let current = before
        for (const [index, each] of patches.entries()) {
          const alone = await apply(current, [each], { engine, run: { context: contextOf(before) } })
          expect(together.counters[index]).toEqual(alone.counters[0])
          if (alone.state === 'failed') {
            expect(together).toMatchObject({ failure: { ...alone.failure, index } })
            return
          }
          current = alone.object
        }
        expect(JSON.stringify(together)).toContain(JSON.stringify(current))
      }),
      { numRuns: 300 },
    )
  })

  it('returns an object or a failure with a position, and keeps reserved fields', async () => {
    const expressions = fc.constantFrom('value.a.b', 'null', '({})', '"x"', '[value, value]', 'context.path', '() => 1')
    await fc.assert(
      fc.asyncProperty(object, pathText, expressions, async (before, path, expression) => {
        fc.pre(compilePatches([{ path, expression }]).ok)
        const outcome = await apply(before, [{ path, expression }], { engine })
        if (outcome.state === 'failed') {
          expect(outcome.failure).toMatchObject({ index: 0, path, expression, concretePath: expect.any(String) })
          return
        }
        const { apiVersion, kind, metadata } = outcome.object
        expect({ apiVersion, kind, name: metadata.name, namespace: metadata.namespace }).toEqual({
          apiVersion: 'v1',
          kind: 'Thing',
          name: 'a',
          namespace: 'default',
        })
        const marker = 'tenant.internal/x'
        expect(outcome.object.metadata.labels?.[marker]).toBe(before.metadata.labels?.[marker])
      }),
      { numRuns: 400 },
    )
  })

  it('as a reference or a selector never throws', async () => {
    const actions = fc.constantFrom(
      { labels: {} },
      { reference: { apiVersion: 'v1', kind: 'Secret' } },
      { reference: { apiVersion: 'v1', kind: 'Secret', namePath: 'a', namespacePath: '["0"]' } },
      { reference: { apiVersionPath: 'a', kindPath: '[0]', namePath: '__proto__' } },
    )
    const directions = fc.constantFrom('toHost', 'toVirtual')
    await fc.assert(
      fc.asyncProperty(object, pathText, actions, directions, async (before, path, action, direction) => {
        fc.pre(compilePatches([{ path, ...action }]).ok)
        const snapshot = JSON.stringify(before)
        const outcome = await apply(before, [{ path, ...action }], { engine, direction })
        expect(['applied', 'failed']).toContain(outcome.state)
        expect(JSON.stringify(before)).toBe(snapshot)
      }),
      { numRuns: 400 },
    )
  })
})
