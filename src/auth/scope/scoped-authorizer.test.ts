import { describe, expect, it } from 'vitest'
import type { Decision, PathAttributes, RequestTarget, ResourceAttributes, UserInfo } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { Authorizer } from '../contract.ts'
import { compileScope } from './compile.ts'
import { createScopedAuthorizer } from './scoped-authorizer.ts'

const group = 'management.example.com'
const environment = { managementGroup: group, isClusterScoped: () => undefined }

/** An owner who may do everything. */
const owner: Authorizer = {
  authorize: () => ({ verdict: 'allow', reason: 'the owner may' }),
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    pathRules: [],
    incomplete: false,
  }),
}
const authorizer = createScopedAuthorizer(owner, environment)

function userWith(scope: AccessKeyScope | undefined): UserInfo {
  const compiled = compileScope(scope, environment)
  const credential = { keyName: 'ci', keyUid: 'u', keyId: 'i', isRevoked: false, revoked: new AbortController().signal }
  return {
    name: 'alice',
    groups: [],
    credential: { ...credential, ...(compiled === undefined ? {} : { scope: compiled }) },
  }
}

function object(resource: string, change: Partial<ResourceAttributes> = {}): Omit<ResourceAttributes, 'user'> {
  return { verb: 'get', group, version: 'v1', resource, subresource: '', namespace: '', name: '', ...change }
}

type Asked = Omit<ResourceAttributes, 'user'> | Omit<PathAttributes, 'user'>

function decide(scope: AccessKeyScope | undefined, request: Asked) {
  return authorizer.authorize({ ...request, user: userWith(scope) })
}

const inVirtualCluster = (project: string, virtualCluster: string): RequestTarget => ({
  kind: 'virtual-cluster',
  project,
  virtualCluster,
})

describe('a key that is limited to a project', () => {
  const scope = { projects: [{ project: 'a' }] }

  it.each([
    ['its project', object('projects', { name: 'a', verb: 'delete' })],
    ['members of its project', object('projects', { name: 'a', subresource: 'members' })],
    ['virtual clusters there', object('virtualclusterinstances', { namespace: 'p-a', verb: 'create' })],
    [
      'everything in a virtual cluster there',
      { ...object('secrets', { group: '' }), target: inVirtualCluster('a', 'v') },
    ],
    ['paths of a virtual cluster there', { verb: 'get', path: '/metrics', target: inVirtualCluster('a', 'v') }],
    ['who it is', object('selves', { verb: 'create' })],
    ['what it may do', object('selfsubjectrulesreviews', { group: 'authorization.k8s.io', verb: 'create' })],
    ['what there is', { verb: 'get', path: '/apis/apps' }],
  ])('reaches %s', (_, request) => {
    expect(decide(scope, request)).toEqual({ verdict: 'allow', reason: 'the owner may' })
  })

  it.each<[string, Asked]>([
    ['another project', object('projects', { name: 'b' })],
    ['all projects', object('projects', { verb: 'list' })],
    ['virtual clusters of all projects', object('virtualclusterinstances', { verb: 'list' })],
    ['virtual clusters of another project', object('virtualclusterinstances', { namespace: 'p-b' })],
    ['a namespace that only begins like its own', object('virtualclusterinstances', { namespace: 'p-a-b' })],
    ['keys, wherever they seem to be', object('ownedaccesskeys', { namespace: 'p-a', name: 'x' })],
    ['the key of a virtual cluster', object('virtualclusterinstances', { namespace: 'p-a', subresource: 'accesskey' })],
    ['users', object('users', { name: 'a' })],
    ['Secrets of the platform', object('secrets', { group: '', namespace: 'p-a' })],
    ['the same kind in another group', object('projects', { group: 'management.other.com', name: 'a' })],
    ['another virtual cluster', { ...object('pods', { group: '' }), target: inVirtualCluster('b', 'v') }],
    ['a host cluster', { ...object('pods', { group: '' }), target: { kind: 'cluster', cluster: 'a' } }],
    ['the impersonation of another user', object('users', { group: '', verb: 'impersonate', name: 'bob' })],
    ['metrics', { verb: 'get', path: '/metrics' }],
    ['a path that leads elsewhere', { verb: 'get', path: '/api/../metrics' }],
    ['a path that others read in another way', { verb: 'get', path: '/api/%2e%2e/metrics' }],
    ['an object that leads elsewhere', object('virtualclusterinstances', { namespace: 'p-a', name: '..' })],
  ])('does not reach %s', (_, request) => {
    expect(decide(scope, request)).toMatchObject({ verdict: 'deny', layer: 'scope' })
  })
})

