import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasNoKubernetes, useKubernetesHost } from './kubernetes-host.ts'

describe.skipIf(hasNoKubernetes)('tenant, run by the administrator of a namespace of a real kube-apiserver', () => {
  const { file, get, host, kubeconfig, namesOf, tenant, typeOf } = useKubernetesHost()

  /** A kubeconfig with the role `admin` of Kubernetes: quotas are read-only, and there are no rights elsewhere. */
  async function administratorOf(namespace: string): Promise<string> {
    const metadata = { namespace, name: 'administrator' }
    const workloads = ['pods', 'services', 'endpoints', 'secrets', 'configmaps', 'persistentvolumeclaims', 'events']
    const groups = ['apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io']
    const rules = [
      { apiGroups: [''], resources: [...workloads, 'serviceaccounts'], verbs: ['*'] },
      { apiGroups: groups, resources: ['*'], verbs: ['*'] },
      {
        apiGroups: [''],
        resources: ['namespaces', 'resourcequotas', 'limitranges'],
        verbs: ['get', 'list', 'watch'],
      },
    ]
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    await host().create(await typeOf('Role'), { apiVersion, kind: 'Role', metadata, rules })
    await host().create(await typeOf('RoleBinding'), {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `administrator-of-${namespace}` }],
    })
    const text = JSON.parse(readFileSync(kubeconfig(), 'utf8'))
    text.users[0].user.as = `administrator-of-${namespace}`
    return file('kubeconfig', JSON.stringify(text))
  }

  it('upgrades and deletes, and names what it had to leave', async () => {
    await tenant(['create', 'lent', '--no-wait'])
    const kubeconfig = ['--kubeconfig', await administratorOf('tenant-lent')]
    const more = ['--upgrade', '--no-wait', '--image', 'tenant-platform:2', ...kubeconfig]
    for (const _ of ['once', 'again']) {
      const { exitCode, stderr } = await tenant(['create', 'lent', ...more])
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(/: ClusterRole tenant-/),
      })
      expect(stderr).toContain('left as it is: ResourceQuota tenant-lent/tenant-lent-workloads: you may not change it')
      expect(stderr).not.toContain('no nodes will be seen')
    }
    expect(JSON.stringify(await get('StatefulSet', 'tenant-lent', 'lent'))).toContain('tenant-platform:2')
    const [role] = (await namesOf('ClusterRole', '')).filter((name) => name.startsWith('tenant-cluster-lent-'))
    expect(role).toBeDefined()
    expect(await get('ResourceQuota', 'tenant-lent', 'tenant-lent-workloads')).toBeDefined()
    const deleted = await tenant(['delete', 'lent', '--yes', ...kubeconfig])
    expect(deleted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('lent is deleted.') })
    expect(deleted.stderr).toContain(`an administrator of the host can: kubectl delete clusterrole ${role}`)
    expect(deleted.stderr).toContain('left alone: Namespace tenant-lent: you may not remove it')
    expect(await get('StatefulSet', 'tenant-lent', 'lent')).toBeUndefined()
    expect(await get('Secret', 'tenant-lent', 'tenant-lent-applied')).toBeUndefined()
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) {
      await host().delete(await typeOf(kind), { namespace: '', name: role ?? '' })
    }
  })
})
