import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import type { Schema } from '../../api/schema.ts'
import { applyStrategicMergePatch, strategicMergeSteps } from './strategic-merge.ts'

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer' }

const port: Schema = {
  type: 'object',
  properties: { name: text, port: number, protocol: text, targetPort: number, tags: { type: 'array', items: text } },
}

const service: Schema = {
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: text },
        finalizers: { type: 'array', items: text, patchStrategy: 'merge' },
      },
    },
    spec: {
      type: 'object',
      properties: {
        ports: { type: 'array', items: port, patchStrategy: 'merge', patchMergeKey: 'port' },
        externalIPs: { type: 'array', items: text },
        selector: { type: 'object', additionalProperties: text, mapType: 'atomic' },
      },
    },
  },
}

const a = { name: 'a', port: 80 }
const b = { name: 'b', port: 81 }
const c = { name: 'c', port: 82 }

const ofPorts: readonly [string, unknown, Record<string, unknown>, unknown][] = [
  [
    'named items are first when one of them is new',
    [a, b],
    { ports: [{ port: 80, targetPort: 8080 }, { port: 90 }] },
    [{ ...a, targetPort: 8080 }, { port: 90 }, b],
  ],
  [
    'items keep their places when all are known',
    [a, b, c],
    { ports: [{ port: 82, name: 'cc' }] },
    [a, b, { ...c, name: 'cc' }],
  ],
  [
    'items that share a key stay, and the first of them is changed',
    [{ ...a, protocol: 'TCP' }, { ...a, protocol: 'UDP' }, b],
    {
      ports: [
        { port: 81, name: 'bb' },
        { port: 80, targetPort: 8080 },
      ],
    },
    [
      { ...b, name: 'bb' },
      { ...a, protocol: 'TCP', targetPort: 8080 },
      { ...a, protocol: 'UDP' },
    ],
  ],
  [
    'items that share a key stay when only others are patched',
    [{ ...a, protocol: 'UDP' }, { ...a, protocol: 'TCP' }, b],
    { ports: [{ port: 82 }] },
    [{ port: 82 }, { ...a, protocol: 'UDP' }, { ...a, protocol: 'TCP' }, b],
  ],
  [
    'items that share a key are deleted together',
    [{ ...a, protocol: 'UDP' }, { ...a, protocol: 'TCP' }, b],
    { ports: [{ $patch: 'delete', port: 80 }] },
    [b],
  ],
  ['an item is deleted by its key', [a, b], { ports: [{ $patch: 'delete', port: 81 }] }, [a]],
  ['deleting a missing item changes nothing', [a], { ports: [{ $patch: 'delete', port: 99 }] }, [a]],
  ['the list is replaced', [a, b], { ports: [{ $patch: 'replace' }, { port: 99 }] }, [{ port: 99 }]],
  [
    'the list is ordered as asked',
    [a, { name: 'c', port: 90 }],
    { '$setElementOrder/ports': [{ port: 90 }, { port: 80 }], ports: [{ port: 90, name: 'cc' }] },
    [{ name: 'cc', port: 90 }, a],
  ],
  [
    'the list is ordered without any other change',
    [a, b, c],
    { '$setElementOrder/ports': [{ port: 82 }, { port: 80 }] },
    [b, c, a],
  ],
  ['null removes the list', [a], { ports: null }, undefined],
  ['null removes a member of an item', [a], { ports: [{ port: 80, name: null }] }, [{ port: 80 }]],
  [
    'lists inside items are replaced',
    [{ port: 80, tags: ['x'] }],
    { ports: [{ port: 80, tags: ['y'] }] },
    [{ port: 80, tags: ['y'] }],
  ],
  [
    'a new list loses its directives',
    undefined,
    { ports: [{ $patch: 'replace' }, { port: 1, name: null }] },
    [{ port: 1 }],
  ],
]

const ofMaps: readonly [string, unknown, unknown, unknown][] = [
  ['maps merge, null deletes', { a: 'b' }, { c: 'd', a: null }, { c: 'd' }],
  ['a map is replaced', { a: 'b' }, { $patch: 'replace', z: 'z' }, { z: 'z' }],
  ['a map is emptied', { a: 'b' }, { $patch: 'delete' }, {}],
  ['only retained keys stay', { a: 'b', c: 'd' }, { $retainKeys: ['c', 'e'], e: 'f' }, { c: 'd', e: 'f' }],
  ['a new map loses its nulls', undefined, { a: 'b', c: null }, { a: 'b' }],
  ['deleting a missing map changes nothing', undefined, { $patch: 'delete' }, undefined],
]

const ofFinalizers: readonly [string, unknown, Record<string, unknown>, unknown][] = [
  ['the first one', undefined, { finalizers: ['a.b/c'] }, ['a.b/c']],
  ['a new one comes first', ['a.b/c'], { finalizers: ['a.b/d'] }, ['a.b/d', 'a.b/c']],
  ['a known one changes nothing', ['a', 'b', 'c'], { finalizers: ['b'] }, ['a', 'b', 'c']],
  ['some are deleted', ['a', 'b', 'c'], { '$deleteFromPrimitiveList/finalizers': ['b'] }, ['a', 'c']],
  [
    'when all are deleted the list is absent',
    ['a', 'b'],
    { '$deleteFromPrimitiveList/finalizers': ['a', 'b'] },
    undefined,
  ],
  [
    'ordered as asked',
    ['a', 'b', 'c'],
    { '$setElementOrder/finalizers': ['c', 'd', 'a'], finalizers: ['d'] },
    ['b', 'c', 'd', 'a'],
  ],
]

