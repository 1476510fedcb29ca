import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agoText, durationText, spanText, untilText } from '../../console/src/format/time.ts'
import { andList, countedWord, nameFrom } from '../../console/src/format/words.ts'
import { emptyDraft, isScopeEmpty, specOf } from '../../console/src/keys/create/draft.ts'
import { keyFilter, noFilter } from '../../console/src/keys/filter.ts'
import { keyRowOf } from '../../console/src/keys/key-row.ts'
import { grantsInWords, scopeInShort } from '../../console/src/keys/scope-words.ts'
import { keySentence } from '../../console/src/keys/sentence.ts'
import { noRate, sumOf, withTotals } from '../../console/src/overview/metrics.ts'
import type { Column, Sort } from '../../console/src/table/column.ts'
import { RowOrder } from '../../console/src/table/order.ts'
import { patchesIn, patchInShort } from '../../console/src/virtual-clusters/configured-patches.ts'
import { patchCounts } from '../../console/src/virtual-clusters/patch-counts.ts'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'

const minute = 60_000
const day = 24 * 60 * minute

it('the refresh token of an application is not shown as a key that reaches everything', () => {
  const spec = { user: 'ann', type: 'OIDCRefreshToken', oidcProvider: { clientId: 'grafana' } }
  const key = { apiVersion: 'v1', kind: 'OwnedAccessKey', metadata: { name: 'oidc-1' }, spec }
  expect(keyRowOf(key).scope).toBe('sign-in to grafana alone')
  expect(keySentence(spec, 'the user ann')).toContain('keep its user signed in to grafana, and nothing else')
})

describe('time in words', () => {
  it.each([
    [30_000, '30 s'],
    [5 * minute, '5 min'],
    [47 * 60 * minute, '47 h'],
    [49 * 60 * minute, '2 days'],
    [400 * day, '400 days'],
  ])('%i ms is %s', (ms, text) => {
    expect(spanText(ms)).toBe(text)
  })

  it('distinguishes past and future', () => {
    expect([agoText(undefined, 0), agoText(0, 1000), agoText(0, 2 * minute)]).toEqual([
      'never',
      'just now',
      '2 min ago',
    ])
    expect([untilText(undefined, 0), untilText(3 * day, 0), untilText(0, 3 * day)]).toEqual([
      'never',
      'in 3 days',
      '3 days ago',
    ])
    expect([durationText(90 * 86_400), durationText(90_000), durationText(1)]).toEqual([
      '90 days',
      '1 day 1 hour',
      '1 second',
    ])
  })
})

