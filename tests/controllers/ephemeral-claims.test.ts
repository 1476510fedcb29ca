import { expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { PersistentVolumeClaim, Pod } from '../../src/api/types/core-v1.ts'
import { eventually } from '../support/eventually.ts'
import { writeRequest } from '../support/registry.ts'
import { place, shell, template, useWorkloads } from './workload-world.ts'

const w = useWorkloads()
const { create, merge, messages, names, contextOf } = w

const requested = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const volumeClaimTemplate = { metadata: { labels: { kept: 'scratch' } }, spec: requested }
const scratch = { name: 'scratch', ephemeral: { volumeClaimTemplate } }

const podNow = (name: string) => contextOf('', 'Pod').cache.get({ namespace: place, name })?.object as Pod
const claimNow = (name: string) =>
  contextOf('', 'PersistentVolumeClaim').cache.get({ namespace: place, name })?.object as
    | PersistentVolumeClaim
    | undefined

async function createPod(name: string, nodeName?: string, metadata: Partial<KubeObject['metadata']> = {}) {
  const spec = { ...template.spec, volumes: [scratch], ...(nodeName && { nodeName }) }
  await create('pods', { ...shell('v1', 'Pod'), metadata: { name, namespace: place, ...metadata }, spec })
}

async function createClaim(name: string): Promise<void> {
  const metadata = { name, namespace: place }
  await create('persistentvolumeclaims', { ...shell('v1', 'PersistentVolumeClaim'), metadata, spec: requested })
}

async function deleteNow(plural: string, name: string): Promise<void> {
  const options = { gracePeriodSeconds: 0, dryRun: false }
  await w.world.resource(plural).delete({ namespace: place, name }, options, writeRequest())
}

it('an ephemeral volume gets a claim that its Pod owns', async () => {
  await createPod('web')
  await eventually(() => expect(claimNow('web-scratch')).toBeDefined())
  const { uid } = podNow('web').metadata
  expect(claimNow('web-scratch')).toMatchObject({
    metadata: {
      labels: { kept: 'scratch' },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name: 'web', uid, controller: true, blockOwnerDeletion: true },
      ],
      managedFields: [{ manager: 'kube-controller-manager' }],
    },
    spec: requested,
  })
})

it('a foreign claim is left alone, and the Pod gets its own when that one is deleted', async () => {
  await createClaim('web-scratch')
  await createPod('web')
  const why = `PVC ${place}/web-scratch was not created for pod ${place}/web (pod is not owner)`
  await eventually(() => expect(messages('FailedBinding')).toContain(`ephemeral volume scratch: ${why}`))
  expect(claimNow('web-scratch')?.metadata.ownerReferences).toBeUndefined()
  await deleteNow('persistentvolumeclaims', 'web-scratch')
  await eventually(() =>
    expect(claimNow('web-scratch')?.metadata.ownerReferences).toMatchObject([{ uid: podNow('web').metadata.uid }]),
  )
})

it('a missing claim is created again', async () => {
  await createPod('web')
  await eventually(() => expect(claimNow('web-scratch')).toBeDefined())
  const first = claimNow('web-scratch')?.metadata.uid
  await deleteNow('persistentvolumeclaims', 'web-scratch')
  await eventually(() => {
    expect(claimNow('web-scratch')).toBeDefined()
    expect(claimNow('web-scratch')?.metadata.uid).not.toBe(first)
  })
})

it('a claim is protected while its Pod runs, but not after the Pod has finished', async () => {
  await createPod('web', 'n1', { finalizers: ['example.com/look-first'] })
  await eventually(() => expect(claimNow('web-scratch')?.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']))
  await deleteNow('persistentvolumeclaims', 'web-scratch')
  await merge('pods', 'web', { metadata: { labels: { looked: 'again' } } })
  expect(claimNow('web-scratch')?.metadata.deletionTimestamp).toBeDefined()
  await deleteNow('pods', 'web')
  await eventually(() => expect(names('', 'PersistentVolumeClaim')).toEqual([]))
  expect(names('', 'Pod')).toEqual(['web'])
})

it('a Pod that is being deleted gets no claim', async () => {
  w.rules.leads = false
  await createPod('web', undefined, { finalizers: ['example.com/look-first'] })
  await deleteNow('pods', 'web')
  w.rules.leads = true
  await createPod('other')
  await eventually(() => expect(names('', 'PersistentVolumeClaim')).toEqual(['other-scratch']))
})
