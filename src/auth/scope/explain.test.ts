import { describe, expect, it } from 'vitest'
import type { Attributes, Decision, PathAttributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import { compileScope } from './compile.ts'
import { type ExplainedKey, explain, type SuggestedChange } from './explain.ts'
import { smallestEntry } from './smallest-entry.ts'

const group = 'management.example.com'
const environment = {
  managementGroup: group,
  isClusterScoped: (_: string, resource: string) => ['projects', 'ownedaccesskeys'].includes(resource),
}
const user = { name: 'alice', groups: [] }
const allow: Decision = { verdict: 'allow', reason: '' }
const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
const key: ExplainedKey = { name: 'ci', owner: 'alice', state: 'valid' }

function object(change: Partial<ResourceAttributes>): ResourceAttributes {
  return {
    user,
    verb: 'delete',
    group,
    version: 'v1',
    resource: 'virtualclusterinstances',
    subresource: '',
    namespace: 'p-a',
    name: 'v',
    ...change,
  }
}

function path(text: string, target: RequestTarget = { kind: 'management' }): PathAttributes {
  return { user, verb: 'get', path: text, target }
}

function explained(change: Partial<ExplainedKey>, request: Attributes = object({}), ownerDecision = allow) {
  return explain({ key: { ...key, ...change }, request, ownerDecision }, environment)
}

describe('an explanation', () => {
  it('reports that nothing refuses', () => {
    expect(explained({})).toEqual({
      allowed: true,
      refusedBy: undefined,
      summary: 'The access key ci may do this.',
      findings: [
        { layer: 'key state', allows: true, sentence: 'The access key ci is good.' },
        { layer: 'scope', allows: true, sentence: 'The access key ci has no scope.' },
        { layer: 'owner', allows: true, sentence: 'The owner, alice, may do this.' },
      ],
    })
  })

  it.each<readonly [ExplainedKey['state'], string, SuggestedChange]>([
    [
      'disabled',
      'The access key ci is disabled.',
      {
        kind: 'change-key',
        field: 'spec.disabled',
        value: false,
        sentence: 'Enable it: set spec.disabled of ci to false.',
      },
    ],
    [
      'expired',
      'The access key ci has expired.',
      { kind: 'new-key', sentence: 'Make a new key, or set a later end with spec.ttl of ci.' },
    ],
    ['deleted', 'The access key ci is being deleted.', { kind: 'new-key', sentence: 'Make a new key.' }],
    [
      'owner-gone',
      'The owner of the access key ci, alice, does not exist any more.',
      { kind: 'new-key', sentence: 'Make a new key for another owner.' },
    ],
    [
      'owner-locked',
      'The owner of the access key ci, alice, is locked.',
      { kind: 'unlock-owner', sentence: 'Unlock alice: set spec.disabled to false.' },
    ],
  ])('names the state of the key: %s', (state, sentence, change) => {
    const { refusedBy, summary, allowed, findings } = explained({ state })
    expect({ refusedBy, summary, allowed }).toEqual({ refusedBy: 'key state', summary: sentence, allowed: false })
    expect(findings[0]?.change).toEqual(change)
  })

  it('proposes a new key with the limits of the old one', () => {
    const scope = { projects: [{ project: 'a' }] }
    expect(explained({ state: 'expired', scope }).findings[0]?.change).toMatchObject({ kind: 'new-key', scope })
  })

  it('names the entry of the scope that allows', () => {
    const scope = { roles: [{ role: 'tenant' }], projects: [{ project: 'b' }, { project: 'a' }] }
    expect(explained({ scope }).findings[1]?.sentence).toBe(
      'In the scope of ci, spec.scope.projects[1] covers the request.',
    )
    expect(explained({ scope }, path('/version')).findings[1]?.sentence).toBe(
      'In the scope of ci, every access key may do this.',
    )
  })

  it('names the scope that refuses, and the entry to add', () => {
    const { refusedBy, summary, findings } = explained({ scope: { projects: [{ project: 'b' }] } })
    expect(refusedBy).toBe('scope')
    expect(summary).toBe("The scope of ci refuses: no entry of the access key's scope covers the request.")
    expect(findings[1]?.change).toEqual({
      kind: 'add-to-scope',
      scope: { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] },
      sentence: 'Add {"project":"a","virtualCluster":"v"} to spec.scope.virtualClusters of the key.',
    })
  })

  it('suggests another request if no entry helps', () => {
    const { findings } = explained({ scope: { rules: [{}] } }, path('/a/../metrics'))
    expect(findings[1]?.change).toEqual({
      kind: 'change-request',
      sentence: 'Ask for something else: no entry of a scope can allow this.',
    })
  })

  it('names the role that linking takes, and an entry for a key with a scope', () => {
    const request = object({ verb: 'create', subresource: 'link' })
    const { refusedBy, summary, findings } = explained({ scope: { projects: [{ project: 'a' }] } }, request)
    expect(refusedBy).toBe('role')
    expect(summary).toContain('"tenant"')
    const role = { role: 'tenant', projects: ['a'], virtualClusters: ['v'] }
    expect(findings[1]?.change).toEqual({
      kind: 'add-to-scope',
      scope: { roles: [role] },
      sentence: `Add ${JSON.stringify(role)} to spec.scope.roles of the key.`,
    })
    expect(explained({ scope: { roles: [role] } }, request)).toMatchObject({
      allowed: true,
      findings: [{}, { layer: 'role', sentence: 'The access key ci has the role "tenant" for this.' }, {}],
    })
  })

  it('proposes another key for linking if an entry would limit the current one', () => {
    const request = object({ verb: 'create', subresource: 'register' })
    expect(explained({}, request).findings[1]?.change).toMatchObject({
      kind: 'new-key',
      sentence: expect.stringMatching(/^Make a key with \{.*\} in spec\.scope\.roles\.$/),
      scope: { roles: [{ role: 'tenant', projects: ['a'], virtualClusters: ['v'] }] },
    })
    expect(explained({}, object({ verb: 'delete', subresource: 'link' })).findings[1]).toEqual({
      layer: 'role',
      allows: false,
      sentence: expect.any(String),
    })
  })

  it.each<readonly [Attributes, SuggestedChange]>([
    [
      object({ subresource: 'status', verb: 'get' }),
      {
        kind: 'grant-to-owner',
        namespace: 'p-a',
        rule: {
          verbs: ['get'],
          apiGroups: [group],
          resources: ['virtualclusterinstances/status'],
          resourceNames: ['v'],
        },
        sentence: expect.stringContaining('Give alice a Role in namespace p-a with {"verbs":["get"]'),
      },
    ],
    [
      object({ resource: 'projects', verb: 'list', namespace: '', name: '' }),
      {
        kind: 'grant-to-owner',
        namespace: '',
        rule: { verbs: ['list'], apiGroups: [group], resources: ['projects'] },
        sentence: expect.stringContaining('Give alice a ClusterRole with {'),
      },
    ],
    [
      path('/metrics'),
      {
        kind: 'grant-to-owner',
        namespace: '',
        rule: { verbs: ['get'], nonResourceURLs: ['/metrics'] },
        sentence: expect.stringContaining('Give alice a ClusterRole with {'),
      },
    ],
  ])('names what the owner lacks, number %#', (request, change) => {
    const { refusedBy, summary, findings } = explained({}, request, noOpinion)
    expect(refusedBy).toBe('owner')
    expect(summary).toBe('The owner, alice, may not do this.')
    expect(findings.at(-1)?.change).toEqual(change)
  })

  it('names why the owner may not, and the right that the owner needs', () => {
    const { summary, findings } = explain(
      {
        key,
        request: object({ target: { kind: 'virtual-cluster', project: 'a', virtualCluster: 'v' } }),
        ownerRequest: object({ verb: 'use' }),
        ownerDecision: { verdict: 'no-opinion', reason: 'role "x" not found' },
      },
      environment,
    )
    expect(summary).toBe('The owner, alice, may not do this: role "x" not found.')
    expect(findings.at(-1)?.change).toMatchObject({ rule: { verbs: ['use'] } })
  })

  it.each([
    [true, '', true, 'In the virtual cluster "v", alice has the ClusterRole view, and may do this.'],
    [false, 'no', false, 'In the virtual cluster "v", alice has the ClusterRole view, and may not do this: no.'],
    [undefined, 'it is offline', true, 'The virtual cluster "v" decides too, and could not be asked: it is offline.'],
  ])('includes the decision behind the platform: %s', (allowed, reason, allows, sentence) => {
    const inside = { place: 'virtual cluster "v"', roles: ['view'], allowed, reason }
    const answer = explain({ key, request: object({}), ownerDecision: allow, inside }, environment)
    expect(answer.allowed).toBe(allows)
    expect(answer.refusedBy).toBe(allows ? undefined : 'inside')
    expect(answer.findings[3]).toMatchObject({ layer: 'inside', allows, sentence })
    expect(answer.findings[3]?.change?.sentence).toBe(
      allows ? undefined : 'Give alice another clusterRole by spec.access of the virtual cluster "v", or a role there.',
    )
    expect(answer.summary.includes('as far as the platform decides')).toBe(allowed === undefined)
  })

  it('names the feature that the license lacks', () => {
    const license = (included: boolean) =>
      explain(
        { key, request: object({}), ownerDecision: allow, license: { feature: 'platform-link', included } },
        environment,
      )
    expect(license(true)).toMatchObject({ allowed: true, findings: [{}, {}, {}, { layer: 'license', allows: true }] })
    expect(license(false)).toMatchObject({ allowed: false, refusedBy: 'license' })
    expect(license(false).findings[3]).toEqual({
      layer: 'license',
      allows: false,
      sentence: 'The license does not include platform-link.',
      change: { kind: 'license', feature: 'platform-link', sentence: 'Install a license that includes platform-link.' },
    })
    expect(license(true).findings[3]?.sentence).toBe('The license includes platform-link.')
    const full = { feature: 'platform-link', included: false, reason: 'all 2 are taken' }
    expect(explain({ key, request: object({}), ownerDecision: allow, license: full }, environment).summary).toBe(
      'The license refuses: all 2 are taken.',
    )
  })

  it.each([
    [
      object({ verb: 'list', resource: 'users', name: '', namespace: '' }),
      'Its nonResourceURLs name a path that every key may request, because without them the rule would allow every path.',
    ],
    [
      path('/logs'),
      'Its resources name what every key may request, because without them the rule would allow every object.',
    ],
  ])('says what a list is for that the reader did not ask for: %j', (request, sentence) => {
    const { findings } = explained({ scope: { clusters: [{ cluster: 'c' }] } }, request)
    expect(findings[1]?.change?.sentence).toMatch(/^Add \{.*\} to spec\.scope\.rules of the key\. /)
    expect(findings[1]?.change?.sentence).toContain(sentence)
  })

  it('names the first layer that refuses and keeps the rest', () => {
    const { refusedBy, findings } = explained(
      { state: 'disabled', scope: { clusters: [{ cluster: 'c' }] } },
      object({}),
      noOpinion,
    )
    expect(refusedBy).toBe('key state')
    expect(findings.map(({ allows }) => allows)).toEqual([false, false, false])
  })
})

