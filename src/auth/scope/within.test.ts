import { describe, expect, it } from 'vitest'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ScopeEnvironment } from './grant.ts'
import { GrantIndex } from './grant-index.ts'
import { grantsOf } from './grants.ts'
import { isWithin } from './within.ts'

const group = 'management.example.com'
const environment: ScopeEnvironment = { managementGroup: group, isClusterScoped: () => undefined }
const projectA: AccessKeyScope = { projects: [{ project: 'a' }] }
const anyCluster: AccessKeyScope = { clusters: [{ cluster: '*' }] }

/** A rule about objects of the platform in the namespace of project a. */
const ruleInA = (resources: readonly string[], of = group): AccessKeyScope => ({
  rules: [
    {
      verbs: ['get'],
      requestTargets: ['Management'],
      namespaces: ['p-a'],
      nonResourceURLs: ['/version'],
      resources: [{ group: of, resources: [...resources] }],
    },
  ],
})

describe('a rule may return keys, which no other entry does, so a rule is within a rule', () => {
  it.each<readonly [string, AccessKeyScope, AccessKeyScope, boolean]>([
    ['that has all it names, when that is no key', ruleInA(['virtualclusterinstances']), projectA, true],
    ['also below an object', ruleInA(['virtualclusterinstances/status']), projectA, true],
    ['unless it names keys', ruleInA(['virtualclusterinstances/accesskey']), projectA, false],
    ['unless what it names includes keys', ruleInA(['virtualclusterinstances/*']), projectA, false],
    [
      'unless one of what it names is a key',
      ruleInA(['spaceinstances', 'virtualclusterinstances/accesskey']),
      projectA,
      false,
    ],
    ['unless it names something else', ruleInA(['users']), projectA, false],
    ['unless it is about another group', ruleInA(['virtualclusterinstances'], 'apps'), projectA, false],
    [
      'elsewhere, where there are no keys of the platform',
      { rules: [{ requestTargets: ['Cluster'] }] },
      anyCluster,
      true,
    ],
    [
      'and within another rule',
      ruleInA(['virtualclusterinstances/accesskey']),
      ruleInA(['virtualclusterinstances/*']),
      true,
    ],
  ])('%s', (_, inner, outer, expected) => {
    expect(isWithin(inner, outer, environment)).toBe(expected)
  })
})

describe('a scope', () => {
  it.each<readonly [string, AccessKeyScope | undefined, AccessKeyScope | undefined, boolean]>([
    [
      'of which each entry is within some entry',
      { projects: [{ project: 'a' }], clusters: [{ cluster: 'c' }] },
      { ...anyCluster, ...projectA },
      true,
    ],
    ['of which one entry is not', { projects: [{ project: 'a' }, { project: 'b' }] }, projectA, false],
    ['of another project', { projects: [{ project: 'b' }] }, projectA, false],
    ['of another kind', { clusters: [{ cluster: 'c' }] }, projectA, false],
    ['with more verbs', { rules: [{ verbs: ['get', 'list'] }] }, { rules: [{ verbs: ['get'] }] }, false],
    ['with more names', ruleNames(['x', 'y']), ruleNames(['x']), false],
    ['with fewer names', ruleNames(['x']), ruleNames(['x', 'y']), true],
    ['with more namespaces', { rules: [{ namespaces: ['a', 'b'] }] }, { rules: [{ namespaces: ['a'] }] }, false],
    ['with more groups', ruleGroup('*'), ruleGroup('apps'), false],
    ['with more paths', { rules: [{ nonResourceURLs: ['/a/*'] }] }, { rules: [{ nonResourceURLs: ['/a/b'] }] }, false],
    ['that has the role to link', { roles: [{ role: 'tenant', projects: ['a'] }] }, projectA, false],
    ['that links less', { roles: [{ role: 'tenant', projects: ['a'] }] }, { roles: [{ role: 'tenant' }] }, true],
    ['that is none', undefined, projectA, false],
    ['that is empty', {}, projectA, false],
    ['within none', projectA, undefined, true],
    ['within an empty one', projectA, {}, true],
  ])('%s: %#', (_, inner, outer, expected) => {
    expect(isWithin(inner, outer, environment)).toBe(expected)
  })
})

describe('scopes that list many virtual clusters', () => {
  const listing = (count: number, isReversed = false): AccessKeyScope => {
    const virtualClusters = Array.from({ length: count }, (_, index) => ({ project: 'p', virtualCluster: `v${index}` }))
    return { virtualClusters: isReversed ? virtualClusters.reverse() : virtualClusters }
  }

  it('are compared entry by entry', () => {
    const grants = grantsOf(listing(400), environment)
    const index = new GrantIndex(grants)
    const compared = grants.reduce((sum, grant) => sum + index.mayCover(grant).length, 0)
    expect(compared).toBeLessThan(grants.length * 5)
    expect(isWithin(listing(400, true), listing(400), environment)).toBe(true)
    expect(isWithin(listing(401), listing(400), environment)).toBe(false)
  })

  it('are not compared if there are thousands', () => {
    expect(isWithin(listing(2_000, true), listing(2_000), environment)).toBe(false)
  })

  it('are within one for all of them', () => {
    const all = { virtualClusters: [{ project: '*', virtualCluster: '*' }] }
    expect(isWithin(listing(400), all, environment)).toBe(true)
    expect(isWithin(all, listing(400), environment)).toBe(false)
  })
})

describe('scopes with very many names', () => {
  const resources = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`)
  /** Each entry fits all others except for its last resource. */
  const large = (entries: number): AccessKeyScope => {
    const listed = Array.from({ length: entries }, (_, index) => ({ resources: [...resources(490), `x${index}`] }))
    return { rules: [{ requestTargets: ['Management'], nonResourceURLs: ['/version'], resources: listed }] }
  }

  it.each<readonly [string, AccessKeyScope, AccessKeyScope, boolean]>([
    ['are within themselves', large(50), large(50), true],
    ['are not compared with others', large(50), { ...large(50), clusters: [{ cluster: 'c' }] }, false],
    ['are compared with one that names little', large(50), { rules: [{ nonResourceURLs: ['/version'] }] }, true],
    ['are compared as long as it can be done', large(5), { ...large(5), ...anyCluster }, true],
  ])('%s', (_, inner, outer, expected) => {
    expect(isWithin(inner, outer, environment)).toBe(expected)
  })
})

function ruleNames(resourceNames: string[]): AccessKeyScope {
  return { rules: [{ resources: [{ resources: ['pods'], resourceNames }], nonResourceURLs: ['/version'] }] }
}

function ruleGroup(of: string): AccessKeyScope {
  return { rules: [{ resources: [{ group: of, resources: ['pods'] }], nonResourceURLs: ['/version'] }] }
}
