import { describe, expect, it } from 'vitest'
import { configMap } from '../../../tests/support/examples/kinds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Steps } from '../../base/steps.ts'
import { applyJsonPatch, jsonPatchSteps } from '../patch/json-patch.ts'
import { applyConfiguration, applySteps } from './apply.ts'
import { fieldsBelow } from './fields-of.ts'
import { trackSteps, trackUpdate } from './track.ts'

const many = 5_000
/** For a few hundred members, a step accesses each one a few times. */
const mostLooks = 2_000

let looks = 0

function largeObject(value: string): KubeObject {
  const data = Object.fromEntries(Array.from({ length: many }, (_, at) => [`key-${at}`, value]))
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data }
}

/** The same object, counting each access to a member of its data. */
function counted(object: KubeObject): KubeObject {
  const data = new Proxy(object.data as Record<string, unknown>, {
    get(target, name, receiver) {
      looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { ...object, data }
}

/** The maximum number of accesses in one step, and the result. */
function mostInOneStep<T>(steps: Steps<T>): { readonly most: number; readonly result: T } {
  let most = 0
  for (;;) {
    looks = 0
    const next = steps.next()
    most = Math.max(most, looks)
    if (next.done === true) return { most, result: next.value }
  }
}

const base = { kind: configMap, subresource: '', nowMs: 0 }

describe('a large object is written in small steps', () => {
  const stored = trackUpdate({ ...base, before: undefined, after: largeObject('old'), manager: 'a' })

  it.each([
    ['a new one', undefined],
    ['one that is changed', stored],
  ])('by an apply, %s', (_, live) => {
    const input = { ...base, live, manager: 'b', force: true }
    const { most, result } = mostInOneStep(applySteps({ ...input, config: counted(largeObject('new')) }))
    expect(most).toBeLessThan(mostLooks)
    expect(result).toEqual(applyConfiguration({ ...input, config: largeObject('new') }))
  })

  it.each([
    ['created', undefined],
    ['replaced', stored],
  ])('when it is %s', (_, before) => {
    const input = { ...base, before, manager: 'b' }
    const { most, result } = mostInOneStep(trackSteps({ ...input, after: counted(largeObject('new')) }))
    expect(most).toBeLessThan(mostLooks)
    expect(result).toEqual(trackUpdate({ ...input, after: largeObject('new') }))
  })

  it('if its schema names each member, in any order', () => {
    const names = Array.from({ length: many }, (_, at) => `key-${at}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
    const backwards = (value: string) => Object.fromEntries(names.map((name) => [name, value] as const).reverse())
    const { most, result } = mostInOneStep(
      fieldsBelow({ type: 'object', properties }, counted({ ...largeObject('x'), data: backwards('x') }).data),
    )
    expect(most).toBeLessThan(mostLooks)
    expect(Object.keys(result)).toEqual(['.', ...names.map((name) => `f:${name}`).sort()])
  })

  it('by a JSON Patch', () => {
    const operations = Array.from({ length: 10_000 }, (_, at) => ({ op: 'add', path: `/data/key-${at}`, value: 'y' }))
    let count = 0
    const steps = jsonPatchSteps(largeObject('x'), operations)
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) count += 1
    expect(count).toBeGreaterThan(100)
    expect(next.value).toEqual(applyJsonPatch(largeObject('x'), operations))
  })
})
