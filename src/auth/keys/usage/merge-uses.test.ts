import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyUse, RecordedUse } from '../contract.ts'
import { covers } from './fold-uses.ts'
import { mergedUsage, mostUsesPerKey } from './merge-uses.ts'

const base: KeyUse = {
  verb: 'get',
  group: '',
  resource: 'pods',
  namespace: '',
  name: '',
  path: '',
  target: 'cluster/c',
}
const used = (change: Partial<KeyUse>, lastMs = 1): RecordedUse => ({ ...base, ...change, lastMs })
const many = (change: (at: number) => Partial<KeyUse>, count = mostUsesPerKey + 1) =>
  Array.from({ length: count }, (_, at) => used(change(at), at))
const uncovered = (uses: readonly KeyUse[], by: readonly KeyUse[]) =>
  uses.filter((use) => !by.some((wide) => covers(wide, use)))

describe('one record of several', () => {
  it('has every use once, with its last time, the latest first', () => {
    const [get, list] = [used({}, 5), used({ verb: 'list' }, 7)]
    expect(mergedUsage([get], [list, { ...get, lastMs: 9 }], [{ ...get, lastMs: 8 }])).toEqual({
      uses: [{ ...get, lastMs: 9 }, list],
      complete: true,
    })
  })

  it('counts a use under the folded one that covers it', () => {
    const folded = used({ namespace: 'n', name: '*' }, 3)
    expect(
      mergedUsage([used({ namespace: 'n', name: 'a' }, 5), used({ namespace: 'm', name: 'a' }, 1)], [folded]),
    ).toEqual({
      uses: [{ ...folded, lastMs: 5 }, used({ namespace: 'm', name: 'a' }, 1)],
      complete: false,
    })
  })
})

describe('more uses than are kept', () => {
  const rest = [used({ verb: 'list' }, 500), used({ verb: 'watch', namespace: 'n' }, 501)]

  it.each<[string, (at: number) => Partial<KeyUse>, Partial<KeyUse>]>([
    ['names', (at) => ({ namespace: 'n', name: `a${at}` }), { namespace: 'n', name: '*' }],
    ['paths', (at) => ({ resource: '', path: `/logs/${at}/x` }), { resource: '', path: '/logs/*' }],
    ['short paths', (at) => ({ resource: '', path: `/${at}` }), { resource: '', path: '/*' }],
    ['namespaces', (at) => ({ namespace: `n${at}`, name: `a${at}` }), { namespace: '*', name: '*' }],
    ['namespaces of lists', (at) => ({ namespace: `n${at}` }), { namespace: '*' }],
    ['clusters', (at) => ({ target: `cluster/c${at}` }), { target: 'cluster/*' }],
    ['spaces', (at) => ({ target: `project/p/space/s${at}` }), { target: 'project/p/space/*' }],
    ['projects', (at) => ({ target: `project/p${at}/virtualcluster/v` }), { target: 'project/*/virtualcluster/*' }],
    ['resources', (at) => ({ group: 'apps', resource: `r${at}` }), { group: 'apps', resource: '*' }],
    ['groups', (at) => ({ group: `g${at}` }), { group: '*' }],
    ['verbs', (at) => ({ verb: `v${at}`, resource: '', path: '/x' }), { verb: '*', resource: '', path: '/x' }],
  ])('are folded into one if only %s differ; others stay unchanged', (_, change, form) => {
    const { uses, complete } = mergedUsage(many(change, 200), rest)
    expect(uses).toEqual([...rest.toReversed(), used(form, 199)])
    expect(complete).toBe(false)
  })

  it('are folded no more than needed', () => {
    const busy = many((at) => ({ verb: 'list', namespace: `n${at}` }), 40)
    const { uses } = mergedUsage(
      many((at) => ({ namespace: 'n', name: `a${at}` }), 100),
      busy,
    )
    expect(uses).toHaveLength(41)
    expect(uses.filter(({ verb }) => verb === 'list')).toHaveLength(40)
  })

  const word = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e', '__proto__', '*')
  const target = fc.constantFrom('management', 'cluster/a', 'cluster/b', 'project/a/space/b', 'project/b/space/b')
  const anyUse = fc.record({
    verb: word,
    group: word,
    resource: word,
    namespace: word,
    name: word,
    target,
    path: fc.constantFrom('', '/', '/a', '/a/b', '/a/c', '/b/c/d'),
    lastMs: fc.nat(1000),
  })

  it('are covered by the kept uses, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyUse, { minLength: 100, maxLength: 400 }), (uses) => {
        const kept = mergedUsage(uses).uses
        expect(kept.length).toBeLessThanOrEqual(mostUsesPerKey)
        expect(uncovered(uses, kept)).toEqual([])
        const inParts = mergedUsage(mergedUsage(uses.slice(50)).uses, uses.slice(0, 50), uses).uses
        expect(inParts.length).toBeLessThanOrEqual(mostUsesPerKey)
        expect(uncovered(uses, inParts)).toEqual([])
        expect(inParts[0]?.lastMs).toBe(Math.max(...uses.map(({ lastMs }) => lastMs)))
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })
})
