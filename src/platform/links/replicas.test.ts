import { expect, it } from 'vitest'
import { lease } from '../../api/core/lease.ts'
import type { KubeObject } from '../../api/object.ts'
import { StoredDocument, toStoredBytes } from '../../registry/document.ts'
import { replicaLease } from './replica-lease.ts'
import { Replicas } from './replicas.ts'

const address = { url: 'https://other:8443', fingerprint: 'AB' }

function stored(object: KubeObject): StoredDocument {
  const { namespace = '', name = '' } = object.metadata
  return new StoredDocument(lease, { namespace, name }, toStoredBytes(lease, object, undefined), 7)
}

function known() {
  let nowMs = 0
  let setByMs = 0
  const replicas = new Replicas({
    ownName: 'own',
    leases: () => {
      throw new Error('nothing is written here')
    },
    clock: { now: () => nowMs + setByMs },
    elapsed: { now: () => nowMs },
    report: () => {},
  })
  const heard = (isLeaving: boolean) => replicas.put(stored(replicaLease('other', { ...address, isLeaving }, nowMs)))
  return { replicas, heard, later: (ms: number) => (nowMs += ms), setClock: (ms: number) => (setByMs += ms) }
}

it('tenants can link to another known replica', () => {
  const { replicas, heard } = known()
  expect(replicas.hasOthers()).toBe(false)
  heard(false)
  expect(replicas.hasOthers()).toBe(true)
})

it('but not to one that is stopping, which still gets requests for its links', () => {
  const { replicas, heard } = known()
  heard(true)
  expect(replicas.hasOthers()).toBe(false)
  expect(replicas.addressOf('other')).toEqual(address)
})

it('nor to one that missed its last renewals, before it counts as gone', () => {
  const { replicas, heard, later } = known()
  heard(false)
  later(9_999)
  expect(replicas.hasOthers()).toBe(true)
  later(1)
  expect(replicas.hasOthers()).toBe(false)
  expect(replicas.isLive('other')).toBe(true)
})

const hourMs = 3_600_000

it.each([
  ['forward', hourMs],
  ['back', -hourMs],
])('a clock that is set %s neither ends a replica that lives nor revives one that is gone', (_, byMs) => {
  const { replicas, heard, later, setClock } = known()
  heard(false)
  setClock(byMs)
  expect(replicas.isLive('other')).toBe(true)
  later(15_000)
  expect(replicas.isLive('other')).toBe(false)
})