describe('lists and names', () => {
  it('are joined in words', () => {
    expect([andList([]), andList(['a']), andList(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c'])
    expect([countedWord(1, 'key'), countedWord(50_000, 'key')]).toEqual(['1 key', '50,000 keys'])
    expect([nameFrom('Déploy the Shop!'), nameFrom('***'), nameFrom('x'.repeat(99)).length]).toEqual([
      'de-ploy-the-shop',
      '',
      40,
    ])
  })
})

describe('what a key may do, in words', () => {
  it.each([
    [undefined, 'everything', 'do everything that its owner may do'],
    [{}, 'everything', 'do everything that its owner may do'],
    [
      { roles: [{ role: 'tenant', projects: ['*'] }] },
      'role tenant',
      'register and link virtual clusters in every project',
    ],
    [
      { roles: [{ role: 'tenant', projects: ['a', 'b'], virtualClusters: ['v'] }] },
      'role tenant v in a, b',
      'register and link virtual clusters named v in a and b',
    ],
    [{ roles: [{ role: 'agent' }] }, 'role agent', 'register and link host clusters'],
    [
      { roles: [{ role: 'agent', projects: ['a'] }] },
      'role agent in a',
      'read which features are licensed, because it is limited to projects',
    ],
    [
      { roles: [{ role: 'platformCLI', projects: ['a'] }] },
      'role platformCLI in a',
      'make the read-only requests that the command line needs in a',
    ],
    [{ projects: [{ project: '*' }] }, 'all projects', 'work in every project'],
    [{ spaces: [{ project: 'p', space: 's' }] }, 'space p/s', 'use the space s in the project p'],
    [
      { virtualClusters: [{ project: 'p', virtualCluster: '*' }] },
      'virtual cluster p/*',
      'use every virtual cluster in the project p',
    ],
    [{ clusters: [{ cluster: 'a' }, { cluster: 'b' }] }, 'clusters a, b', 'reach the host cluster a'],
    [{ rules: [{}], allowPlatformCli: true }, '1 rule, command line', 'make requests that fit 1 rule'],
  ])('%j', (scope, short, first) => {
    expect(scopeInShort(scope)).toBe(short)
    expect(grantsInWords(scope)[0]).toBe(first)
  })

  it('is one sentence', () => {
    expect(keySentence({ ttl: 3600, scope: { clusters: [{ cluster: 'a' }] } }, 'the team x')).toBe(
      'This key acts for the team x. It may reach the host cluster a, as far as its owner may, for 1 hour.',
    )
    expect(keySentence({}, 'you')).toBe(
      'This key acts for you. It may do everything that its owner may do, until it is deleted or disabled.',
    )
  })
})

describe('a key from the form', () => {
  it('has only chosen fields', () => {
    expect(specOf({ ...emptyDraft, displayName: ' a ', isLimited: false, ttl: 0, isSliding: true })).toEqual({
      displayName: 'a',
      type: 'User',
    })
  })

  it('has the chosen scope', () => {
    const scope = {
      ...emptyDraft.scope,
      roles: ['tenant', 'agent', 'metrics-reader'],
      roleProjects: ['p'],
      virtualClusters: ['p/v', '*'],
      spaces: ['p/s'],
    }
    expect(specOf({ ...emptyDraft, scope }).scope).toEqual({
      roles: [{ role: 'tenant', projects: ['p'] }, { role: 'agent' }, { role: 'metrics-reader' }],
      virtualClusters: [
        { project: 'p', virtualCluster: 'v' },
        { project: '*', virtualCluster: '*' },
      ],
      spaces: [{ project: 'p', space: 's' }],
    })
  })

  it('is never unlimited because nothing was chosen', () => {
    expect([isScopeEmpty(emptyDraft), isScopeEmpty({ ...emptyDraft, isLimited: false })]).toEqual([true, false])
    const withRole = (role: string) => ({
      ...emptyDraft,
      scope: { ...emptyDraft.scope, roles: [role], roleProjects: [] },
    })
    expect([isScopeEmpty(withRole('tenant')), isScopeEmpty(withRole('agent'))]).toEqual([true, false])
  })
})

describe('finding keys', () => {
  const now = Date.parse('2026-01-10T00:00:00Z')
  const row = keyRowOf({
    apiVersion: 'v1',
    kind: 'OwnedAccessKey',
    metadata: { name: 'k', creationTimestamp: '2025-11-01T00:00:00Z' },
    spec: { displayName: 'Deploy <b>', user: 'ada', scope: { projects: [{ project: 'shop' }] } },
    status: { phase: 'Active', expiresAt: '2026-01-12T00:00:00Z' },
  })

  it.each([
    [{ text: 'DEPLOY shop' }, true],
    [{ text: '<b>' }, true],
    [{ text: 'deploy payments' }, false],
    [{ phase: 'Disabled' }, false],
    [{ owner: 'user/ada' }, true],
    [{ owner: 'team/ada' }, false],
    [{ life: 'soon' as const }, true],
    [{ life: 'unlimited' as const }, false],
    [{ life: 'unused' as const }, true],
  ])('%j matches: %s', (filter, isFound) => {
    expect(keyFilter({ ...noFilter, ...filter }, now)?.(row)).toBe(isFound)
  })
})

describe('the order of rows', () => {
  interface Row {
    readonly id: string
    readonly size: number | undefined
  }
  const columns: readonly Column<Row>[] = [
    { id: 'size', header: '', minWidth: 1, narrow: 'title', cell: () => null, sortBy: ({ size }) => size },
  ]
  const rows = [3, undefined, 1, 2].map((size, index) => ({ id: String(index), size }))
  const ascending: Sort = { column: 'size', direction: 'ascending' }
  const ordered = (lists: readonly (readonly Row[])[], sort = ascending) => {
    const order = new RowOrder<Row>(({ id }) => id)
    return lists.map((list) => order.update(list, sort, columns)).at(-1) ?? []
  }
  const sizes = (list: readonly Row[]) => list.map(({ size }) => size)

  it('puts rows without a value last, in both directions', () => {
    expect(sizes(ordered([rows]))).toEqual([1, 2, 3, undefined])
    expect(sizes(ordered([rows], { column: 'size', direction: 'descending' }))).toEqual([3, 2, 1, undefined])
  })

  it('does not depend on earlier lists', () => {
    const row = fc.record({ id: fc.constantFrom(...'abcdefgh'), size: fc.option(fc.nat(9), { nil: undefined }) })
    const list = fc.uniqueArray(row, { selector: ({ id }) => id })
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 5 }), (lists) => {
        const last = lists.at(-1) ?? []
        const result = ordered(lists)
        expect(result).toEqual(ordered([last]))
        expect(new Set(result)).toEqual(new Set(last))
      }),
    )
  })

  it('returns the same list when nothing has changed', () => {
    const order = new RowOrder<Row>(({ id }) => id)
    expect(order.update([...rows], ascending, columns)).toBe(order.update([...rows], ascending, columns))
  })
})