describe('the smallest entry for a request', () => {
  const version = ['/version']
  const selves = [{ group, resources: ['selves'] }]
  const managementRule = (verb: string, kinds: object) => ({
    verbs: [verb],
    requestTargets: ['Management'],
    resources: [kinds],
    nonResourceURLs: version,
  })

  it.each<readonly [Attributes, AccessKeyScope]>([
    [object({ verb: 'get' }), { roles: [{ role: 'platformCLI', projects: ['a'], virtualClusters: ['v'] }] }],
    [object({ verb: 'list', name: '' }), { roles: [{ role: 'platformCLI', projects: ['a'] }] }],
    [
      object({ verb: 'list', name: '', namespace: '' }),
      { rules: [managementRule('list', { group, resources: ['virtualclusterinstances'] })] },
    ],
    [
      object({ verb: 'list', resource: 'users', name: '', namespace: '' }),
      { rules: [managementRule('list', { group, resources: ['users'] })] },
    ],
    [
      object({ verb: 'get', resource: 'projects', namespace: '', name: 'a' }),
      { roles: [{ role: 'platformCLI', projects: ['a'] }] },
    ],
    [
      object({ verb: 'update', subresource: 'register' }),
      { roles: [{ role: 'tenant', projects: ['a'], virtualClusters: ['v'] }] },
    ],
    [
      object({ verb: 'get', resource: 'features', namespace: '', name: '' }),
      { rules: [managementRule('get', { group, resources: ['features'] })] },
    ],
    [object({ verb: 'create', subresource: 'register', namespace: 'default' }), { roles: [{ role: 'tenant' }] }],
    [
      object({ verb: 'create', resource: 'clusters', subresource: 'link', namespace: '', name: 'c' }),
      { roles: [{ role: 'agent' }] },
    ],
    [object({}), { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] }],
    [object({ resource: 'spaceinstances', name: 's' }), { spaces: [{ project: 'a', space: 's' }] }],
    [object({ resource: 'clusters', namespace: '', name: 'c' }), { clusters: [{ cluster: 'c' }] }],
    [object({ verb: 'get', resource: 'clusters', namespace: '', name: 'c' }), { clusters: [{ cluster: 'c' }] }],
    [object({ verb: 'create', name: '' }), { projects: [{ project: 'a' }] }],
    [object({ resource: 'projects', namespace: '', name: 'a' }), { projects: [{ project: 'a' }] }],
    [
      object({ verb: 'get', resource: 'users', subresource: 'accesskeys', namespace: '', name: 'bob' }),
      {
        rules: [
          {
            verbs: ['get'],
            requestTargets: ['Management'],
            resources: [{ group, resources: ['users/accesskeys'], resourceNames: ['bob'] }],
            nonResourceURLs: version,
          },
        ],
      },
    ],
    [
      object({ verb: 'create', resource: 'ownedaccesskeys', namespace: '', name: '' }),
      {
        rules: [
          {
            verbs: ['create'],
            requestTargets: ['Management'],
            resources: [{ group, resources: ['ownedaccesskeys'] }],
            nonResourceURLs: version,
            namespaces: [''],
          },
        ],
      },
    ],
    [
      object({ verb: 'get', group: '', resource: 'secrets', namespace: 'p-a', name: 'x' }),
      {
        rules: [
          {
            verbs: ['get'],
            requestTargets: ['Management'],
            resources: [{ group: '', resources: ['secrets'], resourceNames: ['x'] }],
            nonResourceURLs: version,
            namespaces: ['p-a'],
          },
        ],
      },
    ],
    [path('/metrics'), { roles: [{ role: 'metrics-reader' }] }],
    [
      path('/debug'),
      { rules: [{ verbs: ['get'], requestTargets: ['Management'], nonResourceURLs: ['/debug'], resources: selves }] },
    ],
    [
      path('/metrics', { kind: 'virtual-cluster', project: 'a', virtualCluster: 'v' }),
      { roles: [{ role: 'metrics-reader', projects: ['a'], virtualClusters: ['v'] }] },
    ],
    [
      path('/debug', { kind: 'virtual-cluster', project: 'a', virtualCluster: 'v' }),
      { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] },
    ],
    [path('/x', { kind: 'cluster', cluster: 'c' }), { clusters: [{ cluster: 'c' }] }],
    [object({ target: { kind: 'space', project: 'a', space: 's' } }), { spaces: [{ project: 'a', space: 's' }] }],
    [
      object({ target: { kind: 'virtual-cluster', project: 'a', virtualCluster: 'v' } }),
      { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] },
    ],
  ])('number %#', (request, scope) => {
    expect(smallestEntry(request, environment)).toEqual(scope)
    expect(compileScope(scope, environment)?.grant(request).granted).toBe(true)
  })

  it('does not exist for an ambiguous path, nor for a link request that the role does not cover', () => {
    expect(smallestEntry(path('/a//b'), environment)).toBeUndefined()
    expect(smallestEntry(object({ verb: 'delete', subresource: 'link' }), environment)).toBeUndefined()
  })
})
