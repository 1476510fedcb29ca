import { expect, it } from 'vitest'
import { isFree } from './record.ts'

const longestMs = 150_000

it.each([
  ['has no holder', {}, 0, true],
  ['was renewed lately', { holderIdentity: 'a', leaseDurationSeconds: 15 }, 14_999, false],
  ['was not renewed in time', { holderIdentity: 'a', leaseDurationSeconds: 15 }, 15_000, true],
  ['is said to last for ever', { holderIdentity: 'a', leaseDurationSeconds: 2_147_483_647 }, longestMs, true],
])('a lease that %s', (_, spec, elapsedMs, expected) => {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {}, spec }
  expect(isFree(lease, { resourceVersion: '1', atMs: 0 }, elapsedMs, longestMs)).toBe(expected)
})
