import { expect, it } from 'vitest'
import { cellsOf, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const resources = [
  ['bindings', '', 'v1', 'true', 'Binding'],
  ['configmaps', 'cm', 'v1', 'true', 'ConfigMap'],
  ['endpoints', 'ep', 'v1', 'true', 'Endpoints'],
  ['events', 'ev', 'v1', 'true', 'Event'],
  ['namespaces', 'ns', 'v1', 'false', 'Namespace'],
  ['nodes', 'no', 'v1', 'false', 'Node'],
  ['pods', 'po', 'v1', 'true', 'Pod'],
  ['secrets', '', 'v1', 'true', 'Secret'],
  ['serviceaccounts', 'sa', 'v1', 'true', 'ServiceAccount'],
  ['services', 'svc', 'v1', 'true', 'Service'],
  ['selfsubjectreviews', '', 'authentication.k8s.io/v1', 'false', 'SelfSubjectReview'],
  ['tokenreviews', '', 'authentication.k8s.io/v1', 'false', 'TokenReview'],
  ['localsubjectaccessreviews', '', 'authorization.k8s.io/v1', 'true', 'LocalSubjectAccessReview'],
  ['selfsubjectaccessreviews', '', 'authorization.k8s.io/v1', 'false', 'SelfSubjectAccessReview'],
  ['selfsubjectrulesreviews', '', 'authorization.k8s.io/v1', 'false', 'SelfSubjectRulesReview'],
  ['subjectaccessreviews', '', 'authorization.k8s.io/v1', 'false', 'SubjectAccessReview'],
  ['leases', '', 'coordination.k8s.io/v1', 'true', 'Lease'],
  ['endpointslices', '', 'discovery.k8s.io/v1', 'true', 'EndpointSlice'],
  ['events', 'ev', 'events.k8s.io/v1', 'true', 'Event'],
  ['clusters', '', 'management.platform.internal/v1', 'false', 'Cluster'],
  ['connectors', '', 'management.platform.internal/v1', 'false', 'Connector'],
  ['oidcclients', '', 'management.platform.internal/v1', 'false', 'OIDCClient'],
  ['ownedaccesskeys', 'oak', 'management.platform.internal/v1', 'false', 'OwnedAccessKey'],
  ['projects', 'proj', 'management.platform.internal/v1', 'false', 'Project'],
  ['spaceinstances', 'si', 'management.platform.internal/v1', 'true', 'SpaceInstance'],
  ['teams', '', 'management.platform.internal/v1', 'false', 'Team'],
  ['trustedissuers', '', 'management.platform.internal/v1', 'false', 'TrustedIssuer'],
  ['users', '', 'management.platform.internal/v1', 'false', 'User'],
  ['virtualclusterinstances', 'vci', 'management.platform.internal/v1', 'true', 'VirtualClusterInstance'],
  ['clusterrolebindings', '', 'rbac.authorization.k8s.io/v1', 'false', 'ClusterRoleBinding'],
  ['clusterroles', '', 'rbac.authorization.k8s.io/v1', 'false', 'ClusterRole'],
  ['rolebindings', '', 'rbac.authorization.k8s.io/v1', 'true', 'RoleBinding'],
  ['roles', '', 'rbac.authorization.k8s.io/v1', 'true', 'Role'],
]

const versions = [
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'management.platform.internal/v1',
  'rbac.authorization.k8s.io/v1',
  'v1',
]

eachKubectl('what is served', (kubectl) => {
  it('lists every resource with its short names', async () => {
    const { code, stdout, stderr } = await kubectl.run('api-resources')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(cellsOf(stdout)).toEqual([['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'], ...resources])
  })

  it('lists the resources of one group, of one scope, and those with a verb', async () => {
    const [ofGroup, ofCluster, deletable, wide] = await Promise.all([
      kubectl.run('api-resources --api-group=management.platform.internal -o name'),
      kubectl.run('api-resources --namespaced=false --api-group=rbac.authorization.k8s.io -o name'),
      kubectl.run('api-resources --verbs=deletecollection --api-group= -o name'),
      kubectl.run('api-resources -o wide --api-group=authorization.k8s.io'),
    ])
    expect(ofGroup.stdout.split('\n')).toContain('ownedaccesskeys.management.platform.internal')
    expect(ofGroup.stdout.trim().split('\n')).toHaveLength(10)
    expect(ofCluster).toEqual(
      printed('clusterrolebindings.rbac.authorization.k8s.io', 'clusterroles.rbac.authorization.k8s.io'),
    )
    expect(deletable.stdout.split('\n')).not.toContain('namespaces')
    expect(deletable.stdout.split('\n')).toContain('configmaps')
    expect(wide.stdout).toMatch(/SelfSubjectAccessReview +(\[create\]|create)/)
  })

  it('lists the versions', async () => {
    expect(await kubectl.run('api-versions')).toEqual(printed(...versions))
  })

  it('shows the version of both sides', async () => {
    const { code, stdout } = await kubectl.run('version -o json')
    const { clientVersion, serverVersion } = JSON.parse(stdout)
    expect([code, Number.parseInt(clientVersion.minor, 10), serverVersion.major]).toEqual([0, kubectl.minor, '1'])
    expect(serverVersion.gitVersion).toMatch(/^v1\.\d+\.\d+\+tenant\./)
  })

  it('finds the control plane', async () => {
    const { code, stdout } = await kubectl.run('cluster-info')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: kubectl colors the text.
    const plain = stdout.replaceAll(/\u001b\[[0-9;]*m/g, '')
    expect(code).toBe(0)
    expect(plain).toMatch(/^Kubernetes control plane is running at https:\/\/127\.0\.0\.1:\d+\n/)
  })

  it.each([
    ['/healthz', { code: 0, stdout: 'ok', stderr: '' }],
    ['/livez?verbose', printed('[+]ping ok', '[+]log ok', '[+]storage-writes ok', 'livez check passed')],
    [
      '/readyz?verbose',
      printed('[+]ping ok', '[+]log ok', '[+]etcd ok', '[+]storage-writes ok', '[+]shutdown ok', 'readyz check passed'),
    ],
    ['/nothing', refused('Error from server (NotFound): the server could not find the requested resource')],
    ['/api/v1/nothing', refused('Error from server (NotFound): the server could not find the requested resource')],
  ])('answers the bare path %s', async (path, expected) => {
    expect(await kubectl.run(`get --raw ${path}`)).toEqual(expected)
  })

  it('reports unknown resources', async () => {
    const expected = refused('error: the server doesn\'t have a resource type "deployments"')
    expect(await kubectl.run('get deployments')).toEqual(expected)
  })
})
