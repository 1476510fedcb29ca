import { describe, expect, it } from 'vitest'
import { ReferenceIndex } from './reference-index.ts'

function tellingIndex() {
  const told: string[] = []
  const index = new ReferenceIndex((target) => told.push(`${target} ${index.isReferenced(target) ? 'yes' : 'no'}`))
  return { index, news: () => told.splice(0) }
}

describe('an index of references', () => {
  it('reports the first reference and the last', () => {
    const { index, news } = tellingIndex()
    index.set('a', new Set(['x', 'y']))
    expect(news()).toEqual(['x yes', 'y yes'])
    index.set('b', new Set(['x']))
    index.set('a', new Set(['y']))
    expect(news()).toEqual([])
    index.set('b', new Set())
    expect(news()).toEqual(['x no'])
    expect([index.isReferenced('x'), index.isReferenced('y')]).toEqual([false, true])
  })

  it('is not complete while the references of an owner are unknown', () => {
    const { index } = tellingIndex()
    index.setUnknown('a')
    expect(index.isComplete).toBe(false)
    index.set('a', new Set(['x']))
    expect(index.isComplete).toBe(true)
  })

  it('keeps the references of an owner that has become unreadable', () => {
    const { index } = tellingIndex()
    index.set('a', new Set(['x']))
    index.setUnknown('a')
    expect([index.isComplete, index.isReferenced('x')]).toEqual([true, true])
  })

  it('forgets the owners of a kind', () => {
    const { index } = tellingIndex()
    index.set('endpoints a', new Set(['x']))
    index.set('services a', new Set(['y']))
    index.setUnknown('endpoints b')
    index.forget((owner) => owner.startsWith('endpoints '))
    expect([index.isReferenced('x'), index.isReferenced('y'), index.isComplete]).toEqual([false, true, true])
  })
})
