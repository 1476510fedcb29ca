import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namespace } from '../../src/api/core/namespace.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { systemRandom } from '../../src/base/random.ts'
import { followedAddressHooks, serviceWithFollowedAddresses } from '../../src/registry/allocation/followed-addresses.ts'
import { defaultServiceNetwork, ServiceAllocator } from '../../src/registry/allocation/service-allocator.ts'
import type { Store } from '../../src/storage/contract.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

const filler = 'the-syncer'
let registry: TestRegistry
let isSyncing = false
const allocatorIn = (store: Store) => new ServiceAllocator(store, systemRandom, defaultServiceNetwork)

beforeAll(async () => {
  registry = await startRegistry([namespace, serviceWithFollowedAddresses], {
    hooks: (kind, store) =>
      kind.kind === 'Service' ? followedAddressHooks(filler, allocatorIn(store).hooks(), () => isSyncing) : {},
  })
  await registry.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})

afterAll(() => registry.stop())

async function create(name: string, spec: object, warnings: string[] = []): Promise<KubeObject> {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec }
  const { document } = await registry
    .resource('services')
    .create({ namespace: 'default' }, bodyOf(service), writeRequest({ warn: (text) => warnings.push(text) }))
  return document.object
}

async function update(object: KubeObject, spec: object, user: string, warnings: string[] = []): Promise<KubeObject> {
  const changed = { ...object, spec: { ...(object.spec as object), ...spec } }
  const request = writeRequest({
    user: { name: user, groups: ['system:authenticated'] },
    warn: (text) => warnings.push(text),
  })
  const id = { namespace: 'default', name: object.metadata.name ?? '' }
  return (await registry.resource('services').update(id, bodyOf(changed), request)).document.object
}

async function label(name: string, key: string): Promise<KubeObject> {
  const patch = { type: 'merge', body: bodyOf({ metadata: { labels: { [key]: '' } } }) } as const
  const { document } = await registry.resource('services').patch({ namespace: 'default', name }, patch, writeRequest())
  return document.object
}

const addressed = (ip: string) => ({ clusterIP: ip, clusterIPs: [ip] })

describe('the response to the writer of a Service', () => {
  beforeAll(() => {
    isSyncing = true
  })
  afterAll(() => {
    isSyncing = false
  })
  const ports = [{ port: 80 }]
  const stored = (name: string) =>
    registry.registry.engine.find('', 'Service')?.cache.get({ namespace: 'default', name })?.object

  const eventuallyStored = async (name: string) => {
    await eventually(() => expect(stored(name)).toBeDefined())
    return stored(name) as KubeObject
  }

  it('has the address that is assigned after the write', async () => {
    const created = create('prompt', { ports })
    const waiting = await eventuallyStored('prompt')
    await update(waiting, addressed('172.30.0.20'), filler)
    expect((await created).spec).toMatchObject(addressed('172.30.0.20'))
  })

  it('has none if none is assigned in time, or if the Service needs none', async () => {
    expect((await create('slow', { ports })).spec).not.toHaveProperty('clusterIP')
    expect((await create('settled', { ports, clusterIP: 'None' })).spec).toMatchObject({ clusterIP: 'None' })
    expect((await create('alias', { type: 'ExternalName', externalName: 'example.com' })).spec).not.toHaveProperty(
      'clusterIP',
    )
  })

  it('waits without keeping others from writing to the Service', async () => {
    const created = create('shared', { ports })
    await eventuallyStored('shared')
    const marks = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = marks.map((mark) => label('shared', mark))
    await eventually(() => expect(Object.keys(stored('shared')?.metadata.labels ?? {}).sort()).toEqual(marks))
    await update(stored('shared') as KubeObject, addressed('172.30.0.21'), filler)
    for (const answer of [created, ...answers]) expect((await answer).spec).toMatchObject(addressed('172.30.0.21'))
  })

  it('does not outlast the Service', async () => {
    const created = create('brief', { ports })
    await eventuallyStored('brief')
    await registry
      .resource('services')
      .delete({ namespace: 'default', name: 'brief' }, { dryRun: false }, writeRequest())
    expect((await created).metadata.name).toBe('brief')
  })
})

describe('a Service whose cluster IP is assigned elsewhere', () => {
  it('is created without a cluster IP and node ports, whatever the client requests', async () => {
    const { spec } = await create('fresh', {
      type: 'NodePort',
      clusterIP: '10.96.3.3',
      ports: [{ port: 80, nodePort: 30_303 }],
    })
    expect(spec).not.toHaveProperty('clusterIP')
    expect(spec).toMatchObject({ ports: [{ port: 80 }] })
    expect(JSON.stringify(spec)).not.toContain('30303')
  })

  it('tells the writer which values are left out, and only then', async () => {
    const warnings: string[] = []
    const ports = [{ port: 80, nodePort: 30_303 }]
    const created = await create('told', { type: 'NodePort', clusterIP: '10.96.3.3', ports }, warnings)
    expect(warnings).toEqual(['left out, since the host assigns the value: spec.clusterIP, spec.ports[0].nodePort'])
    const assigned = await update(
      created,
      { ...addressed('172.30.0.9'), ports: [{ port: 80, nodePort: 31_000 }] },
      filler,
    )
    warnings.splice(0)
    const changed = await update(assigned, { sessionAffinity: 'ClientIP' }, 'a-user', warnings)
    expect(warnings).toEqual([])
    await update(changed, { ports }, 'a-user', warnings)
    expect(warnings).toEqual(['left out, since the host assigns the value: spec.ports[0].nodePort'])
  })

  it('that is headless stays headless', async () => {
    expect((await create('headless', { clusterIP: 'None', ports: [{ port: 80 }] })).spec).toMatchObject(
      addressed('None'),
    )
  })

  it('gets any address from the user that assigns them, and later another', async () => {
    const service = await create('given', { ports: [{ port: 80 }] })
    const first = await update(service, addressed('172.30.0.9'), filler)
    expect(first.spec).toMatchObject(addressed('172.30.0.9'))
    expect((await update(first, addressed('172.30.0.10'), filler)).spec).toMatchObject(addressed('172.30.0.10'))
  })

  it('keeps it whatever other users send', async () => {
    const service = await update(await create('kept', { ports: [{ port: 80 }] }), addressed('172.30.0.9'), filler)
    await expect(update(service, addressed('172.30.0.10'), 'somebody')).rejects.toThrow('may not change once set')
    const { clusterIP: _, clusterIPs: __, ...spec } = service.spec as Record<string, unknown>
    const changed = await update({ ...service, spec }, { sessionAffinity: 'ClientIP' }, 'somebody')
    expect(changed.spec).toMatchObject({ ...addressed('172.30.0.9'), sessionAffinity: 'ClientIP' })
  })

  it('gets none from other users', async () => {
    const changed = await update(await create('forged', { ports: [{ port: 80 }] }), addressed('10.0.0.7'), 'a-user')
    expect(JSON.stringify(changed.spec)).not.toContain('10.0.0.7')
    const named = await create('named', { type: 'ExternalName', externalName: 'example.com' })
    const taken = { type: 'ClusterIP', externalName: null, ports: [{ port: 6443 }], ...addressed('10.0.0.7') }
    expect(JSON.stringify((await update(named, taken, 'a-user')).spec)).not.toContain('10.0.0.7')
  })

  it('that is the API itself has an address of this cluster', async () => {
    const { spec } = await create('kubernetes', { ports: [{ port: 443 }] })
    expect((spec as { clusterIP?: string }).clusterIP).toMatch(/^10\.96\./)
  })
})
