import { describe, expect, it } from 'vitest'
import { isWithin } from '../../src/auth/scope/within.ts'
import { type Chance, chanceOf } from './chance.ts'
import { environment } from './engine.ts'
import { isLink, type Scope, scopeAllows } from './model.ts'
import { requestBy } from './requests.ts'
import { scopeBy } from './scopes.ts'

const pairs = Number(process.env.SCOPE_RUNS ?? 20_000) / 10
const firstSeed = Number(process.env.SCOPE_SEED ?? 1)
const requestsPerPair = 40

const within = (inner: Scope | undefined, outer: Scope | undefined) => isWithin(inner, outer, environment)

/** A scope that is similar to another one, like a real attempt to widen a key. */
function relative(chance: Chance, scope: Scope | undefined): Scope | undefined {
  if (scope === undefined || chance.often(0.1)) return scopeBy(chance)
  const other = scopeBy(chance) ?? {}
  const joined = Object.fromEntries(
    Object.entries({ ...other, ...scope }).map(([key, value]) => {
      const added = other[key as keyof Scope]
      return [key, Array.isArray(value) && Array.isArray(added) && value !== added ? [...value, ...added] : value]
    }),
  )
  return chance.often(0.5) ? joined : changedText(chance, joined)
}

/** Replaces one text: often wider or narrower, often just different. */
function changedText(chance: Chance, scope: Scope): Scope {
  const text = JSON.stringify(scope)
  const places = [...text.matchAll(/"[^"]*"(:?)/g)].filter(([, isMember]) => isMember === '')
  const place = places[chance.below(places.length)]
  if (place === undefined) return scope
  const word = chance.pick(['*', 'a', 'b', 'v', 'w', 'get', 'pods', 'pods/*', 'Management', 'p-a', '/logs/*', 'tenant'])
  return JSON.parse(`${text.slice(0, place.index)}"${word}"${text.slice(place.index + place[0].length)}`)
}

describe('a scope within another', () => {
  it(`never grants what the other does not, in ${pairs} pairs`, () => {
    let yes = 0
    for (let seed = firstSeed; seed < firstSeed + pairs; seed++) {
      const chance = chanceOf(seed)
      const inner = scopeBy(chance)
      const outer = relative(chance, inner)
      if (!within(inner, outer)) continue
      yes++
      for (let count = 0; count < requestsPerPair; count++) {
        const request = requestBy(chance, inner)
        // An unlimited writer may put any role into a key. That key may then link, though the writer's own may not.
        if (isLink(request) && within(undefined, outer)) continue
        if (!scopeAllows(inner, request) || scopeAllows(outer, request)) continue
        expect.fail(`Seed ${seed}: ${JSON.stringify({ inner, outer, request })}`)
      }
    }
    expect(yes / pairs).toBeGreaterThan(0.2)
  })

  it('is within itself, within no scope at all, and no scope at all is within none that limits', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const scope = scopeBy(chanceOf(seed))
      expect(within(scope, scope), JSON.stringify(scope)).toBe(true)
      expect(within(scope, undefined)).toBe(true)
      expect(within(scope, {})).toBe(true)
      const limits = scope !== undefined && !within(undefined, scope)
      expect(within({}, scope)).toBe(!limits)
    }
    expect(within(undefined, { projects: [{ project: '*' }] })).toBe(false)
    expect(within({ rules: [] }, { roles: [{ role: 'nobody-knows' }] })).toBe(false)
  })

  const project = (name: string): Scope => ({ projects: [{ project: name }] })
  const virtualCluster = (inProject: string, name: string): Scope => ({
    virtualClusters: [{ project: inProject, virtualCluster: name }],
  })

  it.each<readonly [Scope, Scope]>([
    [project('a'), project('*')],
    [project('a'), { projects: [{ project: 'b' }, { project: 'a' }] }],
    [virtualCluster('a', 'v'), project('a')],
    [virtualCluster('a', '*'), project('a')],
    [virtualCluster('a', 'v'), virtualCluster('*', 'v')],
    [{ spaces: [{ project: 'a', space: 's' }] }, project('*')],
    [{ clusters: [{ cluster: 'c' }] }, { clusters: [{ cluster: '*' }] }],
    [project('a'), { rules: [{}] }],
    [{ roles: [{ role: 'platformCLI', projects: ['a'] }] }, { roles: [{ role: 'platform-cli' }] }],
    [{ allowPlatformCli: true }, { roles: [{ role: 'platformCLI' }] }],
    [{ roles: [{ role: 'platformCLI', projects: ['a'] }] }, project('a')],
    [
      { roles: [{ role: 'tenant', projects: ['a'], virtualClusters: ['v'] }] },
      { roles: [{ role: 'tenant', projects: ['a', 'b'] }] },
    ],
    [{ roles: [{ role: 'metrics-reader' }] }, { rules: [{ nonResourceURLs: ['/metrics'] }] }],
    [{ rules: [{ verbs: ['get'] }] }, { rules: [{ verbs: ['get', 'list'] }] }],
    [{ rules: [{ requestTargets: ['Cluster'] }] }, { clusters: [{ cluster: '*' }] }],
    [{ rules: [{ virtualClusters: [{ name: 'v', namespace: 'p-a' }] }] }, virtualCluster('a', 'v')],
    [
      { rules: [{ resources: [{ resources: ['pods/log'] }], nonResourceURLs: ['/a/b/*'] }] },
      { rules: [{ resources: [{ resources: ['pods/*'] }], nonResourceURLs: ['/a/*'] }] },
    ],
    [
      { rules: [{ resources: [{ resources: ['pods/log'] }], nonResourceURLs: ['/x'] }] },
      { rules: [{ resources: [{ resources: ['*/log', 'nodes'] }], nonResourceURLs: ['/x', '/y'] }] },
    ],
    [{ rules: [{ namespaces: ['a', ''] }] }, { rules: [{ namespaces: ['', 'a', 'b'] }] }],
  ])('%j is within %j, and not the other way round', (inner, outer) => {
    expect(within(inner, outer)).toBe(true)
    if (JSON.stringify(inner) !== '{"allowPlatformCli":true}') expect(within(outer, inner)).toBe(equals(inner, outer))
  })

  it.each<readonly [string, Scope, Scope]>([
    ['linking is no part of a project', { roles: [{ role: 'tenant', projects: ['a'] }] }, project('a')],
    ['linking is no part of everything', { roles: [{ role: 'tenant' }] }, { rules: [{}] }],
    [
      'keys of users are no part of the command line',
      { rules: [{ verbs: ['get'], resources: [{ group: 'management.example.com', resources: ['users/*'] }] }] },
      { roles: [{ role: 'platformCLI' }] },
    ],
    [
      'keys of a virtual cluster are no part of its project',
      {
        rules: [
          {
            requestTargets: ['Management'],
            namespaces: ['p-a'],
            nonResourceURLs: ['/version'],
            resources: [{ group: 'management.example.com', resources: ['virtualclusterinstances/*'] }],
          },
        ],
      },
      project('a'),
    ],
    ['all virtual clusters are no part of one project', virtualCluster('*', 'v'), project('a')],
    ['a rule for one verb does not cover others', { rules: [{ verbs: ['*'] }] }, { rules: [{ verbs: ['get'] }] }],
    ['an unknown role covers nothing', project('a'), { roles: [{ role: 'admin' }] }],
  ])('errs on the safe side: %s', (_, inner, outer) => {
    expect(within(inner, outer)).toBe(false)
  })
})

function equals(first: Scope, second: Scope): boolean {
  return JSON.stringify(first) === JSON.stringify(second)
}
