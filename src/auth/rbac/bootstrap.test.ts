import { describe, expect, it } from 'vitest'
import { type Attributes, anonymousUser, type UserInfo } from '../../api/access.ts'
import { bootstrapPolicy } from './bootstrap.ts'
import { createRbacIndex } from './rbac-index.ts'

const alice: UserInfo = { name: 'alice', groups: ['dev', 'system:authenticated'] }
const admin: UserInfo = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

function indexWith(role?: string) {
  const index = createRbacIndex()
  for (const each of bootstrapPolicy()) {
    index.upsert(each.kind === 'ClusterRole' ? 'ClusterRole' : 'ClusterRoleBinding', each)
  }
  if (role !== undefined) {
    index.upsert('RoleBinding', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b', namespace: 'ns' },
      roleRef: { kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name: 'alice' }],
    })
  }
  return index
}

/** `get /healthz`, `create authorization.k8s.io:selfsubjectaccessreviews`, `list secrets`: in namespace ns. */
function may(index: ReturnType<typeof indexWith>, user: UserInfo, text: string): boolean {
  const [verb = '', what = ''] = text.split(' ')
  const [group = '', path = ''] = what.includes(':') ? what.split(':') : ['', what]
  const [resource = '', subresource = ''] = path.split('/')
  const attributes: Attributes = what.startsWith('/')
    ? { user, verb, path: what }
    : { user, verb, group, version: 'v1', resource, subresource, namespace: 'ns', name: '' }
  return Reflect.get(index.authorizer.authorize(attributes), 'verdict') === 'allow'
}

describe('a new cluster', () => {
  it.each([
    ['get /healthz', true, true],
    ['get /livez', true, true],
    ['get /readyz', true, true],
    ['get /version', true, true],
    ['get /api', false, true],
    ['get /apis/apps/v1', false, true],
    ['get /openapi/v3', false, true],
    ['get /metrics', false, false],
    ['get /livez/ping', false, false],
    ['create authentication.k8s.io:selfsubjectreviews', false, true],
    ['create authorization.k8s.io:selfsubjectaccessreviews', false, true],
    ['create authorization.k8s.io:selfsubjectrulesreviews', false, true],
    ['create authorization.k8s.io:subjectaccessreviews', false, false],
    ['create authentication.k8s.io:tokenreviews', false, false],
    ['list configmaps', false, false],
  ])('lets anonymous callers %s: %s, authenticated callers: %s', (text, anonymous, authenticated) => {
    const index = indexWith()
    expect([may(index, anonymousUser, text), may(index, alice, text)]).toEqual([anonymous, authenticated])
  })

  it.each([
    ['get pods', true, true, true],
    ['list configmaps', true, true, true],
    ['get pods/log', true, true, true],
    ['create pods/exec', false, true, true],
    ['get pods/portforward', false, true, true],
    ['create pods/eviction', false, true, true],
    ['get services/proxy', false, true, true],
    ['list secrets', false, true, true],
    ['create services', false, true, true],
    ['create serviceaccounts/token', false, true, true],
    ['update coordination.k8s.io:leases', false, true, true],
    ['create rbac.authorization.k8s.io:rolebindings', false, false, true],
    ['create authorization.k8s.io:localsubjectaccessreviews', false, false, true],
    ['escalate rbac.authorization.k8s.io:roles', false, false, false],
    ['create rbac.authorization.k8s.io:clusterroles', false, false, false],
    ['list nodes', false, false, false],
  ])('lets view, edit and admin %s: %s, %s, %s', (text, view, edit, adminMay) => {
    const answers = ['view', 'edit', 'admin'].map((role) => may(indexWith(role), alice, text))
    expect(answers).toEqual([view, edit, adminMay])
  })

  it('shows an administrator the same rules as kube-apiserver', async () => {
    const { resourceRules, pathRules } = await indexWith().authorizer.rulesFor(admin, 'pbns')
    expect(resourceRules).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ])
    const health = ['/healthz', '/livez', '/readyz', '/version', '/version/']
    const discovery = [
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ]
    expect(pathRules).toEqual([
      { verbs: ['*'], nonResourceURLs: ['*'] },
      { verbs: ['get'], nonResourceURLs: health },
      { verbs: ['get'], nonResourceURLs: discovery },
    ])
  })
})
