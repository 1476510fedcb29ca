import { describe, expect, it } from 'vitest'
import { changed, copyOf, planned, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pair } from '../contract.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { persistentVolumeClaimsSync } from '../kinds/persistent-volume-claims.ts'
import { copyProtection } from '../names/markers.ts'

const rules = rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim')
const whereNamesStay = rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim', {
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { default: 'shared' } } } } },
})
const ending = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const usual = 'kubernetes.io/pvc-protection'

const claim: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', uid: 'u1', resourceVersion: '5', finalizers: [usual] },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const kept = changed(claim, { finalizers: [usual, copyProtection] })
const copy = await copyOf(kept, rules)

const keep = { action: 'update', virtual: { body: { metadata: { finalizers: [usual, copyProtection] } } } }

interface Row {
  readonly title: string
  readonly pair: Pair
  readonly plan: object
}

const rows: readonly Row[] = [
  { title: 'is protected before it is copied', pair: { virtual: claim, copy: undefined }, plan: keep },
  { title: 'is copied then', pair: { virtual: kept, copy: undefined }, plan: { action: 'create' } },
  { title: 'that a version before has copied is protected', pair: { virtual: claim, copy }, plan: keep },
  {
    title: 'that is deleted loses its copy first',
    pair: { virtual: changed(kept, ending), copy },
    plan: { action: 'delete' },
  },
  {
    title: 'waits for the end of a copy that is held',
    pair: { virtual: changed(kept, ending), copy: changed(copy, { ...ending, finalizers: [usual] }) },
    plan: { action: 'wait', trouble: { reason: 'CopyBeingDeleted' } },
  },
  {
    title: 'is released once its copy is gone',
    pair: { virtual: changed(kept, ending), copy: undefined },
    plan: { action: 'release' },
  },
  {
    title: 'that others still hold is left alone then',
    pair: { virtual: changed(claim, ending), copy: undefined },
    plan: { action: 'leave out' },
  },
]

describe('a claim, which Pods of the host may hold', () => {
  it.each(rows)('$title', async ({ pair, plan }) => {
    expect(await planned(pair, rules)).toMatchObject(plan)
  })

  it('is not protected if names are kept, since its copy passes to the next claim', async () => {
    expect(await planned({ virtual: claim, copy: undefined }, whereNamesStay)).toMatchObject({ action: 'create' })
  })

  it('is released if it was protected before', async () => {
    const virtual = changed(kept, ending)
    expect(await planned({ virtual, copy: undefined }, whereNamesStay)).toMatchObject({ action: 'release' })
  })
})

it('kinds that nothing on the host holds are not protected', async () => {
  const virtual = { ...claim, kind: 'ConfigMap', data: {} }
  const plan = await planned({ virtual, copy: undefined }, rulesFor(configMapsSync, 'ConfigMap'))
  expect(plan).toMatchObject({ action: 'create' })
})
