import { describe, expect, it } from 'vitest'
import { changed, copyOf, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { persistentVolumeClaimsSync } from '../kinds/persistent-volume-claims.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { planObject } from './plan.ts'

/** Names that are kept on the host, and what they could refer to once they are free. */

const rules = rulesFor(secretsSync, 'Secret')
const named = { isWanted: true, isStillNamed: true }
const unnamed = { isWanted: true }

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'spoils', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
  type: 'Opaque',
  data: { a: 'MQ==' },
}

describe('the copy of a Secret that a Pod names', () => {
  const forged = changed(secret, {
    labels: { 'tenant.internal/imported': 'reference' },
    annotations: { 'tenant.internal/imported-as': 'shop/spoils' },
  })

  it.each<[string, KubeObject | undefined]>([
    ['is gone', undefined],
    ['is being deleted', changed(secret, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['passes for an import', forged],
    ['has another type', changed(secret, {}, { type: 'example.com/other' })],
  ])('stays when the virtual one %s', async (_how, virtual) => {
    const copy = await copyOf(secret, rules)
    const pair = virtual === undefined ? { virtual, copy } : { virtual, copy }
    expect((await planObject(pair, rules, named)).plan).toMatchObject({
      action: 'wait',
      trouble: { reason: 'StillNamed' },
    })
    expect((await planObject(pair, rules, unnamed)).plan).toMatchObject({ action: 'delete' })
  })

  it('passes to a Secret that is created again', async () => {
    const copy = await copyOf(secret, rules)
    const anew = changed(secret, { uid: 'u2' }, { data: { a: 'Mg==' } })
    expect((await planObject({ virtual: anew, copy }, rules, named)).plan).toMatchObject({
      action: 'update',
      host: { data: { a: 'Mg==' }, metadata: { uid: 'h1', annotations: { 'tenant.internal/object-uid': 'u2' } } },
    })
    expect((await planObject({ virtual: anew, copy }, rules, unnamed)).plan).toMatchObject({ action: 'delete' })
  })
})

describe('the copy of a claim that a copy of a Pod holds', () => {
  const byClaim = rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim', {
    sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { shop: 'shared' } } } } },
  })
  const claim: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: { accessModes: ['ReadWriteOnce'] },
  }
  const marked = {
    labels: { 'tenant.internal/imported': 'reference' },
    annotations: { 'tenant.internal/imported-as': 'shop/data' },
  }

  it.each<[string, KubeObject | undefined]>([
    ['is gone', undefined],
    ['is being deleted', changed(claim, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['passes for an import', changed(claim, marked)],
    ['was created again, with other data', changed(claim, { uid: 'u2' })],
  ])('stays as it is when the virtual one %s', async (_how, virtual) => {
    const copy = await copyOf(claim, byClaim)
    const pair = virtual === undefined ? { virtual, copy } : { virtual, copy }
    const { plan } = await planObject(pair, byClaim, { isWanted: true, isStillHeld: true })
    expect(plan).toMatchObject({ action: 'wait', trouble: { reason: 'StillNamed' } })
    expect((await planObject(pair, byClaim, unnamed)).plan).toMatchObject({ action: 'delete' })
  })

  it('is written as usual while its claim exists', async () => {
    const copy = await copyOf(claim, byClaim)
    const virtual = changed(
      claim,
      {},
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } } },
    )
    const { plan } = await planObject({ virtual, copy }, byClaim, { isWanted: true, isStillHeld: true })
    expect(plan).toMatchObject({ action: 'update', host: { spec: { resources: { requests: { storage: '2Gi' } } } } })
  })
})

describe('the copy of a Pod that has lost its claim', () => {
  const byPod = rulesFor(podsSync, 'Pod')
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: { containers: [{ name: 'main', image: 'app:1' }] },
    status: {},
  }
  const lost = { isWanted: true, lacksHold: true }

  it('is deleted, and the Pod stays', async () => {
    const copy = await copyOf(pod, byPod)
    expect((await planObject({ virtual: pod, copy }, byPod, lost)).plan).toMatchObject({ action: 'delete' })
    const going = changed(copy, { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 })
    expect((await planObject({ virtual: pod, copy: going }, byPod, lost)).plan).toMatchObject({ action: 'wait' })
    // One that had a node ends its Pod, if it still holds what it needs.
    const placed = changed(going, {}, { spec: { ...(going.spec as object), nodeName: 'a' } })
    expect((await planObject({ virtual: pod, copy: placed }, byPod, lost)).plan).toMatchObject({ action: 'wait' })
    expect((await planObject({ virtual: pod, copy: placed }, byPod, unnamed)).plan).toMatchObject({ action: 'end' })
    expect((await planObject({ virtual: pod, copy: going }, byPod, unnamed)).plan).toMatchObject({ action: 'wait' })
    expect((await planObject({ virtual: pod, copy: undefined }, byPod, unnamed)).plan).toMatchObject({
      action: 'create',
    })
  })
})

describe('the references of a Pod are known until its copy is deleted', () => {
  const byPod = rulesFor(podsSync, 'Pod')
  const containers = [{ name: 'main', image: 'app:1' }]
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: { containers, volumes: [{ name: 'v', secret: { secretName: 'spoils' } }] },
    status: {},
  }
  const references = [expect.objectContaining({ kind: 'Secret', name: 'spoils' })]

  it.each<[string, KubeObject, unknown]>([
    [
      'leaves',
      changed(pod, {}, { status: { conditions: [{ type: 'PodScheduled', status: 'True' }] } }),
      { references },
    ],
    ['is held back', changed(pod, {}, { spec: { ...(pod.spec as object), hostPID: true } }), { references }],
    ['is another one', changed(pod, { uid: 'u2' }, { spec: { containers } }), {}],
  ])('even when the virtual one %s', async (_how, virtual, known) => {
    const copy = await copyOf(pod, byPod)
    const { plan, ...rest } = await planObject({ virtual, copy }, byPod, unnamed)
    expect(plan).toMatchObject({ action: 'delete' })
    expect(rest).toEqual(known)
  })
})