describe('applyStrategicMergePatch', () => {
  it.each(ofPorts)('ports: %s', (_, ports, patch, result) => {
    const patched = applyStrategicMergePatch({ spec: { ports } }, { spec: patch }, service)
    expect(patched).toEqual({ spec: result === undefined ? {} : { ports: result } })
  })

  it.each(ofMaps)('maps: %s', (_, selector, patch, result) => {
    const live = selector === undefined ? {} : { selector }
    const patched = applyStrategicMergePatch({ spec: live }, { spec: { selector: patch } }, service)
    expect(patched).toEqual({ spec: result === undefined ? {} : { selector: result } })
  })

  it.each(ofFinalizers)('finalizers: %s', (_, finalizers, patch, result) => {
    const patched = applyStrategicMergePatch({ metadata: { finalizers } }, { metadata: patch }, service)
    expect(patched).toEqual({ metadata: result === undefined ? {} : { finalizers: result } })
  })

  it('replaces lists that have no merge strategy', () => {
    const live = { spec: { externalIPs: ['1', '2'] } }
    expect(applyStrategicMergePatch(live, { spec: { externalIPs: ['3'] } }, service)).toEqual({
      spec: { externalIPs: ['3'] },
    })
  })

  it.each([
    [{ ports: [{ name: 'nokey' }] }, 'map: map[name:nokey] does not contain declared merge key: port'],
    [{ ports: [{ $patch: 'delete' }] }, 'map: map[$patch:delete] does not contain declared merge key: port'],
    [{ ports: [{ $patch: 'bogus', port: 80 }] }, 'unknown patch type: bogus in map: map[$patch:bogus port:80]'],
    [{ ports: [{ $patch: 'merge' }] }, 'merging lists cannot yet be specified in the patch'],
    [{ selector: { $patch: 'bogus' } }, 'unknown patch type: bogus in map: map[$patch:bogus]'],
    [{ selector: { $retainKeys: ['a'], b: 'c' } }, 'invalid patch format of retainKeys'],
    [{ selector: { $retainKeys: 'a' } }, 'invalid patch format of retainKeys'],
    [{ ports: ['x'] }, 'list element types are not identical: [[map[name:a port:80]] [x]]'],
    [{ '$setElementOrder/ports': 5 }, 'invalid patch format of setElementOrder list'],
    [
      { '$setElementOrder/ports': [{ port: 80 }], ports: [{ port: 81 }] },
      "The order in patch list:\n[map[port:81]]\n doesn't match $setElementOrder list:\n[map[port:80]]\n",
    ],
  ])('%j is refused with a 400', (patch, message) => {
    const live = { spec: { ports: [a], selector: { a: 'b' } } }
    try {
      applyStrategicMergePatch(live, { spec: patch }, service)
      expect.unreachable('the patch was taken')
    } catch (error) {
      expect(error).toMatchObject({ status: { code: 400, reason: 'BadRequest', message } })
    }
  })

  it('ignores null', () => {
    expect(applyStrategicMergePatch({ a: 1 }, null, service)).toEqual({ a: 1 })
  })

  it('refuses a patch that is not an object', () => {
    const message = 'json: cannot unmarshal array into Go value of type map[string]interface {}'
    expect(() => applyStrategicMergePatch({}, [], service)).toThrow(message)
  })

  it('throws only ApiError and never changes the document', () => {
    const value = fc.letrec((tie) => ({
      object: fc.dictionary(
        fc.constantFrom(
          'spec',
          'ports',
          'port',
          'name',
          'selector',
          'finalizers',
          'metadata',
          '__proto__',
          '$patch',
          '$retainKeys',
          '$setElementOrder/ports',
          '$deleteFromPrimitiveList/finalizers',
        ),
        fc.oneof({ maxDepth: 4 }, tie('scalar'), tie('object'), tie('list')),
        { maxKeys: 5 },
      ),
      list: fc.array(fc.oneof({ maxDepth: 4 }, tie('scalar'), tie('object'), tie('list')), { maxLength: 4 }),
      scalar: fc.constantFrom<unknown>(null, 1, 2, 'a', 'delete', 'replace', true),
    })).object
    fc.assert(
      fc.property(value, value, (live, patch) => {
        const before = JSON.stringify(live)
        try {
          applyStrategicMergePatch(live as Record<string, unknown>, patch, service)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
        expect(JSON.stringify(live)).toBe(before)
      }),
      { numRuns: 500 },
    )
  })
})

it('a long list is merged in small steps', () => {
  const ports = (name: string) => Array.from({ length: 5_000 }, (_, index) => ({ port: index, name }))
  const document = { spec: { ports: ports('old') } }
  const patch = { spec: { ports: ports('new') } }
  expect([...strategicMergeSteps(document, patch, service)].length).toBeGreaterThan(5_000 / 300)
  expect(applyStrategicMergePatch(document, patch, service)).toEqual(patch)
})
