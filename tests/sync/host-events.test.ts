import { afterAll, beforeAll, expect, it } from 'vitest'
import { events, pods, type Thing } from './support/objects.ts'
import { config, main, metadata } from './support/running-pods.ts'
import { aWhile, soon } from './support/soon.ts'
import { startTenantOnHost, type TenantOnHost } from './support/tenant-on-host.ts'

const reason = 'BackOff'
let tenant: TenantOnHost

beforeAll(async () => {
  tenant = await startTenantOnHost(config)
})

afterAll(() => tenant?.remove())

async function told(): Promise<Thing | undefined> {
  return (await tenant.virtual.list(events, 'default')).find((event) => event.reason === reason)
}

const counted = (count: number) => soon(async () => expect((await told())?.count).toBe(count))

it('an Event of the host is copied with its count, copied again after its deletion, and not written needlessly', async () => {
  await tenant.virtual.create(pods, { metadata: metadata('web'), spec: { containers: [main] } })
  await tenant.runPod('web')
  const { uid } = (await tenant.copy(pods, 'web')).metadata
  const namespace = tenant.hostNamespace
  const name = tenant.hostName('web')
  const at = '2030-01-01T00:00:00Z'
  await tenant.host.create(events, {
    metadata: { namespace, name: 'told' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid },
    reason,
    message: 'Back-off restarting failed container',
    type: 'Warning',
    source: { component: 'kubelet' },
    count: 1,
    firstTimestamp: at,
    lastTimestamp: at,
  })
  await counted(1)
  await tenant.host.patch(events, namespace, 'told', { count: 2 })
  await counted(2)
  await tenant.virtual.delete(events, 'default', (await told())?.metadata.name ?? '')
  await tenant.host.patch(events, namespace, 'told', { count: 3 })
  await counted(3)
  const before = await told()
  await tenant.host.patch(events, namespace, 'told', { metadata: { labels: { a: 'b' } } })
  await aWhile()
  expect(await told()).toEqual(before)
})
