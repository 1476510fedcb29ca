import { describe, expect, it } from 'vitest'
import type { AccessKeyScope, ScopeRule } from '../../api/types/management.ts'
import { deprecations } from './deprecations.ts'
import { validateScope } from './validate.ts'

const namesOfRoles = '"tenant", "agent", "platformCLI", "platform-cli", "metrics-reader"'
const namesOfTargets = '"Management", "Cluster", "ProjectSpace", "ProjectVirtualCluster"'
const nameAdvice = 'a lowercase RFC 1123 subdomain must consist of'
const unclear = 'must not have empty steps, . or .., percent signs or backslashes'

function problems(scope: AccessKeyScope): readonly string[] {
  return validateScope(scope).map(({ field, message }) => `${field}: ${message}`)
}

function many<T>(count: number, entry: T): T[] {
  return Array.from({ length: count }, () => entry)
}

describe('a scope is wrong', () => {
  it.each<readonly [AccessKeyScope, string]>([
    [
      { roles: [{ role: 'admin' }] },
      `spec.scope.roles[0].role: Unsupported value: "admin": supported values: ${namesOfRoles}`,
    ],
    [
      { roles: [{ role: 'tenant' }, {}] },
      'spec.scope.roles[1].role: Required value: one of tenant, agent, platformCLI, platform-cli, metrics-reader',
    ],
    [
      { roles: [{ role: 'tenant', projects: ['a', ''] }] },
      'spec.scope.roles[0].projects[1]: Required value: a name, or * for all',
    ],
    [
      { roles: [{ role: 'tenant', virtualClusters: [''] }] },
      'spec.scope.roles[0].virtualClusters[0]: Required value: a name, or * for all',
    ],
    [{ projects: [{}] }, 'spec.scope.projects[0].project: Required value: a name, or * for all'],
    [{ projects: [{ project: '' }] }, 'spec.scope.projects[0].project: Required value: a name, or * for all'],
    [{ spaces: [{ space: 's' }] }, 'spec.scope.spaces[0].project: Required value: a name, or * for all'],
    [{ spaces: [{ project: 'a', space: '' }] }, 'spec.scope.spaces[0].space: Required value: a name, or * for all'],
    [
      { virtualClusters: [{ virtualCluster: 'v' }] },
      'spec.scope.virtualClusters[0].project: Required value: a name, or * for all',
    ],
    [
      { virtualClusters: [{ project: 'a' }] },
      'spec.scope.virtualClusters[0].virtualCluster: Required value: a name, or * for all',
    ],
    [
      { clusters: [{ cluster: 'c' }, { cluster: '' }] },
      'spec.scope.clusters[1].cluster: Required value: a name, or * for all',
    ],
    [{ projects: many(501, { project: 'a' }) }, 'spec.scope.projects: Too many: 501: must have at most 500 items'],
    [
      { rules: many(101, { resources: many(9, { group: 'a' }), virtualClusters: many(5, {}) }) },
      'spec.scope.rules: Forbidden: the rules name too many combinations of kinds and virtual clusters',
    ],
    [
      { rules: many(126, { resources: many(9, {}) }) },
      'spec.scope.rules: Forbidden: the rules name too many combinations of kinds and virtual clusters',
    ],
  ])('%#', (scope, problem) => {
    expect(problems(scope)).toEqual([problem])
  })

  it.each([
    [{ projects: [{ project: 'A' }] }, 'spec.scope.projects[0].project: Invalid value: "A": '],
    [{ projects: [{ project: 'a*' }] }, 'spec.scope.projects[0].project: Invalid value: "a*": '],
  ])('by a name that no object can have', (scope, problem) => {
    expect(problems(scope)).toEqual([expect.stringContaining(problem + nameAdvice)])
  })

  it('in several places, and all of them are reported', () => {
    expect(problems({ projects: [{}, {}], clusters: [{}] })).toHaveLength(3)
  })
})