describe('a backup, which contains everything', () => {
  const targets: readonly (RequestTarget | undefined)[] = [
    undefined,
    { kind: 'cluster', cluster: 'host' },
    { kind: 'space', project: 'a', space: 's' },
    inVirtualCluster('a', 'v'),
  ]

  it.each<[string, AccessKeyScope]>([
    ['a rule without paths', { rules: [{ verbs: ['get'], resources: [{ resources: ['configmaps'] }] }] }],
    ['a rule for everything', { rules: [{}] }],
    ['a rule for all paths', { rules: [{ nonResourceURLs: ['*'] }] }],
    ['a rule that names it', { rules: [{ nonResourceURLs: ['/backup'] }] }],
    ['all projects', { projects: [{ project: '*' }] }],
    ['all clusters', { clusters: [{ cluster: '*' }] }],
    ['a virtual cluster', { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] }],
    ['a role', { roles: [{ role: 'metrics-reader' }] }],
  ])('is in no scope: %s', (_, scope) => {
    for (const target of targets) {
      const request = { verb: 'get', path: '/backup', ...(target === undefined ? {} : { target }) }
      expect(decide(scope, request)).toMatchObject({ verdict: 'deny', layer: 'scope' })
    }
    expect(decide(undefined, { verb: 'get', path: '/backup' })).toMatchObject({ verdict: 'allow' })
  })
})

describe('registering and linking a virtual cluster', () => {
  const link = object('virtualclusterinstances', { verb: 'create', subresource: 'link', namespace: 'p-a', name: 'v' })
  const refusal = {
    verdict: 'deny',
    layer: 'role',
    reason:
      'registering and linking a virtual cluster needs an access key whose scope has an entry for the role "tenant" that covers it',
  }

  it.each<readonly [string, AccessKeyScope | undefined]>([
    ['no scope', undefined],
    ['an empty scope', { roles: [], rules: [] }],
    ['everything', { rules: [{}] }],
    ['its project', { projects: [{ project: 'a' }] }],
    ['the virtual cluster itself', { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] }],
    ['a rule that names it', { rules: [{ resources: [{ group, resources: ['virtualclusterinstances/link'] }] }] }],
    ['another role', { roles: [{ role: 'agent' }, { role: 'platformCLI' }] }],
    ['the role for another project', { roles: [{ role: 'tenant', projects: ['b'] }] }],
    ['the role for another virtual cluster', { roles: [{ role: 'tenant', virtualClusters: ['w'] }] }],
  ])('is refused to a key with %s', (_, scope) => {
    expect(decide(scope, link)).toEqual(refusal)
    expect(decide(scope, { ...link, subresource: 'register' })).toEqual(refusal)
  })

  it('is refused to a caller without a key', () => {
    expect(authorizer.authorize({ ...link, user: { name: 'root', groups: ['system:masters'] } })).toEqual(refusal)
  })

  it.each<AccessKeyScope>([
    { roles: [{ role: 'tenant' }] },
    { roles: [{ role: 'tenant', projects: ['*'] }] },
    { projects: [{ project: 'b' }], roles: [{ role: 'tenant', projects: ['b', 'a'], virtualClusters: ['v'] }] },
  ])('is allowed by %j', (scope) => {
    expect(decide(scope, link)).toMatchObject({ verdict: 'allow' })
    expect(decide(scope, { ...link, subresource: 'register' })).toMatchObject({ verdict: 'allow' })
    expect(decide(scope, { ...link, verb: 'delete' })).toMatchObject({ verdict: 'deny' })
  })

  it('concerns the platform, not equally named resources of a virtual cluster', () => {
    const inside = { ...link, target: inVirtualCluster('a', 'v') }
    expect(decide(undefined, inside)).toMatchObject({ verdict: 'allow' })
  })
})

