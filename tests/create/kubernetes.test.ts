import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import { objectNames } from '../../src/cli/create/manifests/names.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { checkConfig } from '../../src/patches/config/check-config.ts'
import { findKubernetes } from '../support/kubernetes-programs.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'
import { makeNamespaceWithoutServices } from './refusing-namespace.ts'
import { clientOf, makeWorkplace, type Workplace } from './workplace.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

describe.skipIf(search.outcome === 'missing')(`tenant create on a real kube-apiserver`, () => {
  let kubernetes: SharedKubernetes
  let host: KubeClient
  let place: Workplace
  beforeAll(async () => {
    if (search.outcome === 'missing') return
    kubernetes = await askForShared('kubernetes')
    host = await clientOf(kubernetes.kubeconfig)
  })
  afterAll(async () => {
    await host.close()
  })
  beforeEach(() => {
    place = makeWorkplace(kubernetes.kubeconfig)
  })
  afterEach(() => place.remove())

  async function typeOf(kind: string): Promise<ResourceType> {
    const versions: Readonly<Record<string, string>> = {
      StatefulSet: 'apps/v1',
      NetworkPolicy: 'networking.k8s.io/v1',
      Role: 'rbac.authorization.k8s.io/v1',
      RoleBinding: 'rbac.authorization.k8s.io/v1',
      ClusterRole: 'rbac.authorization.k8s.io/v1',
      ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
    }
    const type = await host.served.findKind(versions[kind] ?? 'v1', kind)
    if (type === undefined) throw new Error(`no ${kind}`)
    return type
  }

  async function get(kind: string, namespace: string, name: string): Promise<KubeObject | undefined> {
    return host.get(await typeOf(kind), { namespace, name }).catch(() => undefined)
  }

  async function namesOf(kind: string, namespace: string): Promise<readonly string[]> {
    const { items } = await host.list(await typeOf(kind), { namespace })
    return items.flatMap(({ metadata }) => metadata.name ?? []).sort()
  }

  async function makeNamespace(name: string): Promise<void> {
    await host.create(await typeOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }

  /** Without a kubelet nothing becomes ready, so the test writes the status itself. */
  async function pretendReady(namespace: string, name: string): Promise<void> {
    const type = await typeOf('StatefulSet')
    const set = await host.get(type, { namespace, name })
    const status = { observedGeneration: set.metadata.generation, replicas: 1, readyReplicas: 1, updatedReplicas: 1 }
    await host.updateStatus(type, { ...set, status })
  }

  function config(text: string): string {
    return place.file('tenant.yaml', text)
  }

  it('makes what the tenant needs, once', async () => {
    const { exitCode, stderr } = await place.tenant(['create', 'one', '--no-wait'])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('one is on its way.') })
    expect(await get('StatefulSet', 'tenant-one', 'one')).toMatchObject({ spec: { replicas: 1, serviceName: 'one' } })
    expect(await get('Service', 'tenant-one', 'one')).toMatchObject({
      spec: { ports: [{ port: 443 }, { port: 53, protocol: 'UDP' }, { port: 53, protocol: 'TCP' }] },
    })
    expect(await get('ServiceAccount', 'tenant-one', 'tenant-one')).toBeDefined()
    const again = await place.tenant(['create', 'one', '--no-wait'])
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('change it with --upgrade') })
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

    it('are written down: the API, the nodes and the range of Services', async () => {
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } }
      const type = await typeOf('Node')
      const made = await host.create(type, node)
      const addresses = [
        { type: 'InternalIP', address: '192.0.2.77' },
        { type: 'Hostname', address: 'worker' },
      ]
      await host.updateStatus(type, { ...made, status: { addresses } })
      const file = config('# kept\nsync: {} # too\n')
      const { exitCode, stderr } = await place.tenant(['create', 'addressed', '-f', file, '--no-wait'])
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('warning') })
      const api = await get('Service', 'default', 'kubernetes')
      const clusterIP = api?.spec && Reflect.get(api.spec, 'clusterIP')
      const found = await hostAddresses('addressed')
      expect(found).toEqual(expect.arrayContaining(['192.0.2.77', clusterIP, expect.stringMatching(/^[\d.]+\/\d+$/)]))
      const text = await deployedConfig('addressed')
      expect(text).toContain('# kept')
      expect(text).toContain('# too')
      await host.delete(type, { namespace: '', name: 'worker' })
    })

    it('stay as an operator has written them', async () => {
      const text = 'policies: {sync: {endpointAddresses: {host: []}}}\n'
      await place.tenant(['create', 'own', '-f', config(text), '--no-wait'])
      expect(await deployedConfig('own')).toBe(text)
    })
  })

  it('waits until it is ready, and says what it waits for', async () => {
    const waiting = place.tenant(['create', 'two', '--timeout', '60s'])
    for (let tries = 0; (await get('StatefulSet', 'tenant-two', 'two')) === undefined && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await pretendReady('tenant-two', 'two')
    expect(await waiting).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('two is ready.') })
    const never = await place.tenant(['create', 'three', '--timeout', '1s'])
    expect(never).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not ready within 1 s: 0 of 1 ready') })
    expect(never.stderr).toContain('tenant delete three -n tenant-three')
  })

  it('prints valid objects and touches nothing with --dry-run', async () => {
    const { stdout, stderr } = await place.tenant(['create', 'dry', '--dry-run', '-o', 'json'])
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
    const yaml = (await place.tenant(['create', 'dry', '--dry-run'])).stdout
    expect(yaml.split('\n---\n')).toHaveLength(items.length)
  })

  describe('--upgrade', () => {
    it('creates nothing, and says when nothing changes', async () => {
      expect(await place.tenant(['create', 'up1', '--upgrade', '--no-wait'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('there is no tenant up1 in namespace tenant-up1 of the host to upgrade'),
      })
      expect(await get('Namespace', '', 'tenant-up1')).toBeUndefined()
      expect(await place.tenant(['create', 'up1', '--no-wait'])).toMatchObject({ exitCode: 0 })
      const again = await place.tenant(['create', 'up1', '--upgrade', '--no-wait'])
      expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing changes.') })
    })

    it('shows the diff and keeps what others have changed', async () => {
      await place.tenant(['create', 'up2', '--no-wait'])
      const type = await typeOf('StatefulSet')
      const set = JSON.parse(JSON.stringify(await host.get(type, { namespace: 'tenant-up2', name: 'up2' })))
      set.spec.replicas = 0
      set.spec.template.spec.containers[0].resources.requests.cpu = '2'
      set.spec.template.spec.containers[0].image = 'elsewhere/tenant:1'
      set.metadata.labels.team = 'blue'
      await host.update(type, set)
      const file = config('sync: {toHost: {endpointSlices: {enabled: true}}}\n')
      const { exitCode, stderr } = await place.tenant([
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

    it('goes back to what was there if it fails', async () => {
      await place.tenant(['create', 'up3', '--no-wait', '-f', config('networking: {clusterDomain: before.local}\n')])
      const role = await get('Role', 'tenant-up3', 'tenant-up3')
      const file = config('sync: {toHost: {ingresses: {enabled: true}}}\n')
      const { exitCode, stderr } = await place.tenant(['create', 'up3', '--upgrade', '--timeout', '1s', '-f', file])
      expect(exitCode).toBe(1)
      expect(stderr).toContain('the upgrade failed and was taken back: the tenant was not ready within 1 s')
      const secret = await get('Secret', 'tenant-up3', 'tenant-up3-config')
      const text = Buffer.from(String(Object(secret?.data)['tenant.yaml']), 'base64').toString()
      expect(text).toContain('clusterDomain: before.local')
      expect(text).not.toContain('ingresses')
      expect(await get('Role', 'tenant-up3', 'tenant-up3')).toMatchObject({ rules: role?.rules })
    })
  })

  describe('createRBAC', () => {
    it('makes Role and RoleBinding where the Secret is, removes them when they are no longer needed', async () => {
      await makeNamespace('shared-keys')
      const file = config('external: {platform: {apiKey: {namespace: shared-keys}}}\n')
      expect(await place.tenant(['create', 'rbac', '--no-wait', '-f', file])).toMatchObject({ exitCode: 0 })
      const [role] = await namesOf('Role', 'shared-keys')
      expect(role).toMatch(/^tenant-key-rbac-[0-9a-f]{12}$/)
      expect(await namesOf('RoleBinding', 'shared-keys')).toEqual([role])
      expect(await get('Secret', 'tenant-rbac', 'tenant-platform-api-key')).toBeUndefined()
      await place.tenant(['create', 'rbac', '--no-wait', '--upgrade', '-f', config('{}\n')])
      expect(await namesOf('Role', 'shared-keys')).toEqual([])
      expect(await namesOf('RoleBinding', 'shared-keys')).toEqual([])
    })

    it('makes nothing at all if the namespace of the Secret is not there', async () => {
      const file = config('external: {platform: {apiKey: {namespace: not-there}}}\n')
      const { exitCode, stderr } = await place.tenant(['create', 'lost', '--no-wait', '-f', file])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining(
          'error: the configuration refers to namespace not-there, which the host does not have; nothing was changed\n',
        ),
      })
      expect(await get('Namespace', '', 'tenant-lost')).toBeUndefined()
    })
  })

  describe('delete', () => {
    it('removes what create made, what was synced, and the namespace', async () => {
      await place.tenant(['create', 'gone', '--no-wait'])
      const deleted = await place.tenant(['delete', 'gone', '--yes'])
      expect(deleted).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('gone is deleted, and nothing of it is left on the host.'),
      })
      expect(deleted.stderr).toMatch(/^On the host, gone consists of: .*StatefulSet \(1\)/m)
      for (const kind of ['ResourceQuota', 'LimitRange', 'NetworkPolicy']) {
        expect(await get(kind, 'tenant-gone', 'tenant-gone-workloads')).toBeUndefined()
      }
      expect((await get('Namespace', '', 'tenant-gone'))?.metadata.deletionTimestamp).toEqual(expect.any(String))
      expect(await get('StatefulSet', 'tenant-gone', 'gone')).toBeUndefined()
      expect(await place.tenant(['delete', 'gone', '--yes'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('there is no virtual cluster gone in namespace tenant-gone'),
      })
      expect(await place.tenant(['create', 'gone', '--no-wait'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('namespace tenant-gone is being deleted, with Pods that may take a while'),
      })
    })

    it('leaves alone what others have made', async () => {
      await makeNamespace('team')
      const maps = await typeOf('ConfigMap')
      const marks = { 'tenant.internal/tenant-namespace': 'team', 'tenant.internal/host-name': 'copy' }
      const copy = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          namespace: 'team',
          name: 'copy',
          labels: { 'tenant.internal/managed-by': 'kept' },
          annotations: marks,
        },
      }
      await host.create(maps, copy)
      await host.create(maps, { ...copy, metadata: { ...copy.metadata, name: 'forged' } })
      await host.create(maps, { ...copy, metadata: { namespace: 'team', name: 'notes' } })
      await place.tenant(['create', 'kept', '-n', 'team', '--no-wait'])
      const service = await typeOf('Service')
      await host.delete(service, { namespace: 'team', name: 'kept' })
      await host.create(service, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { namespace: 'team', name: 'kept' },
        spec: { ports: [{ port: 1 }] },
      })
      const { exitCode, stderr } = await place.tenant(['delete', 'kept', '-n', 'team', '-y'])
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('left alone: Service team/kept'),
      })
      expect(stderr).toMatch(/^kept is deleted\.$/m)
      expect(await namesOf('ConfigMap', 'team')).toEqual(['forged', 'notes'])
      expect(await get('Service', 'team', 'kept')).toBeDefined()
      expect(await namesOf('Role', 'team')).toEqual([])
      expect((await get('Namespace', '', 'team'))?.metadata.deletionTimestamp).toBeUndefined()
    })

    it('removes nothing that only a forged record says is its own', async () => {
      await place.tenant(['create', 'forger', '--no-wait'])
      await makeNamespace('payments')
      const secrets = await typeOf('Secret')
      const key = { namespace: 'tenant-forger', name: objectNames.record('forger') }
      const record = await host.get(secrets, key)
      const manifests = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'payments' } }]
      const text = JSON.stringify({ version: 1, manifests, madeNamespace: true })
      await host.update(secrets, { ...record, data: { 'applied.json': Buffer.from(text).toString('base64') } })
      const { exitCode, stderr } = await place.tenant(['delete', 'forger', '-y'])
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('names objects of others: Namespace payments'),
      })
      expect((await get('Namespace', '', 'payments'))?.metadata.deletionTimestamp).toBeUndefined()
    })

    it('keeps volumes that are asked for, with the namespace, and says so', async () => {
      // Nothing counts what a quota is about here, so that it would refuse every claim.
      const file = config('policies: {isolation: {resourceQuota: {enabled: false}}}\n')
      await place.tenant(['create', 'stored', '--no-wait', '-f', file])
      const namespace = 'tenant-stored'
      const labels = (await get('StatefulSet', namespace, 'stored'))?.metadata.labels ?? {}
      await host.create(await typeOf('PersistentVolumeClaim'), {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { namespace, name: 'data-stored-0', labels },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      })
      const { exitCode, stderr } = await place.tenant(['delete', 'stored', '--yes', '--keep-data'])
      expect(exitCode).toBe(0)
      expect(stderr).toContain(`left alone: Namespace ${namespace}: it holds the data`)
      expect(stderr).toMatch(/^stored is deleted\.$/m)
      expect(await namesOf('PersistentVolumeClaim', namespace)).toEqual(['data-stored-0'])
      expect(await get('StatefulSet', namespace, 'stored')).toBeUndefined()
    })

    it('keeps a namespace that it made if a user has put something into it', async () => {
      await place.tenant(['create', 'busy', '--no-wait'])
      await host.create(await typeOf('ConfigMap'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'tenant-busy', name: 'notes' },
      })
      const { stderr } = await place.tenant(['delete', 'busy', '-y'])
      expect(stderr).toContain('left alone: Namespace tenant-busy: it holds configmaps/notes')
      expect((await get('Namespace', '', 'tenant-busy'))?.metadata.deletionTimestamp).toBeUndefined()
    })

    it('asks first, and a script has to say yes', async () => {
      await place.tenant(['create', 'asked', '--no-wait'])
      expect(await place.tenant(['delete', 'asked'])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('--yes'),
      })
      const no = await place.tenant(['delete', 'asked'], { onTerminal: true, input: 'n\n' })
      expect(no).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was deleted') })
      expect(await get('StatefulSet', 'tenant-asked', 'asked')).toBeDefined()
      expect(await place.tenant(['delete', 'asked'], { onTerminal: true, input: 'y\n' })).toMatchObject({ exitCode: 0 })
    })
  })

  describe('by the administrator of a namespace', () => {
    /** A kubeconfig. As the role `admin` of Kubernetes: quotas are read there and not written, and nothing outside. */
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
      await host.create(await typeOf('Role'), { apiVersion, kind: 'Role', metadata, rules })
      await host.create(await typeOf('RoleBinding'), {
        apiVersion,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `administrator-of-${namespace}` }],
      })
      const text = JSON.parse(readFileSync(kubernetes.kubeconfig, 'utf8'))
      text.users[0].user.as = `administrator-of-${namespace}`
      return place.file('kubeconfig', JSON.stringify(text))
    }

    it('is upgraded and deleted, and what is not theirs to change is left and named', async () => {
      await place.tenant(['create', 'lent', '--no-wait'])
      const kubeconfig = ['--kubeconfig', await administratorOf('tenant-lent')]
      const more = ['--upgrade', '--no-wait', '--image', 'tenant-platform:2', ...kubeconfig]
      for (const _ of ['once', 'again']) {
        const { exitCode, stderr } = await place.tenant(['create', 'lent', ...more])
        expect({ exitCode, stderr }).toMatchObject({
          exitCode: 0,
          stderr: expect.stringMatching(/: ClusterRole tenant-/),
        })
        expect(stderr).toContain(
          'left as it is: ResourceQuota tenant-lent/tenant-lent-workloads: you may not change it',
        )
        expect(stderr).not.toContain('no nodes will be seen')
      }
      expect(JSON.stringify(await get('StatefulSet', 'tenant-lent', 'lent'))).toContain('tenant-platform:2')
      const [role] = (await namesOf('ClusterRole', '')).filter((name) => name.startsWith('tenant-cluster-lent-'))
      expect(role).toBeDefined()
      expect(await get('ResourceQuota', 'tenant-lent', 'tenant-lent-workloads')).toBeDefined()
      const deleted = await place.tenant(['delete', 'lent', '--yes', ...kubeconfig])
      expect(deleted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('lent is deleted.') })
      expect(deleted.stderr).toContain(`an administrator of the host can: kubectl delete clusterrole ${role}`)
      expect(deleted.stderr).toContain('left alone: Namespace tenant-lent: you may not remove it')
      expect(await get('StatefulSet', 'tenant-lent', 'lent')).toBeUndefined()
      expect(await get('Secret', 'tenant-lent', 'tenant-lent-applied')).toBeUndefined()
      for (const kind of ['ClusterRole', 'ClusterRoleBinding']) {
        await host.delete(await typeOf(kind), { namespace: '', name: role ?? '' })
      }
    })
  })

  it('leaves nothing behind when something cannot be applied', async () => {
    await makeNamespaceWithoutServices(host, 'full')
    expect(await place.tenant(['create', 'full', '-n', 'full', '--no-wait'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/no-services[\s\S]*Nothing of it is left\./),
    })
    for (const kind of ['StatefulSet', 'Role', 'RoleBinding']) expect(await namesOf(kind, 'full')).toEqual([])
    expect(await namesOf('Secret', 'full')).not.toContainEqual(expect.stringContaining('full'))
  })

  it('does not touch objects of others that are in the way', async () => {
    await makeNamespace('taken')
    const set = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'taken', name: 'web' },
      spec: { ports: [{ port: 1 }] },
    }
    await host.create(await typeOf('Service'), set)
    const { exitCode, stderr } = await place.tenant(['create', 'web', '-n', 'taken', '--no-wait'])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Service taken/web; nothing was changed'),
    })
    expect(await namesOf('Role', 'taken')).toEqual([])
  })

  it('writes nothing secret anywhere', () => {
    expect(place.written.join('')).not.toContain(
      readFileSync(kubernetes.kubeconfig, 'utf8').match(/"token": "([^"]+)"/)?.[1],
    )
  })
})