describe('a rule of a scope is wrong', () => {
  it.each<readonly [ScopeRule, string]>([
    [{ verbs: ['get', ''] }, 'verbs[1]: Required value: a verb, or * for all'],
    [{ verbs: ['GET'] }, 'verbs[0]: Invalid value: "GET": must be lower case letters, or *'],
    [{ verbs: ['get*'] }, 'verbs[0]: Invalid value: "get*": must be lower case letters, or *'],
    [
      { resources: [{ group: '*' }] },
      'resources[0].group: Invalid value: "*": leave resources of the rule empty for all groups',
    ],
    [{ resources: [{ resources: [''] }] }, 'resources[0].resources[0]: Required value: a resource, or * for all'],
    ...['pods/', '/log', '*/', 'pods/log/x', 'po*s', 'Pods', 'pods/*x'].map(
      (resource): readonly [ScopeRule, string] => [
        { resources: [{ resources: [resource] }] },
        `resources[0].resources[0]: Invalid value: "${resource}": must be of the form pods, pods/log, pods/*, */scale or *`,
      ],
    ),
    [
      { resources: [{ resourceNames: ['x'] }] },
      'resources[0].resourceNames: Forbidden: needs resources that the names are of',
    ],
    [
      { resources: [{ resources: [], resourceNames: ['x'] }] },
      'resources[0].resourceNames: Forbidden: needs resources that the names are of',
    ],
    [
      { resources: [{ resources: ['pods'], resourceNames: [''] }] },
      'resources[0].resourceNames[0]: Required value: a name',
    ],
    [
      { resources: [{ resources: ['pods'], resourceNames: ['*'] }] },
      'resources[0].resourceNames[0]: Invalid value: "*": leave resourceNames empty for all',
    ],
    [{ namespaces: ['*'] }, 'namespaces[0]: Invalid value: "*": leave namespaces empty for all'],
    [
      { nonResourceURLs: ['metrics'] },
      'nonResourceURLs[0]: Invalid value: "metrics": must begin with a slash, or be *',
    ],
    [{ nonResourceURLs: [''] }, 'nonResourceURLs[0]: Invalid value: "": must begin with a slash, or be *'],
    ...['/a*', '/*/a', '/a/b*', '/**', '/a/*b'].map((url): readonly [ScopeRule, string] => [
      { nonResourceURLs: [url] },
      `nonResourceURLs[0]: Invalid value: "${url}": a * is allowed only as the whole last step`,
    ]),
    ...['//a', '/a//b', '/a/../b', '/./a', '/a/..', '/a%2e', '/%/a'].map((url): readonly [ScopeRule, string] => [
      { nonResourceURLs: [url] },
      `nonResourceURLs[0]: Invalid value: "${url}": ${unclear}`,
    ]),
    [
      { requestTargets: ['Management', 'VirtualCluster'] },
      `requestTargets[1]: Unsupported value: "VirtualCluster": supported values: ${namesOfTargets}`,
    ],
    [{ cluster: '*' }, 'cluster: Invalid value: "*": leave it out for all'],
    [{ virtualClusters: [{ name: '*' }] }, 'virtualClusters[0].name: Invalid value: "*": leave it out for all'],
    [
      { virtualClusters: [{ namespace: '*' }] },
      'virtualClusters[0].namespace: Invalid value: "*": leave it out for all',
    ],
    [
      { virtualClusters: [{ namespace: 'a' }] },
      'virtualClusters[0].namespace: Invalid value: "a": must be p- and the name of a project',
    ],
    [{ verbs: many(501, 'get') }, 'verbs: Too many: 501: must have at most 500 items'],
    [{ resources: many(51, {}) }, 'resources: Too many: 51: must have at most 50 items'],
    [{ virtualClusters: many(51, {}) }, 'virtualClusters: Too many: 51: must have at most 50 items'],
  ])('%#', (rule, problem) => {
    expect(problems({ rules: [rule] })).toEqual([`spec.scope.rules[0].${problem}`])
  })

  it.each<readonly [ScopeRule, string]>([
    [{ resources: [{ group: 'A.b' }] }, 'resources[0].group: Invalid value: "A.b": '],
    [{ namespaces: ['a.b'] }, 'namespaces[0]: Invalid value: "a.b": '],
    [{ cluster: 'C' }, 'cluster: Invalid value: "C": '],
    [{ virtualClusters: [{ name: 'v', namespace: 'P-a' }] }, 'virtualClusters[0].namespace: Invalid value: "P-a": '],
  ])('by a name that no object can have', (rule, problem) => {
    expect(problems({ rules: [rule] })).toEqual([expect.stringContaining(`spec.scope.rules[0].${problem}`)])
  })
})

