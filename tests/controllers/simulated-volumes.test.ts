import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Event, PersistentVolume, PersistentVolumeClaim } from '../../src/api/types/core-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers/controllers.ts'
import { SimulatedVolumes } from '../../src/controllers/simulated-node/simulated-volumes.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

const place = 'a'
let world: TestRegistry
let running: readonly Controller[]
const failures: unknown[] = []

beforeEach(async () => {
  failures.length = 0
  world = await startRegistry(builtinKinds())
  await create('namespaces', namespaceNamed(place))
  start()
})

afterEach(async () => {
  await stop()
  await world.stop()
  expect(failures).toEqual([])
})

function start(): void {
  const kinds = workloadKinds(world.registry)
  const report = (_: string, __: string, error: unknown) => failures.push(error)
  const mayWrite = () => true
  running = [
    startWorkloads(kinds, { report, mayWrite, nodes: 'own', acts: 'alone' }),
    new SimulatedVolumes({ ...kinds, report, mayWrite }),
  ]
}

async function stop(): Promise<void> {
  await Promise.all(running.map((controller) => controller.stop()))
}

function create(plural: string, object: KubeObject) {
  return world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
}

function createClaim(spec: object) {
  const resources = { requests: { storage: '1Gi' } }
  return create('persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: place },
    spec: { accessModes: ['ReadWriteOnce'], resources, ...spec },
  })
}

const contextOf = (kind: string) => workloadKinds(world.registry)[kind as 'claims']
const claimNow = () =>
  contextOf('claims').cache.get({ namespace: place, name: 'data' })?.object as PersistentVolumeClaim | undefined
const volumesNow = () =>
  [...contextOf('volumes').cache.snapshot().values()].map(({ object }) => object as PersistentVolume)
const told = () => documentsIn(contextOf('events'), place).map(({ object }) => (object as Event).reason)
const classThere = () =>
  eventually(() => expect(contextOf('storageClasses').cache.get({ namespace: '', name: 'simulated' })).toBeDefined())

it('a claim of its class gets a volume, which is deleted with it', async () => {
  await classThere()
  await createClaim({ storageClassName: 'simulated' })
  await eventually(() => expect(claimNow()).toMatchObject({ status: { phase: 'Bound', capacity: { storage: '1Gi' } } }))
  const uid = claimNow()?.metadata.uid
  expect(volumesNow()).toMatchObject([
    {
      metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': 'simulated.tenant.internal' } },
      spec: {
        claimRef: { namespace: place, name: 'data', uid },
        storageClassName: 'simulated',
        persistentVolumeReclaimPolicy: 'Delete',
        accessModes: ['ReadWriteOnce'],
      },
      status: { phase: 'Bound' },
    },
  ])
  await eventually(() => expect(told()).toContain('ProvisioningSucceeded'))
  await world
    .resource('persistentvolumeclaims')
    .delete({ namespace: place, name: 'data' }, { dryRun: false }, writeRequest())
  await eventually(() => expect(volumesNow()).toEqual([]))
})

it('claims from before the start get volumes', async () => {
  await classThere()
  await stop()
  await createClaim({ storageClassName: 'simulated' })
  start()
  await eventually(() => expect(claimNow()?.status.phase).toBe('Bound'))
})

it('claims without a class get the default class as soon as one exists', async () => {
  await classThere()
  await stop()
  const simulated = { namespace: '', name: 'simulated' }
  await world.resource('storageclasses').delete(simulated, { dryRun: false }, writeRequest())
  await createClaim({})
  expect(claimNow()?.spec.storageClassName).toBeUndefined()
  start()
  await eventually(() => expect(claimNow()?.status.phase).toBe('Bound'))
  expect(claimNow()?.spec.storageClassName).toBe('simulated')
})

it('claims get volumes when their class is created later', async () => {
  await classThere()
  await createClaim({ storageClassName: 'later' })
  await eventually(() => expect(told()).toEqual(['ProvisioningFailed']))
  await create('storageclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'later' },
    provisioner: 'simulated.tenant.internal',
  })
  await eventually(() => expect(claimNow()?.status.phase).toBe('Bound'))
})

it('its class is the default, and one changed by a user is kept', async () => {
  await classThere()
  const patch = { type: 'merge', body: bodyOf({ metadata: { annotations: null } }) } as const
  await world.resource('storageclasses').patch({ namespace: '', name: 'simulated' }, patch, writeRequest())
  await stop()
  start()
  await createClaim({ storageClassName: 'simulated' })
  await eventually(() => expect(claimNow()?.status.phase).toBe('Bound'))
  const found = contextOf('storageClasses').cache.get({ namespace: '', name: 'simulated' })?.object
  expect(found?.metadata.annotations).toBeUndefined()
})

it.each([
  [{ storageClassName: '' }, 'FailedBinding'],
  [{ storageClassName: 'none' }, 'ProvisioningFailed'],
])('a claim as %j stays pending with the reason', async (spec, reason) => {
  await classThere()
  await createClaim(spec)
  await eventually(() => expect(told()).toEqual([reason]))
  expect(volumesNow()).toEqual([])
})
