import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import { objectNames } from '../../src/cli/create/manifests/names.ts'
import { checkConfig } from '../../src/patches/config/check-config.ts'
import { eventually } from '../support/eventually.ts'
import { hasNoKubernetes, useKubernetesHost } from './kubernetes-host.ts'
import { makeNamespaceWithoutServices } from './refusing-namespace.ts'

describe.skipIf(hasNoKubernetes)('tenant create on a real kube-apiserver', () => {
  const { config, get, host, kubeconfig, makeNamespace, namesOf, tenant, typeOf, written } = useKubernetesHost()

  /** Without a kubelet nothing becomes ready, so the test writes the status itself. */
  async function pretendReady(namespace: string, name: string): Promise<void> {
    const type = await typeOf('StatefulSet')
    const set = await host().get(type, { namespace, name })
    const status = { observedGeneration: set.metadata.generation, replicas: 1, readyReplicas: 1, updatedReplicas: 1 }
    await host().updateStatus(type, { ...set, status })
  }

  it('creates the objects of the tenant, once', async () => {
    const { exitCode, stderr } = await tenant(['create', 'one', '--no-wait'])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('one is on its way.') })
    expect(await get('StatefulSet', 'tenant-one', 'one')).toMatchObject({ spec: { replicas: 1, serviceName: 'one' } })
    expect(await get('Service', 'tenant-one', 'one')).toMatchObject({
      spec: { ports: [{ port: 443 }, { port: 53, protocol: 'UDP' }, { port: 53, protocol: 'TCP' }] },
    })
    expect(await get('ServiceAccount', 'tenant-one', 'tenant-one')).toBeDefined()
    const again = await tenant(['create', 'one', '--no-wait'])
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('change it with --upgrade') })
  })

  it('refuses a name that would share a Secret with another tenant', async () => {
    const inOne = ['--namespace', 'tenant-meeting', '--no-wait']
    const { exitCode, stderr } = await tenant(['create', 'meet', ...inOne])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    for (const name of ['meet-identity', 'meet-config']) {
      const refused = await tenant(['create', name, ...inOne])
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/the tenant meet .* would share/) })
      expect(await get('StatefulSet', 'tenant-meeting', name)).toBeUndefined()
    }
    expect(await tenant(['create', 'meeting', ...inOne])).toMatchObject({ exitCode: 0 })
  })

  describe('the addresses of the host', () => {
    async function deployedConfig(name: string): Promise<string> {
      const secret = await get('Secret', `tenant-${name}`, objectNames.config(name))
      const data = secret?.data
      return Buffer.from(String(data && Reflect.get(data, 'tenant.yaml')), 'base64').toString()
    }
    const hostAddresses = async (name: string) => {
      const { config: written } = checkConfig(await deployedConfig(name), 'tenant.yaml')
      return written?.policies?.sync?.endpointAddresses?.host
    }

    it('are recorded: the API, the nodes and the Service range', async () => {
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } }
      const type = await typeOf('Node')
      const made = await host().create(type, node)
      const addresses = [
        { type: 'InternalIP', address: '192.0.2.77' },
        { type: 'Hostname', address: 'worker' },
      ]
      await host().updateStatus(type, { ...made, status: { addresses } })
      const file = config('# kept\nsync: {} # too\n')
      const { exitCode, stderr } = await tenant(['create', 'addressed', '-f', file, '--no-wait'])
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('warning') })
      const api = await get('Service', 'default', 'kubernetes')
      const clusterIP = api?.spec && Reflect.get(api.spec, 'clusterIP')
      const found = await hostAddresses('addressed')
      expect(found).toEqual(expect.arrayContaining(['192.0.2.77', clusterIP, expect.stringMatching(/^[\d.]+\/\d+$/)]))
      const text = await deployedConfig('addressed')
      expect(text).toContain('# kept')
      expect(text).toContain('# too')
      await host().delete(type, { namespace: '', name: 'worker' })
    })

    it('stay as the operator has configured them', async () => {
      const text = 'policies: {sync: {endpointAddresses: {host: []}}}\n'
      await tenant(['create', 'own', '-f', config(text), '--no-wait'])
      expect(await deployedConfig('own')).toBe(text)
    })
  })

  it('waits until it is ready, and reports what it waits for', async () => {
    const waiting = tenant(['create', 'two', '--timeout', '60s'])
    await eventually(async () => expect(await get('StatefulSet', 'tenant-two', 'two')).toBeDefined())
    await pretendReady('tenant-two', 'two')
    expect(await waiting).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('two is ready.') })
    // Long enough for the host to say how far it is.
    const never = await tenant(['create', 'three', '--timeout', '10s'])
    expect(never).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not ready within 10 s: 0 of 1 ready') })
    expect(never.stderr).toContain('tenant delete three -n tenant-three')
  })

  it('with --dry-run prints valid objects and changes nothing', async () => {
    const { stdout, stderr } = await tenant(['create', 'dry', '--dry-run', '-o', 'json'])
    expect(stderr).toBe('')
    const { items } = JSON.parse(stdout)
    expect(items.map(({ kind }: KubeObject) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'ClusterRole',
      'ClusterRoleBinding',
      'Secret',
      'Service',
      'LimitRange',
      'ResourceQuota',
      'NetworkPolicy',
      'NetworkPolicy',
      'StatefulSet',
    ])
    expect(await get('Namespace', '', 'tenant-dry')).toBeUndefined()
    const yaml = (await tenant(['create', 'dry', '--dry-run'])).stdout
    expect(yaml.split('\n---\n')).toHaveLength(items.length)
  })

  describe('--upgrade', () => {
    it('creates nothing, and reports when nothing changes', async () => {
      expect(await tenant(['create', 'up1', '--upgrade', '--no-wait'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('there is no tenant up1 in namespace tenant-up1 of the host to upgrade'),
      })
      expect(await get('Namespace', '', 'tenant-up1')).toBeUndefined()
      expect(await tenant(['create', 'up1', '--no-wait'])).toMatchObject({ exitCode: 0 })
      const again = await tenant(['create', 'up1', '--upgrade', '--no-wait'])
      expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing changes.') })
    })

    it('shows the diff and keeps changes of others', async () => {
      await tenant(['create', 'up2', '--no-wait'])
      const type = await typeOf('StatefulSet')
      const set = JSON.parse(JSON.stringify(await host().get(type, { namespace: 'tenant-up2', name: 'up2' })))
      set.spec.replicas = 0
      set.spec.template.spec.containers[0].resources.requests.cpu = '2'
      set.spec.template.spec.containers[0].image = 'elsewhere/tenant:1'
      set.metadata.labels.team = 'blue'
      await host().update(type, set)
      const file = config('sync: {toHost: {endpointSlices: {enabled: true}}}\n')
      const { exitCode, stderr } = await tenant([
        'create',
        'up2',
        '--upgrade',
        '--no-wait',
        '-f',
        file,
        '--image',
        'tenant-platform:2',
      ])
      expect(exitCode).toBe(0)
      expect(stderr).toMatch(/^\+ {4}sync: \{ ?toHost: \{ ?endpointSlices: \{ ?enabled: true/m)
      expect(stderr).toMatch(/\+ +- endpointslices/)
      expect(stderr).toMatch(/warning:.*StatefulSet tenant-up2\/up2 \.spec\.replicas stays as it is/)
      const after = JSON.parse(JSON.stringify(await get('StatefulSet', 'tenant-up2', 'up2')))
      expect(after.spec.replicas).toBe(0)
      expect(after.spec.template.spec.containers[0].resources.requests).toMatchObject({ cpu: '2', memory: '128Mi' })
      expect(after.metadata.labels.team).toBe('blue')
      expect(after.spec.template.spec.containers[0].image).toBe('tenant-platform:2')
    })

    it('rolls back if it fails', async () => {
      await tenant(['create', 'up3', '--no-wait', '-f', config('networking: {clusterDomain: before.local}\n')])
      const role = await get('Role', 'tenant-up3', 'tenant-up3')
      const file = config('sync: {toHost: {ingresses: {enabled: true}}}\n')
      const { exitCode, stderr } = await tenant(['create', 'up3', '--upgrade', '--timeout', '1s', '-f', file])
      expect(exitCode).toBe(1)
      expect(stderr).toContain('the upgrade failed and was rolled back: the tenant was not ready within 1 s')
      const secret = await get('Secret', 'tenant-up3', 'tenant-up3-config')
      const text = Buffer.from(String(Object(secret?.data)['tenant.yaml']), 'base64').toString()
      expect(text).toContain('clusterDomain: before.local')
      expect(text).not.toContain('ingresses')
      expect(await get('Role', 'tenant-up3', 'tenant-up3')).toMatchObject({ rules: role?.rules })
    })
  })

  describe('createRBAC', () => {
    it('creates Role and RoleBinding beside the Secret, and removes them when they are no longer needed', async () => {
      await makeNamespace('shared-keys')
      const file = config('external: {platform: {apiKey: {namespace: shared-keys}}}\n')
      expect(await tenant(['create', 'rbac', '--no-wait', '-f', file])).toMatchObject({ exitCode: 0 })
      const [role] = await namesOf('Role', 'shared-keys')
      expect(role).toMatch(/^tenant-key-rbac-[0-9a-f]{12}$/)
      expect(await namesOf('RoleBinding', 'shared-keys')).toEqual([role])
      expect(await get('Secret', 'tenant-rbac', 'tenant-platform-api-key')).toBeUndefined()
      await tenant(['create', 'rbac', '--no-wait', '--upgrade', '-f', config('{}\n')])
      expect(await namesOf('Role', 'shared-keys')).toEqual([])
      expect(await namesOf('RoleBinding', 'shared-keys')).toEqual([])
    })

    it('creates nothing if the namespace of the Secret is missing', async () => {
      const file = config('external: {platform: {apiKey: {namespace: not-there}}}\n')
      const { exitCode, stderr } = await tenant(['create', 'lost', '--no-wait', '-f', file])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining(
          'error: the configuration refers to namespace not-there, which the host does not have: create it first. Nothing was changed\n',
        ),
      })
      expect(await get('Namespace', '', 'tenant-lost')).toBeUndefined()
    })
  })

  it('leaves nothing behind when an object cannot be applied', async () => {
    await makeNamespaceWithoutServices(host(), 'full')
    expect(await tenant(['create', 'full', '-n', 'full', '--no-wait'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/no-services[\s\S]*Nothing of it is left\./),
    })
    for (const kind of ['StatefulSet', 'Role', 'RoleBinding']) expect(await namesOf(kind, 'full')).toEqual([])
    expect(await namesOf('Secret', 'full')).not.toContainEqual(expect.stringContaining('full'))
  })

  it('does not change foreign objects with the same names', async () => {
    await makeNamespace('taken')
    const set = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'taken', name: 'web' },
      spec: { ports: [{ port: 1 }] },
    }
    await host().create(await typeOf('Service'), set)
    const { exitCode, stderr } = await tenant(['create', 'web', '-n', 'taken', '--no-wait'])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'Service taken/web; remove them, or choose another name or namespace. Nothing was changed',
      ),
    })
    expect(await namesOf('Role', 'taken')).toEqual([])
  })

  it('writes no secret anywhere', () => {
    expect(written().join('')).not.toContain(readFileSync(kubeconfig(), 'utf8').match(/"token": "([^"]+)"/)?.[1])
  })
})
