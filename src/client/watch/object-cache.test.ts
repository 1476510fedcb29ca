import { beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { ObjectCache } from './object-cache.ts'

const told: string[] = []
let cache: ObjectCache

/** `name uid version`, then anything else. */
function object(name: string, uid: string, version: number, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  const metadata = { namespace: 'n', name, uid, resourceVersion: String(version), ...more }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata }
}

function list(version: number, ...items: KubeObject[]) {
  cache.replace({ items, resourceVersion: String(version) })
}

function event(type: 'set' | 'gone', changed: KubeObject): boolean {
  return cache.apply({ type, object: changed, resourceVersion: changed.metadata.resourceVersion ?? '', bytes: 0 })
}

const text = (state: KubeObject | undefined) =>
  state === undefined ? '-' : `${state.metadata.name}/${state.metadata.uid}@${state.metadata.resourceVersion}`

const contents = () => [...cache.all()].map(text).sort()

beforeEach(() => {
  told.length = 0
  cache = new ObjectCache({
    indexes: { byLabel: ({ metadata }) => Object.values(metadata.labels ?? {}) },
    limits: { bytes: 1_000, objects: 100 },
    tell: ({ before, after }) => told.push(`${text(before)} > ${text(after)}`),
  })
})

describe('a cache', () => {
  it('reports a list as the resulting changes', () => {
    list(10, object('a', '1', 5), object('b', '2', 6), object('c', '3', 7))
    told.length = 0
    list(20, object('a', '1', 5), object('b', '2', 15), object('d', '4', 16))
    expect(told.sort()).toEqual(['- > d/4@16', 'b/2@6 > b/2@15', 'c/3@7 > -'])
  })

  it('reports what a watch reports, once', () => {
    list(10)
    event('set', object('a', '1', 11))
    event('set', object('a', '1', 12))
    event('gone', object('a', '1', 13))
    expect(told).toEqual(['- > a/1@11', 'a/1@11 > a/1@12', 'a/1@12 > -'])
    expect(cache.version).toBe('13')
  })

  it('ignores what a write has already reported', () => {
    list(10)
    cache.learn(object('a', '1', 12))
    event('set', object('a', '1', 11))
    event('set', object('a', '1', 12))
    event('set', object('a', '1', 13))
    expect(told).toEqual(['- > a/1@12', 'a/1@12 > a/1@13'])
  })

  it('knows which states the watch need not report, until it has reported them or everything is listed', () => {
    list(10)
    cache.learn(object('a', '1', 12))
    cache.learn(object('b', '2', 13))
    cache.learn(object('b', '2', 11))
    expect(['11', '12', '13', '14'].map((version) => cache.hasLearned(version))).toEqual([false, true, true, false])
    event('set', object('a', '1', 12))
    expect(cache.hasLearned('12')).toBe(false)
    list(20)
    expect(cache.hasLearned('13')).toBe(false)
  })

  it('ignores the answer to a write that the watch has overtaken', () => {
    list(10)
    event('set', object('a', '1', 11))
    event('gone', object('a', '1', 12))
    cache.learn(object('a', '1', 11))
    expect(contents()).toEqual([])
  })

  it('ignores the answer to a write after progress beyond it', () => {
    list(10)
    cache.apply({ type: 'progress', resourceVersion: '30' })
    cache.learn(object('a', '1', 20))
    expect(contents()).toEqual([])
  })

  it('keeps changes that arrive during a list', () => {
    cache.learn(object('a', '1', 12))
    cache.learn(object('b', '2', 13))
    list(11, object('a', '1', 9))
    expect(contents()).toEqual(['a/1@12', 'b/2@13'])
    list(14, object('a', '1', 12))
    expect(contents()).toEqual(['a/1@12'])
  })

  it('ignores late states of a deleted object', () => {
    list(10, object('a', '1', 5))
    cache.learn(object('a', '1', 12))
    cache.learnGone(object('a', '1', 12))
    event('set', object('a', '1', 11))
    event('set', object('a', '1', 12))
    expect(contents()).toEqual([])
    event('gone', object('a', '1', 13))
    expect(told).toEqual(['- > a/1@5', 'a/1@5 > a/1@12', 'a/1@12 > -'])
  })

  it('ignores a deleted object in an older list, and shows its successor', () => {
    list(10, object('a', '1', 5))
    cache.learnGone(object('a', '1', 5))
    list(11, object('a', '1', 5))
    expect(contents()).toEqual([])
    cache.learn(object('a', '2', 13))
    event('gone', object('a', '1', 12))
    event('set', object('a', '2', 13))
    expect(contents()).toEqual(['a/2@13'])
  })

  it('shows an object again that was not deleted after all', () => {
    list(10, object('a', '1', 5))
    cache.learnGone(object('a', '1', 5))
    event('set', object('a', '1', 11, { deletionTimestamp: '2026-01-01T00:00:00Z' }))
    expect(contents()).toEqual(['a/1@11'])
  })

  it('waits for the watch while the object has finalizers', () => {
    list(10, object('a', '1', 5, { finalizers: ['x/y'] }))
    cache.learnGone(object('a', '1', 5, { finalizers: ['x/y'] }))
    expect(contents()).toEqual(['a/1@5'])
  })

  it('removes what no longer matches, reported with the version of the change that a write returned', () => {
    list(10, object('a', '1', 5))
    cache.learn(object('a', '1', 12))
    event('gone', object('a', '1', 12))
    expect(contents()).toEqual([])
  })

  it('notices that the server has gone back in time, and accepts its next list', () => {
    list(100, object('a', '1', 90), object('b', '2', 95))
    expect(event('set', object('c', '3', 20))).toBe(false)
    list(21, object('a', '1', 10))
    expect(contents()).toEqual(['a/1@10'])
  })

  it('finds objects by their indexes in their current state', () => {
    list(10, object('a', '1', 5, { labels: { x: 'one' } }), object('b', '2', 6, { labels: { x: 'one' } }))
    event('set', object('b', '2', 11, { labels: { x: 'two', y: 'constructor' } }))
    expect(cache.indexed('byLabel', 'one').map(text)).toEqual(['a/1@5'])
    expect(cache.indexed('byLabel', 'constructor').map(text)).toEqual(['b/2@11'])
    event('gone', object('b', '2', 12))
    expect(cache.indexed('byLabel', 'two')).toEqual([])
    expect(() => cache.indexed('byName', 'a')).toThrow('there is no index byName')
  })

  it('keeps the known state of an object that a list contains but that cannot be read', () => {
    list(10, object('a', '1', 5), object('b', '2', 6))
    cache.replace({ items: [], resourceVersion: '20' }, [{ namespace: 'n', name: 'a' }])
    expect(contents()).toEqual(['a/1@5'])
  })

  it('continues from where it was after an object of which nothing can be read', () => {
    list(10, object('a', '1', 5))
    const unreadable = { namespace: '', name: '', uid: '', problem: 'is odd' }
    expect(cache.apply({ type: 'unreadable', unreadable, resourceVersion: '' })).toBe(true)
    expect(cache.version).toBe('10')
  })

  it('knows when it contains more than it should, and when it no longer does', () => {
    const put = (name: string, version: number, bytes: number) =>
      event('set', cache.sized(object(name, name, version), bytes))
    put('a', 1, 600)
    put('b', 2, 400)
    expect(cache.isOverfull).toBe(false)
    put('c', 3, 1)
    expect(cache.isOverfull).toBe(true)
    put('a', 4, 10)
    expect(cache.isOverfull).toBe(false)
    event('gone', object('a', 'a', 5))
    list(10, cache.sized(object('b', 'b', 2), 1_000))
    expect(cache.isOverfull).toBe(false)
    for (let index = 0; index < 100; index++) put(`many-${index}`, 20 + index, 0)
    expect(cache.isOverfull).toBe(true)
  })
})
