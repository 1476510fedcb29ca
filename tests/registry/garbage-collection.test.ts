import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { conflict } from '../../src/api/error.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { DeletionPolicy, Resource } from '../../src/registry/contract.ts'
import { foreignOwnerText, type ReportForeignOwner } from '../../src/registry/controllers/foreign-owners.ts'
import { GarbageCollector } from '../../src/registry/controllers/garbage-collector.ts'
import { NamespaceTerminator } from '../../src/registry/controllers/namespace-terminator.ts'
import { eventually } from '../support/eventually.ts'
import {
  bodyOf,
  configMap,
  namespaceNamed,
  startRegistry,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

let world: TestRegistry
let configMaps: Resource
let collector: GarbageCollector
const failures: unknown[] = []
/** Reported owners in other namespaces. */
const foreign: string[] = []
/** Called between the check of an object and its deletion. */
let beforeDeletion = async (_object: KubeObject): Promise<void> => {}

beforeEach(async () => {
  beforeDeletion = async () => {}
  world = await startRegistry(coreKinds(), {
    hooks: ({ kind }) => (kind === 'ConfigMap' ? { admitDelete: (object) => beforeDeletion(object) } : {}),
  })
  configMaps = world.resource('configmaps')
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
  failures.length = 0
  foreign.length = 0
  const tell: ReportForeignOwner = (_, document, reference) => foreign.push(foreignOwnerText(document, reference))
  collector = new GarbageCollector(world.registry, (_, __, error) => failures.push(error), tell)
})

afterEach(async () => {
  await collector.stop()
  await world.stop()
  expect(failures).toEqual([])
})

async function create(name: string, metadata: object = {}): Promise<KubeObject> {
  const body = bodyOf(configMap(name, {}, metadata))
  return (await configMaps.create({ namespace: 'default' }, body, writeRequest())).document.object
}

async function createElsewhere(name: string, metadata: object): Promise<KubeObject> {
  const namespaces = world.resource('namespaces')
  await namespaces.create({ namespace: '' }, bodyOf(namespaceNamed('elsewhere')), writeRequest())
  const body = bodyOf(configMap(name, {}, { ...metadata, namespace: 'elsewhere' }))
  return (await configMaps.create({ namespace: 'elsewhere' }, body, writeRequest())).document.object
}

function ownedBy(...owners: readonly KubeObject[]): object {
  return {
    ownerReferences: owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata.name,
      uid: metadata.uid,
      blockOwnerDeletion: true,
    })),
  }
}

