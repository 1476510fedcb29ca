import { describe, expect, it } from 'vitest'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ResourceRule, RuleSet } from '../contract.ts'
import type { ScopeEnvironment } from './grant.ts'
import { rulesWithin } from './rules-within.ts'

const managementGroup = 'management.example.com'
const environment: ScopeEnvironment = {
  managementGroup,
  isClusterScoped: (group, resource) => (group === managementGroup ? resource === 'users' : false),
}
const note = 'neither linking virtual clusters nor making tokens'

const rule = (apiGroup: string, resource: string, ...verbs: readonly string[]): ResourceRule => ({
  verbs: verbs.length === 0 ? ['get'] : verbs,
  apiGroups: [apiGroup],
  resources: [resource],
})
const held = (...resourceRules: readonly ResourceRule[]): RuleSet => ({
  resourceRules,
  pathRules: [],
  incomplete: false,
})
const scopeOf = (group: string, resource: string, rest: object = {}): AccessKeyScope => ({
  rules: [{ resources: [{ group, resources: [resource] }], requestTargets: ['Management'], ...rest }],
})
const everything: AccessKeyScope = { rules: [{ requestTargets: ['Management'] }] }
const reviewed = (scope: AccessKeyScope, owner: RuleSet, namespace = 'web') =>
  rulesWithin(scope, owner, namespace, environment)
/** Drops the rights that every key has. */
const about = (rules: RuleSet, group: string) =>
  rules.resourceRules.filter(({ apiGroups }) => apiGroups.includes(group))

describe('a rules review with a scope', () => {
  it.each<readonly [string, ResourceRule, AccessKeyScope, readonly ResourceRule[]]>([
    ['the same', rule('', 'pods'), scopeOf('', 'pods'), [rule('', 'pods')]],
    [
      'what both name',
      rule('', 'pods', 'get', 'list'),
      scopeOf('', 'pods', { verbs: ['list', 'watch'] }),
      [rule('', 'pods', 'list')],
    ],
    ['nothing for other verbs', rule('', 'pods', 'get'), scopeOf('', 'pods', { verbs: ['delete'] }), []],
    ['nothing for other groups', rule('', 'pods'), scopeOf('apps', 'pods'), []],
    ['nothing for other resources', rule('', 'pods'), scopeOf('', 'secrets'), []],
    ['one subresource of many', rule('', '*/scale'), scopeOf('', 'deployments/scale'), [rule('', 'deployments/scale')]],
    ['a subresource of any', rule('', 'pods/log'), scopeOf('', '*/log'), [rule('', 'pods/log')]],
    ['what is below, not the object', rule('', 'pods'), scopeOf('', 'pods/*'), []],
    ['no tokens', rule('', '*/token', 'create'), scopeOf('', '*/token'), []],
    ['no tokens by name', rule('', 'serviceaccounts/token', 'create'), scopeOf('', 'serviceaccounts/token'), []],
    ['nothing elsewhere', rule('', 'pods'), scopeOf('', 'pods', { namespaces: ['shop'] }), []],
    ['the namespace', rule('', 'pods'), scopeOf('', 'pods', { namespaces: ['web'] }), [rule('', 'pods')]],
  ])('claims %s', (_, owned, scope, left) => {
    const rules = reviewed(scope, held(owned))
    expect(about(rules, '')).toEqual(left)
  })

  it('claims keys of users only for a scope that names them', () => {
    const owner = held(rule(managementGroup, 'users/accesskeys'))
    const named = scopeOf(managementGroup, 'users/accesskeys')
    expect(about(reviewed(named, owner), managementGroup)).toContainEqual(rule(managementGroup, 'users/accesskeys'))
    expect(about(reviewed({ projects: [{ project: '*' }] }, owner), managementGroup)).toEqual([])
  })

  it('claims linking only for a scope with the role', () => {
    const link = rule(managementGroup, 'virtualclusterinstances/link', 'create')
    const tenant: AccessKeyScope = { roles: [{ role: 'tenant' }] }
    expect(about(reviewed(tenant, held(link), 'p-shop'), managementGroup)).toContainEqual(link)
    expect(about(reviewed(everything, held(link), 'p-shop'), managementGroup)).toEqual([])
  })

  it.each<readonly [string, string, boolean]>([
    ['', '*', true],
    ['*', '*', true],
    [managementGroup, '*', true],
    ['apps', '*', false],
    ['', 'pods', false],
    [managementGroup, 'users', false],
  ])('says of a rule for %j %j that it claims too much: %j', (group, resource, isNoted) => {
    const { evaluationError = '', incomplete } = reviewed(everything, held(rule(group, resource)))
    expect(evaluationError.includes(note)).toBe(isNoted)
    expect(incomplete).toBe(isNoted)
  })

  it('is complete if nothing is shared, and if the scope is about another namespace', () => {
    expect(reviewed(scopeOf('', 'secrets'), held(rule('', 'pods'))).incomplete).toBe(false)
    expect(reviewed(scopeOf('', 'pods', { namespaces: ['shop'] }), held(rule('', 'pods'))).incomplete).toBe(false)
  })

  it('is incomplete if that of the owner is, and if a rule cannot express the rest', () => {
    const owner = held(rule('', 'pods'))
    expect(reviewed(scopeOf('', 'pods'), owner).incomplete).toBe(false)
    expect(reviewed(scopeOf('', 'pods'), { ...owner, incomplete: true }).incomplete).toBe(true)
    expect(reviewed(scopeOf('', 'pods/*'), held(rule('', '*'))).incomplete).toBe(true)
    const failing = { ...owner, evaluationError: 'a role is missing' }
    expect(reviewed(scopeOf('', 'pods'), failing).evaluationError).toBe('a role is missing')
  })
})

describe('a rules review behind the platform', () => {
  const target = { kind: 'virtual-cluster', project: 'a', virtualCluster: 'v' } as const
  const there = (scope: AccessKeyScope, owner: RuleSet) => rulesWithin(scope, owner, 'web', environment, target)
  const all = rule('*', '*', '*')

  it('contains what the scope allows there, and nothing that it allows elsewhere', () => {
    const named: AccessKeyScope = { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] }
    const other: AccessKeyScope = { virtualClusters: [{ project: 'a', virtualCluster: 'w' }] }
    expect(there(named, held(all))).toEqual({ resourceRules: [all], pathRules: [], incomplete: false })
    expect(there(other, held(all)).resourceRules).toEqual([])
    expect(there(everything, held(all)).resourceRules).toEqual([])
  })

  it('may contain what takes a privilege on the platform itself', () => {
    const scope = scopeOf('', 'serviceaccounts/token', { requestTargets: ['ProjectVirtualCluster'] })
    const token = rule('', 'serviceaccounts/token', 'create')
    expect(there(scope, held(token)).resourceRules).toEqual([token])
    expect(about(reviewed(scopeOf('', 'serviceaccounts/token'), held(token)), '')).toEqual([])
  })

  it('contains objects outside namespaces if they are known to be', () => {
    const scope = scopeOf(managementGroup, 'users', { requestTargets: ['ProjectVirtualCluster'], namespaces: [''] })
    expect(there(scope, held(rule(managementGroup, 'users'))).resourceRules).toEqual([rule(managementGroup, 'users')])
    expect(there(scope, held(rule('', 'users'))).resourceRules).toEqual([])
  })
})
