import { describe, expect, it } from 'vitest'
import { changed, copyOf, endpoints } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pair, Plan } from '../../contract.ts'
import { ObjectMemory } from './object-memory.ts'

const virtual = endpoints()
const copy = await copyOf(virtual)
const both: Pair = { virtual, copy }
const update: Plan = { action: 'update', host: copy }
const flowBack: Plan = {
  action: 'update',
  virtual: { body: { metadata: { labels: { l: 'v2' } } } },
  host: copy,
}

function at(object: KubeObject, resourceVersion: string): KubeObject {
  return changed(object, { resourceVersion })
}

/** How long the next write must wait after this many, each of which was needed at once. */
function pauseAfter(count: number, pair: (number: number) => Pair, plan: Plan, memory = new ObjectMemory()): number {
  let nowMs = 0
  for (let number = 0; number < count; number++) {
    const writes = memory.writesOf('a', pair(number), plan)
    nowMs += writes.pauseMs(nowMs)
    if (plan.action === 'update' && plan.virtual) writes.wroteVirtual(at(virtual, `own-${number}`), nowMs)
    writes.wroteHost(nowMs)
  }
  return memory.writesOf('a', pair(count), plan).pauseMs(nowMs)
}

describe('writes of one object', () => {
  it('that another client undoes become less and less frequent', () => {
    expect(pauseAfter(15, () => both, update)).toBe(0)
    expect(pauseAfter(16, () => both, update)).toBe(1_000)
    expect(pauseAfter(20, () => both, update)).toBe(16_000)
    expect(pauseAfter(100, () => both, update)).toBe(300_000)
  })

  it('that its owner changes all the time are paced on the host, but neither on the virtual side nor deletions', () => {
    const memory = new ObjectMemory()
    const changedEachTime = (number: number): Pair => ({ virtual: at(virtual, `v-${number}`), copy })
    for (let number = 0; number < 60; number++) memory.writesOf('a', changedEachTime(number), update).wroteHost(0)
    const next = (plan: Plan, name = 'a') => memory.writesOf(name, changedEachTime(60), plan)
    expect(next(update).pauseMs(0)).toBe(0)
    expect(next(update).paceMs(0)).toBe(1_000)
    expect(next(update).paceMs(1_000)).toBe(0)
    expect(next({ action: 'update', virtual: {} }).paceMs(0)).toBe(0)
    expect(next({ action: 'delete', copy, because: 'it is gone' }).paceMs(0)).toBe(0)
    expect(next(update, 'b').paceMs(0)).toBe(0)
  })

  it('whose copy is deleted each time become less and less frequent', () => {
    const gone: Pair = { virtual, copy: undefined }
    expect(pauseAfter(20, () => gone, { action: 'create', host: copy })).toBe(16_000)
  })

  it('that the host answers with another change each time become less and less frequent', () => {
    const answered = (number: number): Pair => ({
      virtual: number === 0 ? virtual : at(virtual, `own-${number - 1}`),
      copy: at(copy, `h-${number}`),
    })
    expect(pauseAfter(20, answered, flowBack)).toBe(16_000)
  })

  it('that the tenant causes are not limited', () => {
    expect(pauseAfter(100, (number) => ({ virtual: at(virtual, `${number}`), copy }), update)).toBe(0)
  })

  it('that failed are not a fight', () => {
    const memory = new ObjectMemory()
    for (let attempt = 0; attempt < 100; attempt++) {
      expect(memory.writesOf('a', both, update).pauseMs(attempt)).toBe(0)
    }
  })

  it('that are far apart are not a fight', () => {
    const memory = new ObjectMemory()
    for (let time = 0; time < 100; time++) {
      const writes = memory.writesOf('a', both, update)
      expect(writes.pauseMs(time * 15_000)).toBe(0)
      writes.wroteHost(time * 15_000)
    }
  })

  it('start over with another configuration', () => {
    const memory = new ObjectMemory()
    expect(pauseAfter(30, () => both, update, memory)).toBeGreaterThan(0)
    memory.startOver()
    expect(memory.writesOf('a', both, update).pauseMs(0)).toBe(0)
  })
})
