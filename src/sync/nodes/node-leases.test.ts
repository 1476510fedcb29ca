import { expect, it } from 'vitest'
import { forbiddenPath, serviceUnavailable, tooManyRequests } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { NodeLeases } from './node-leases.ts'

const { signal } = new AbortController()
const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u1' } }
const group = 'coordination.k8s.io'
const leases = { group, version: 'v1', resource: 'leases', kind: 'Lease', namespaced: true, hasStatus: false }

/** A server that refuses the first Lease. */
function serverWith(refusal: Error) {
  const asked: string[] = []
  const client = {
    served: { find: async () => leases },
    create: async (_: unknown, lease: KubeObject) => {
      asked.push(lease.metadata.name ?? '')
      if (asked.length === 1) throw refusal
      return lease
    },
    get: () => Promise.reject(refusal),
    update: () => Promise.reject(refusal),
  }
  return { asked, kept: new NodeLeases(client) }
}

it.each([
  ['an overload', tooManyRequests('later', 1)],
  ['an outage', serviceUnavailable('later')],
])('a Lease is created after %s', async (_, refusal) => {
  const { asked, kept } = serverWith(refusal)
  await expect(kept.keep(node, signal)).rejects.toBe(refusal)
  await kept.keep(node, signal)
  await kept.keep(node, signal)
  expect(asked).toEqual(['n1', 'n1'])
})

it('a Lease that the server forbids is not tried again', async () => {
  const { asked, kept } = serverWith(forbiddenPath('no'))
  await kept.keep(node, signal)
  await kept.keep(node, signal)
  expect(asked).toEqual(['n1'])
})
