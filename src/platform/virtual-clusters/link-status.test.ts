import { expect, it } from 'vitest'
import { timestamp } from '../../base/clock.ts'
import { withLinkStatus } from './link-status.ts'

const noted = timestamp(1_000_000)
const status = { online: true, lastHeartbeat: noted, link: { replica: 'r1', accessKey: 'key' } }
const instance = { apiVersion: 'v1', kind: 'VirtualClusterInstance', metadata: { name: 'dev' }, status }
const ended = { state: 'offline', reason: 'ConnectionLost', message: 'The connection was lost.' } as const

it('reports for an ended link when its tenant was last heard from', () => {
  const after = withLinkStatus(instance, { ...ended, lastSeenMs: 1_090_000 }, 1_100_000)
  expect(after.status).toMatchObject({ online: false, phase: 'Offline', lastHeartbeat: timestamp(1_090_000) })
})

it('keeps the recorded time if the replica of the link is gone', () => {
  const after = withLinkStatus(instance, { ...ended, reason: 'ReplicaLost' }, 1_100_000)
  expect(after.status).toMatchObject({ online: false, reason: 'ReplicaLost', lastHeartbeat: noted })
})
