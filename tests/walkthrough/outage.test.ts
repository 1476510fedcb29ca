import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type RunningTenant, type Stage, setStage } from './support/stage.ts'
import { watchLinks } from './support/watch-links.ts'
import { type Writer, writeEndpoints } from './support/write-endpoints.ts'

/** Set OUTAGE_SECONDS=60 for a minute. By default it lasts until each virtual cluster has synced something. */
const outageMs = Number(process.env.OUTAGE_SECONDS ?? 0) * 1_000
const fewest = 20
const patienceMs = 240_000
const shared = 'external: {platform: {apiKey: {namespace: tenant-platform}}}\n'

describe('the platform is stopped for a while under load', () => {
  let stage: Stage
  let tenants: readonly RunningTenant[]
  let writers: readonly Writer[]

  beforeAll(async () => {
    stage = await setStage('embedded')
    const { url, token, authority } = stage.platform
    await stage.tenant(['platform', 'login', url, '--ca', stage.authorityFile, '--access-key-stdin'], token)
    const accessKey = await stage.tenant(['platform', 'keys', 'create', 'shared', '--role', 'tenant:*', '--quiet'])
    for (const name of ['tenant-platform', 'team-red', 'team-blue']) await stage.host.client.ensureNamespace(name)
    await stage.kubectl('create -f -', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'tenant-platform-api-key', namespace: 'tenant-platform' },
      stringData: { accessKey: accessKey.trim(), host: url, certificateAuthorityData: authority },
    })
    tenants = [stage.startTenant('red', 'team-red', shared), stage.startTenant('blue', 'team-blue', shared)]
    await linked()
    writers = tenants.map((tenant) => writeEndpoints(stage.accessTo(tenant)))
  })
  afterAll(async () => {
    await Promise.all((writers ?? []).map((writer) => writer.end()))
    await stage?.remove()
  })

  const linked = () =>
    eventually(async () => {
      expect(await Promise.all(tenants.map(({ name }) => stage.through(name)))).toEqual([200, 200])
    }, patienceMs)

  /** The names of the virtual objects that have copies on the host. */
  async function onHost({ hostNamespace }: RunningTenant): Promise<readonly string[]> {
    const { items } = JSON.parse(await stage.kubectl(`get endpoints -n ${hostNamespace} -o json`))
    return items
      .map((item: { metadata: { annotations: Record<string, string> } }) => item.metadata.annotations)
      .map((annotations: Record<string, string>) => annotations['tenant.internal/object-name'])
  }

  it('and virtual clusters continue to sync without it', async () => {
    await stage.stopPlatform()
    const before = writers.map(({ written }) => written.length)
    await delay(outageMs)
    for (const [index, tenant] of tenants.entries()) {
      const writtenSince = () => writers[index]?.written.slice(before[index]) ?? []
      await eventually(() => expect(writtenSince().length).toBeGreaterThanOrEqual(fewest), patienceMs)
      const meanwhile = writtenSince()
      await eventually(async () => expect(await onHost(tenant)).toEqual(expect.arrayContaining(meanwhile)), patienceMs)
    }
  })

  it('and the links return on their own, and stay', async () => {
    await stage.startPlatform()
    await linked()
    const links = watchLinks(stage, ['red', 'blue'])
    await delay(500)
    expect(await links.end()).toEqual([])
  })

  it('and nothing is lost or duplicated', async () => {
    for (const [index, tenant] of tenants.entries()) {
      await writers[index]?.end()
      const written = [...(writers[index]?.written ?? [])].sort()
      await eventually(async () => expect([...(await onHost(tenant))].sort()).toEqual(written), patienceMs)
    }
  })
})
