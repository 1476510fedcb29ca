import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { clientOf, configMap, configMaps, newNamespace, pods, serviceAccounts, services } from './client-of.ts'
import { describeEachServer, type UsedServer } from './servers.ts'

describeEachServer((start, flavor) => {
  let server: UsedServer
  let client: KubeClient
  let namespace: string

  beforeAll(async () => {
    server = await start()
    client = await clientOf(server)
    namespace = await newNamespace(client, 'verbs')
  })

  afterAll(async () => {
    await client?.close()
    await server?.remove()
  })

  const refused = (code: number) => expect.objectContaining({ name: 'ApiError', code })

  it('creates, reads and updates', async () => {
    const created = await client.create(configMaps, configMap(namespace, 'plain', { x: '1' }))
    const key = { namespace, name: 'plain' }
    expect(await client.get(configMaps, key)).toEqual(created)
    const updated = await client.update(configMaps, { ...created, data: { x: '2' } })
    expect(updated.data).toEqual({ x: '2' })
    await expect(client.update(configMaps, { ...created, data: {} })).rejects.toEqual(refused(409))
    await expect(client.create(configMaps, configMap(namespace, 'plain'))).rejects.toEqual(refused(409))
    await expect(client.get(configMaps, { namespace, name: 'none' })).rejects.toEqual(refused(404))
    await expect(client.create(configMaps, configMap(namespace, 'Not_A_Name'))).rejects.toEqual(refused(422))
  })

  it.each([
    ['merge', { data: { y: '2', x: null } }, { y: '2' }],
    ['strategic', { data: { y: '2' } }, { x: '1', y: '2' }],
    ['json', [{ op: 'replace', path: '/data/x', value: '3' }], { x: '3' }],
  ] as const)('patches (%s)', async (type, body, data) => {
    const name = `patched-${type}`
    await client.create(configMaps, configMap(namespace, name, { x: '1' }))
    const patched = await client.patch(configMaps, { namespace, name }, { type, body })
    expect(patched.data).toEqual(data)
  })

  it('applies, and reports conflicts', async () => {
    const one = await client.apply(configMaps, configMap(namespace, 'applied', { x: '1' }), { fieldManager: 'one' })
    expect(one.data).toEqual({ x: '1' })
    const wanted = configMap(namespace, 'applied', { x: '2' })
    await expect(client.apply(configMaps, wanted, { fieldManager: 'two' })).rejects.toEqual(refused(409))
    const two = await client.apply(configMaps, wanted, { fieldManager: 'two', force: true })
    expect(two.data).toEqual({ x: '2' })
  })

  it('writes a status separately', async () => {
    const created = await client.create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name: 'front' },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    })
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }
    const spec = { ...Object(created.spec), ports: [{ port: 81 }] }
    const updated = await client.updateStatus(services, { ...created, spec, status })
    expect(updated.status).toMatchObject(status)
    expect(updated.spec).toMatchObject({ ports: [{ port: 80 }] })
  })

  it('deletes only if the preconditions match', async () => {
    const { metadata } = await client.create(configMaps, configMap(namespace, 'doomed'))
    const key = { namespace, name: 'doomed' }
    await expect(client.delete(configMaps, key, { uid: 'another' })).rejects.toEqual(refused(409))
    await expect(client.delete(configMaps, key, { resourceVersion: '1' })).rejects.toEqual(refused(409))
    const { uid = '', resourceVersion = '' } = metadata
    await client.delete(configMaps, key, { uid, resourceVersion, propagation: 'Background' })
    await expect(client.delete(configMaps, key)).rejects.toEqual(refused(404))
  })

  it('posts to a subresource, and deletes with the given grace period', async () => {
    const key = { namespace, name: 'bound' }
    const account = { namespace, name: 'runner' }
    await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account })
    const spec = {
      containers: [{ name: 'main', image: 'app:1' }],
      serviceAccountName: account.name,
      automountServiceAccountToken: false,
    }
    const { metadata } = await client.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: key, spec })
    const target = { apiVersion: 'v1', kind: 'Node', name: 'node-1' }
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: key, target }
    expect(await client.createUnder(pods, key, { subresource: 'binding', body })).toMatchObject({ status: 'Success' })
    await expect(client.createUnder(pods, key, { subresource: 'binding', body })).rejects.toEqual(refused(409))
    expect((await client.get(pods, key)).spec).toMatchObject({ nodeName: 'node-1' })
    await client.delete(pods, key, { uid: metadata.uid ?? '', graceSeconds: 7 })
    expect((await client.get(pods, key)).metadata.deletionGracePeriodSeconds).toBe(7)
    await client.delete(pods, key, { graceSeconds: 0 })
    await expect(client.get(pods, key)).rejects.toEqual(refused(404))
  })

  it('lists more than one page, in full and with selectors', async () => {
    const many = await newNamespace(client, 'many')
    const names = Array.from({ length: 510 }, (_, index) => `many-${String(index).padStart(4, '0')}`)
    const labeled = (name: string) => {
      const object = configMap(many, name)
      return { ...object, metadata: { ...object.metadata, labels: { last: name.slice(-1) } } }
    }
    // More at once would wait for their turn, and a busy server refuses those that wait for long.
    for (let from = 0; from < names.length; from += 30)
      await Promise.all(names.slice(from, from + 30).map((name) => client.create(configMaps, labeled(name))))
    const { items, resourceVersion } = await client.list(configMaps, { namespace: many, labelSelector: 'last' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names)
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    expect(Number(resourceVersion)).toBeGreaterThan(0)
    expect((await client.list(configMaps, { namespace: many, labelSelector: 'last=7' })).items).toHaveLength(51)
    const one = { namespace: many, fieldSelector: 'metadata.name=many-0001' }
    expect((await client.list(configMaps, one)).items).toHaveLength(1)
  })

  it('is aborted by its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(client.list(configMaps, {}, signal)).rejects.toThrow('enough')
  })

  describe('discovery', () => {
    const leases: Partial<ResourceType> = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }

    it('finds resources by group, by kind and by plural', async () => {
      expect(await client.served.find('', 'configmaps')).toEqual(configMaps)
      expect(await client.served.find('', 'services')).toEqual(services)
      expect(await client.served.findKind('coordination.k8s.io/v1', 'Lease')).toMatchObject(leases)
      expect(await client.served.findPlural('leases')).toEqual([expect.objectContaining(leases)])
      expect(await client.served.findKindOfGroup('coordination.k8s.io', 'Lease')).toMatchObject(leases)
      expect(await client.served.findKindOfGroup('example.com', 'Lease')).toBeUndefined()
    })

    it('finds nothing for an unknown resource', async () => {
      expect(await client.served.find('', 'nothing')).toBeUndefined()
      expect(await client.served.find('no.such.group', 'configmaps')).toBeUndefined()
      expect(await client.served.findKind('v2', 'ConfigMap')).toBeUndefined()
      expect(await client.served.findPlural('status')).toEqual([])
    })

    it.runIf(flavor === 'kubernetes')('finds resources that are installed later', async () => {
      const group = 'later.example.com'
      expect(await client.served.find(group, 'widgets')).toBeUndefined()
      const definitions = await client.served.find('apiextensions.k8s.io', 'customresourcedefinitions')
      if (definitions === undefined) throw new Error('the server knows no definitions')
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
      await client.create(definitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `widgets.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      })
      await expect
        .poll(
          () => {
            client.served.forget()
            return client.served.find(group, 'widgets')
          },
          { timeout: 240_000 },
        )
        .toMatchObject({ group, version: 'v1', kind: 'Widget', namespaced: true, hasStatus: false })
    })
  })
})