describe('a token of a service account', () => {
  const token = object('serviceaccounts', {
    group: '',
    verb: 'create',
    subresource: 'token',
    namespace: 'a',
    name: 's',
  })

  it('would have no scope, so a key with a scope makes none', () => {
    const reason = 'an access key with a scope makes no tokens of service accounts, which would have none'
    expect(decide({ rules: [{}] }, token)).toEqual({ verdict: 'deny', reason, layer: 'scope' })
    expect(decide(undefined, token)).toMatchObject({ verdict: 'allow' })
  })

  it('is decided by the virtual cluster if it is made there', () => {
    const scope = { projects: [{ project: 'a' }] }
    expect(decide(scope, { ...token, target: inVirtualCluster('a', 'v') })).toMatchObject({ verdict: 'allow' })
  })
})

describe('what clients ask the platform that leave out the path of a virtual cluster', () => {
  const scope = { virtualClusters: [{ project: 'a', virtualCluster: 'v' }] }
  const asked = (request: Asked) => (decide(scope, request) as Decision).reason
  const hint = 'paths in a virtual cluster begin with /kubernetes/project/PROJECT/virtualcluster/NAME'

  it.each<[string, Asked]>([
    ['an object', object('deployments', { group: 'apps', namespace: 'default' })],
    ['a custom resource', object('widgets', { group: 'example.org' })],
    ['a path', { verb: 'get', path: '/metrics' }],
  ])('is refused with the path to begin with: %s', (_, request) => expect(asked(request)).toContain(hint))

  it.each<[string, Asked]>([
    ['an object of the platform', object('users')],
    ['a user to act as', object('users', { group: '', verb: 'impersonate', name: 'bob' })],
    ['another virtual cluster', { ...object('pods', { group: '' }), target: inVirtualCluster('a', 'w') }],
    ['a path of it', { verb: 'get', path: '/metrics', target: inVirtualCluster('a', 'w') }],
  ])('is something else than %s', (_, request) => {
    expect(asked(request)).toBe("no entry of the access key's scope covers the request")
  })
})

describe('without a scope', () => {
  it.each([undefined, {}, { allowPlatformCli: false, roles: [] }])('(%j) the owner decides', (scope) => {
    expect(decide(scope, { verb: 'get', path: '/../x' })).toEqual({ verdict: 'allow', reason: 'the owner may' })
  })

  it('the rules are those of the owner', async () => {
    expect(await authorizer.rulesFor(userWith(undefined), 'a')).toEqual(await owner.rulesFor(userWith(undefined), 'a'))
  })
})

describe('a scope with an unknown role', () => {
  it('allows nothing but what every key may do', () => {
    const scope = { roles: [{ role: 'nobody-knows' }] }
    expect(decide(scope, object('projects', { name: 'a' }))).toMatchObject({ verdict: 'deny' })
    expect(decide(scope, { verb: 'get', path: '/version' })).toMatchObject({ verdict: 'allow' })
  })
})

describe('a review of the rules', () => {
  it('has the scope applied', async () => {
    const { resourceRules, incomplete } = await authorizer.rulesFor(userWith({ clusters: [{ cluster: 'c' }] }), 'a')
    expect(resourceRules).toContainEqual({
      verbs: ['*'],
      apiGroups: [group],
      resources: ['clusters'],
      resourceNames: ['c'],
    })
    expect(resourceRules.some(({ resources }) => resources.includes('*'))).toBe(false)
    expect(incomplete).toBe(true)
  })
})