/** Names another kind, which is not served, so that nothing notices that it is absent. */
function misnaming({ metadata: { name, uid } }: KubeObject): object {
  return { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Nothing', name, uid, blockOwnerDeletion: true }] }
}

const remove = (name: string, propagationPolicy?: DeletionPolicy['propagationPolicy']) =>
  configMaps.delete(
    { namespace: 'default', name },
    { dryRun: false, ...(propagationPolicy === undefined ? {} : { propagationPolicy }) },
    writeRequest(),
  )

const find = (name: string): KubeObject | undefined =>
  world.registry.engine.find('', 'ConfigMap')?.cache.get({ namespace: 'default', name })?.object

const findElsewhere = (name: string): KubeObject | undefined =>
  world.registry.engine.find('', 'ConfigMap')?.cache.get({ namespace: 'elsewhere', name })?.object

describe('garbage collection', () => {
  it('reports an owner in another namespace, but no deleted one', async () => {
    const owner = await create('owner')
    await createElsewhere('child', ownedBy(owner))
    await eventually(() => expect(findElsewhere('child')).toBeUndefined())
    const { uid } = owner.metadata
    const text = `ownerRef [v1/ConfigMap, namespace: elsewhere, name: owner, uid: ${uid}] does not exist in namespace "elsewhere"`
    expect(foreign).toEqual([text])
    await create('near', ownedBy(owner))
    await remove('owner', 'Background')
    await eventually(() => expect(find('near')).toBeUndefined())
    expect(foreign).toEqual([text])
  })

  it('deletes dependents, and theirs, after their owner in the background', async () => {
    const owner = await create('owner')
    const child = await create('child', ownedBy(owner))
    await create('grandchild', ownedBy(child))
    await remove('owner', 'Background')
    expect(find('owner')).toBeUndefined()
    await eventually(() => expect([find('child'), find('grandchild')]).toEqual([undefined, undefined]))
  })

  it('deletes an object that changes while it is being deleted', async () => {
    const owner = await create('owner')
    await create('child', ownedBy(owner))
    let changes = 0
    beforeDeletion = async ({ metadata: { name = '' } }) => {
      if (name !== 'child' || changes > 0) return
      changes++
      const body = bodyOf({ data: { changed: 'yes' } })
      await configMaps.patch({ namespace: 'default', name }, { type: 'merge', body }, writeRequest())
    }
    await remove('owner', 'Background')
    await eventually(() => expect(find('child')).toBeUndefined())
    expect(changes).toBe(1)
  })

  it('backs off if every deletion is a conflict, and reports it', async () => {
    const owner = await create('owner')
    await create('child', ownedBy(owner))
    let asked = 0
    beforeDeletion = async ({ metadata: { name = '' } }) => {
      if (name !== 'child') return
      asked++
      throw conflict({ plural: 'configmaps', group: '' }, name, 'not now')
    }
    await remove('owner', 'Background')
    await eventually(() => expect(failures.length).toBeGreaterThan(0))
    expect(asked).toBeLessThan(20)
    beforeDeletion = async () => {}
    await eventually(() => expect(find('child')).toBeUndefined())
    expect(failures.splice(0)).toContainEqual(expect.objectContaining({ message: expect.stringContaining('not now') }))
  })

  it('deletes an object whose owner never existed', async () => {
    await create('child', ownedBy({ ...configMap('ghost'), metadata: { name: 'ghost', uid: 'nobody' } }))
    await eventually(() => expect(find('child')).toBeUndefined())
  })

  it('deletes an object whose owner was replaced by another of the same name', async () => {
    const owner = await create('owner')
    await create('child', ownedBy(owner))
    await remove('owner', 'Orphan')
    await eventually(() => expect(find('owner')).toBeUndefined())
    await create('owner')
    await create('late', ownedBy(owner))
    await eventually(() => expect(find('late')).toBeUndefined())
    expect(find('child')).toBeDefined()
  })

  it('keeps an object while one owner exists, and removes the reference to the lost one', async () => {
    const [one, two] = [await create('one'), await create('two')]
    await create('child', ownedBy(one, two))
    await remove('one', 'Background')
    await eventually(() => expect(find('child')?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['two']))
    await remove('two', 'Background')
    await eventually(() => expect(find('child')).toBeUndefined())
  })

  it('in the foreground removes the owner last', async () => {
    const owner = await create('owner')
    await create('child', { ...ownedBy(owner), finalizers: ['example.com/hold'] })
    await remove('owner', 'Foreground')
    await eventually(() => expect(find('child')?.metadata.deletionTimestamp).toBeDefined())
    expect(find('owner')?.metadata.finalizers).toEqual(['foregroundDeletion'])
    const body = bodyOf({ metadata: { finalizers: null } })
    await configMaps.patch({ namespace: 'default', name: 'child' }, { type: 'merge', body }, writeRequest())
    await eventually(() => expect([find('child'), find('owner')]).toEqual([undefined, undefined]))
  })

  it('orphans dependents on request', async () => {
    const owner = await create('owner')
    await create('child', ownedBy(owner))
    await remove('owner', 'Orphan')
    await eventually(() => expect(find('owner')).toBeUndefined())
    expect(find('child')?.metadata.ownerReferences).toBeUndefined()
  })

  it('does not wait for an object of another namespace that names the owner', async () => {
    const owner = await create('owner')
    await createElsewhere('foreign', { ...misnaming(owner), finalizers: ['example.com/hold'] })
    await remove('owner', 'Foreground')
    await eventually(() => expect(find('owner')).toBeUndefined())
    expect(findElsewhere('foreign')?.metadata.deletionTimestamp).toBeUndefined()
  })

  it('orphans no object of another namespace', async () => {
    const owner = await create('owner')
    const { metadata } = await createElsewhere('foreign', misnaming(owner))
    await create('child', ownedBy(owner))
    await remove('owner', 'Orphan')
    await eventually(() => expect(find('owner')).toBeUndefined())
    expect(find('child')?.metadata.ownerReferences).toBeUndefined()
    expect(findElsewhere('foreign')?.metadata).toEqual(metadata)
  })

  it('does not wait for an object that names the uid of an owner with another kind and no namespace', async () => {
    const clusterRoles = world.resource('clusterroles')
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'owner' } }
    const created = await clusterRoles.create({ namespace: '' }, bodyOf({ ...role, rules: [] }), writeRequest())
    await create('child', { ...misnaming(created.document.object), finalizers: ['example.com/hold'] })
    const options = { dryRun: false, propagationPolicy: 'Foreground' } as const
    await clusterRoles.delete({ namespace: '', name: 'owner' }, options, writeRequest())
    const { cache } = world.registry.engine.find('rbac.authorization.k8s.io', 'ClusterRole') ?? {}
    await eventually(() => expect(cache?.size).toBe(0))
  })

  it('survives two objects that own each other', async () => {
    const one = await create('one')
    const two = await create('two', ownedBy(one))
    const body = bodyOf({ metadata: ownedBy(two) })
    await configMaps.patch({ namespace: 'default', name: 'one' }, { type: 'merge', body }, writeRequest())
    await remove('one', 'Background')
    await eventually(() => expect([find('one'), find('two')]).toEqual([undefined, undefined]))
  })
})

describe('a namespace that is deleted', () => {
  it('is emptied and then deleted, and says what delays it meanwhile', async () => {
    const namespaces = world.resource('namespaces')
    const context = world.registry.engine.find('', 'Namespace')
    if (context === undefined) throw new Error('namespaces are not served')
    const terminator = new NamespaceTerminator(world.registry, context, (_, __, error) => failures.push(error))
    await namespaces.create({ namespace: '' }, bodyOf(namespaceNamed('doomed')), writeRequest())
    for (const name of ['a', 'b']) {
      const held = name === 'b' ? { finalizers: ['example.com/hold'] } : {}
      const body = bodyOf(configMap(name, {}, { namespace: 'doomed', ...held }))
      await configMaps.create({ namespace: 'doomed' }, body, writeRequest())
    }
    await namespaces.delete({ namespace: '', name: 'doomed' }, { dryRun: false }, writeRequest())
    const doomed = () => context.cache.get({ namespace: '', name: 'doomed' })?.object
    await eventually(() =>
      expect(JSON.stringify(doomed()?.status)).toContain('example.com/hold in 1 resource instances'),
    )
    expect(doomed()?.status).toMatchObject({ phase: 'Terminating' })
    const body = bodyOf({ metadata: { finalizers: null } })
    await configMaps.patch({ namespace: 'doomed', name: 'b' }, { type: 'merge', body }, writeRequest())
    await eventually(() => expect(doomed()).toBeUndefined())
    await terminator.stop()
  })
})