describe('metrics', () => {
  const text = 'a_total{x="1"} 2\na_total{x="2"} 3\na_total_more 9\n# a_total 7\nb 1\n'

  it('are summed over their series', () => {
    expect([sumOf(text, 'a_total'), sumOf(text, 'b'), sumOf(text, 'c')]).toEqual([5, 1, 0])
  })

  it('become rates, and restart with the counter', () => {
    const states = [
      [0, 10],
      [2, 14],
      [4, 1],
      [6, 7],
    ].reduce((state, [at = 0, total = 0]) => withTotals(state, at, new Map([['a', total]])), noRate)
    expect(states.perSecond).toEqual([2, 3])
  })

  it('do not jump when a source answers again after a gap', () => {
    const states = [
      [0, { a: 10, b: 1000 }],
      [2, { a: 14 }],
      [4, { a: 18, b: 1000 }],
      [6, { a: 20, b: 1002 }],
    ] as const
    const rates = states.reduce((state, [at, totals]) => withTotals(state, at, new Map(Object.entries(totals))), noRate)
    expect(rates.perSecond).toEqual([2, 2, 2])
  })

  it('show the effect of patches', () => {
    const line = (result: string, count: number) =>
      `tenant_patch_results_total{kind="endpoints",patch="a[\\"b\\"]",result="${result}"} ${count}`
    const counts = patchCounts([line('matched', 3), line('changed', 2), line('notFound', 1)].join('\n'))
    expect(counts.get('endpoints a["b"]')).toEqual({ matched: 3, changed: 2, notFound: 1, failed: 0 })
  })
})

describe('the patches of a configuration', () => {
  it('are those of built-in kinds and custom resources, both ways', () => {
    const patches = (path: string) => ({ enabled: true, patches: [{ path, expression: 'value' }] })
    const config = effectiveConfig({
      sync: {
        toHost: { services: patches('a'), customResources: { 'widgets.example.com': patches('b') } },
        fromHost: {
          configMaps: { ...patches('c'), mappings: { byName: {} } },
          customResources: { 'classes.example.com': { ...patches('d'), mappings: { byName: {} } } },
        },
      },
    })
    expect(patchesIn(config).map(({ kind, patch }) => `${kind} ${patch.path}`)).toEqual([
      'services a',
      'widgets.example.com b',
      'fromHost.configMaps c',
      'fromHost.classes.example.com d',
    ])
  })

  it.each([
    [{ path: 'a', expression: 'x', reverseExpression: 'y' }, 'x · back: y'],
    [{ path: 'a', reference: { kind: 'Secret' } }, 'refers to Secret'],
    [{ path: 'a', labels: {} }, 'labels'],
  ])('%j does: %s', (patch, text) => {
    expect(patchInShort(patch)).toBe(text)
  })
})