describe('a scope is valid', () => {
  it.each<AccessKeyScope>([
    {},
    { allowPlatformCli: true, projects: [], rules: [] },
    { roles: [{ role: 'tenant', projects: ['*'], virtualClusters: ['v'] }, { role: 'platform-cli' }] },
    { projects: [{ project: '*' }, { project: 'a' }], clusters: [{ cluster: '*' }] },
    { spaces: [{ project: '*', space: '*' }], virtualClusters: [{ project: 'a', virtualCluster: 'v.w' }] },
    { rules: [{}] },
    {
      rules: [
        {
          verbs: ['get', '*', 'use'],
          resources: [
            {
              group: '',
              resources: ['pods', 'pods/log', '*', 'pods/*', '*/scale', '*/*', 'userextras/acme.com'],
              resourceNames: ['x', 'system:a', '..x'],
            },
            { group: 'apps.example.com' },
            { resourceNames: [] },
          ],
          namespaces: ['', 'a'],
          nonResourceURLs: ['*', '/', '/*', '/healthz', '/healthz/*', '/a/b/', '/.well-known/x'],
          requestTargets: ['Management', 'Cluster', 'ProjectSpace', 'ProjectVirtualCluster'],
          cluster: '',
          virtualClusters: [{}, { name: '', namespace: '' }, { name: 'v', namespace: 'p-a' }],
        },
      ],
    },
    { projects: many(500, { project: 'a' }) },
    { rules: many(125, { resources: many(9, {}) }) },
    { rules: [{ verbs: many(500, 'get'), resources: many(50, {}), virtualClusters: many(50, {}) }] },
    { rules: [{ cluster: 'c' }] },
  ])('%#', (scope) => {
    expect(validateScope(scope)).toEqual([])
  })
})

describe('the writer of a scope is warned', () => {
  const old = 'spec.scope.rules is deprecated: use projects, spaces and virtualClusters'
  const nothing = 'spec.scope.rules[0] asks for two targets at once, so it allows nothing'

  it.each<readonly [string, AccessKeyScope, readonly string[]]>([
    ['of nothing new', { projects: [{ project: 'a' }], roles: [], rules: [] }, []],
    ['of rules', { rules: [{}] }, [old]],
    [
      'of the switch for the command line',
      { allowPlatformCli: false },
      ['spec.scope.allowPlatformCli is deprecated: use a role entry named "platformCLI"'],
    ],
    [
      'that objects alone leave all paths open',
      { rules: [{ resources: [{ resources: ['pods'] }] }] },
      [old, 'spec.scope.rules[0] has no nonResourceURLs, so it allows every path that is not about objects'],
    ],
    [
      'that paths alone leave all objects open',
      { rules: [{}, { nonResourceURLs: ['/metrics'] }] },
      [old, 'spec.scope.rules[1] has no resources, so it allows requests for objects of every kind'],
    ],
    ['of nothing when both are said', { rules: [{ resources: [{}], nonResourceURLs: ['/x'] }] }, [old]],
    ['of a cluster that is a virtual cluster', { rules: [{ cluster: 'c', virtualClusters: [{}] }] }, [old, nothing]],
    ['of a cluster that is no cluster', { rules: [{ cluster: 'c', requestTargets: ['Management'] }] }, [old, nothing]],
    [
      'of an invalid virtual cluster',
      { rules: [{ virtualClusters: [{}], requestTargets: ['Cluster'] }] },
      [old, nothing],
    ],
    [
      'of nothing when they agree',
      {
        rules: [
          { cluster: 'c', requestTargets: ['Cluster'] },
          { virtualClusters: [{}], requestTargets: ['ProjectVirtualCluster'] },
          { virtualClusters: [{}] },
          { cluster: 'c' },
          { requestTargets: ['Management'] },
        ],
      },
      [old],
    ],
  ])('%s', (_, scope, warnings) => {
    expect(deprecations(scope)).toEqual(warnings)
  })

  it('no more than ten times', () => {
    expect(deprecations({ rules: many(50, { nonResourceURLs: ['/x'] }) })).toHaveLength(10)
  })
})
