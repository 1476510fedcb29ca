import { describe, expect, it } from 'vitest'
import { objectNames } from '../../src/cli/create/manifests/names.ts'
import { ensureNamespace } from '../../src/cli/host/apply/ensure-namespace.ts'
import { quietProgress } from '../../src/cli/output/progress.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { kubectlOn } from '../support/programs/kubectl.ts'
import { hasNoKubernetes, useKubernetesHost } from './kubernetes-host.ts'

describe.skipIf(hasNoKubernetes)('tenant delete on a real kube-apiserver', () => {
  const { config, get, host, kubeconfig, makeNamespace, namesOf, tenant, typeOf } = useKubernetesHost()

  it('removes the created objects, the synced objects, and the namespace', async () => {
    await tenant(['create', 'gone', '--no-wait'])
    const deleted = await tenant(['delete', 'gone', '--yes'])
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
    expect(await tenant(['delete', 'gone', '--yes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no virtual cluster gone in namespace tenant-gone'),
    })
    expect(await tenant(['create', 'gone', '--no-wait'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('namespace tenant-gone is being deleted, with Pods that may take a while'),
    })
  })

  it('a terminating namespace is created again when it is gone', async () => {
    const name = 'tenant-back'
    const onHost = kubectlOn(findKubectls()[0]?.command ?? expect.fail('there is no kubectl'), kubeconfig())
    await makeNamespace(name)
    const type = await typeOf('Namespace')
    await host().delete(type, { namespace: '', name })
    const told: string[] = []
    const progress = { ...quietProgress, detail: (text: string) => void told.push(text) }
    const wanted = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const made = ensureNamespace(host(), wanted, { progress, patienceMs: 60_000 })
    await expect.poll(() => told).toContain(`namespace ${name} is being deleted; it is created again when it is gone`)
    const { spec: _, ...ending } = (await get('Namespace', '', name)) ?? expect.fail('it is still there')
    await onHost(`replace --raw /api/v1/namespaces/${name}/finalize -f -`, { ...ending, spec: { finalizers: [] } })
    expect(await made).toBe(true)
    expect((await get('Namespace', '', name))?.metadata.deletionTimestamp).toBeUndefined()
  })

  it('an upgrade is refused while the namespace is terminating', async () => {
    await tenant(['create', 'ending', '--no-wait'])
    await host().delete(await typeOf('Namespace'), { namespace: '', name: 'tenant-ending' })
    expect(await tenant(['create', 'ending', '--upgrade'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('namespace tenant-ending is being deleted'),
    })
  })

  it('leaves foreign objects alone', async () => {
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
    await host().create(maps, copy)
    await host().create(maps, { ...copy, metadata: { ...copy.metadata, name: 'forged' } })
    await host().create(maps, { ...copy, metadata: { namespace: 'team', name: 'notes' } })
    await tenant(['create', 'kept', '-n', 'team', '--no-wait'])
    const service = await typeOf('Service')
    await host().delete(service, { namespace: 'team', name: 'kept' })
    await host().create(service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'team', name: 'kept' },
      spec: { ports: [{ port: 1 }] },
    })
    const { exitCode, stderr } = await tenant(['delete', 'kept', '-n', 'team', '-y'])
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

  it('removes nothing that only a forged record claims', async () => {
    await tenant(['create', 'forger', '--no-wait'])
    await makeNamespace('payments')
    const secrets = await typeOf('Secret')
    const key = { namespace: 'tenant-forger', name: objectNames.record('forger') }
    const record = await host().get(secrets, key)
    const manifests = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'payments' } }]
    const text = JSON.stringify({ version: 1, manifests, madeNamespace: true })
    await host().update(secrets, { ...record, data: { 'applied.json': Buffer.from(text).toString('base64') } })
    const { exitCode, stderr } = await tenant(['delete', 'forger', '-y'])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('names objects of others: Namespace payments'),
    })
    expect((await get('Namespace', '', 'payments'))?.metadata.deletionTimestamp).toBeUndefined()
  })

  it('keeps volumes on request, with the namespace, and says so', async () => {
    // Without a quota controller here, a quota would refuse every claim.
    const file = config('policies: {isolation: {resourceQuota: {enabled: false}}}\n')
    await tenant(['create', 'stored', '--no-wait', '-f', file])
    const namespace = 'tenant-stored'
    const labels = (await get('StatefulSet', namespace, 'stored'))?.metadata.labels ?? {}
    await host().create(await typeOf('PersistentVolumeClaim'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name: 'data-stored-0', labels },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    const { exitCode, stderr } = await tenant(['delete', 'stored', '--yes', '--keep-data'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain(`left alone: Namespace ${namespace}: it holds the data`)
    expect(stderr).toMatch(/^stored is deleted\.$/m)
    expect(await namesOf('PersistentVolumeClaim', namespace)).toEqual(['data-stored-0'])
    expect(await get('StatefulSet', namespace, 'stored')).toBeUndefined()
  })

  it('keeps a namespace that it created if it contains objects of a user', async () => {
    await tenant(['create', 'busy', '--no-wait'])
    await host().create(await typeOf('ConfigMap'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'tenant-busy', name: 'notes' },
    })
    const { stderr } = await tenant(['delete', 'busy', '-y'])
    expect(stderr).toContain('left alone: Namespace tenant-busy: it holds configmaps/notes')
    expect((await get('Namespace', '', 'tenant-busy'))?.metadata.deletionTimestamp).toBeUndefined()
  })

  it('asks for confirmation, which scripts must pass as a flag', async () => {
    await tenant(['create', 'asked', '--no-wait'])
    expect(await tenant(['delete', 'asked'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    })
    const no = await tenant(['delete', 'asked'], { onTerminal: true, input: 'n\n' })
    expect(no).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was deleted') })
    expect(await get('StatefulSet', 'tenant-asked', 'asked')).toBeDefined()
    expect(await tenant(['delete', 'asked'], { onTerminal: true, input: 'y\n' })).toMatchObject({ exitCode: 0 })
  })
})
