import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Reference } from '../../contract.ts'
import { configMapsSync } from '../../kinds/config-maps.ts'
import { persistentVolumeClaimsSync } from '../../kinds/persistent-volume-claims.ts'
import { holdersOf } from './holders.ts'

const mappedBy = (byName: Record<string, string>) => ({
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName } } } },
})
const shared = mappedBy({ shop: 'shared' })
const name = { namespace: 'shop', name: 'data' }
const pod: Reference = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' }

function claim(uid: string, more = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { ...name, uid, ...more } }
}

const copy: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'shared', name: 'data', annotations: { 'tenant.internal/object-uid': 'u1' } },
}

function holders(virtual: KubeObject | undefined, config: object = shared, kind = persistentVolumeClaimsSync) {
  const others = {
    holdersOf: (place: object) => (JSON.stringify(place) === '{"namespace":"shared","name":"data"}' ? [pod] : []),
  }
  const pair = virtual === undefined ? { virtual, copy } : { virtual, copy }
  return holdersOf(name, pair, rulesFor(kind, 'PersistentVolumeClaim', config), others)
}

describe('the copy of a claim is held by copies of Pods', () => {
  it.each([
    ['while its claim exists', claim('u1')],
    ['while its claim is deleted', undefined],
    ['while its claim is being deleted', claim('u1', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['while its claim is a new one', claim('u2')],
  ])('%s', (_, virtual) => {
    expect(holders(virtual)).toEqual([pod])
  })

  it('but by none in a namespace of a single tenant, and no other kind is held', () => {
    expect(holders(undefined, {})).toEqual([])
    expect(holders(undefined, mappedBy({ '*': 'shared' }))).toEqual([])
    expect(holders(undefined, shared, configMapsSync)).toEqual([])
  })
})
