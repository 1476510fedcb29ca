import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedMetrics } from '../observability/support/documented-metrics.ts'
import { servedMetrics } from '../observability/support/served-metrics.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Cluster, startCluster } from './support/clusters.ts'
import { endpoints, oneAddress, pods, secrets } from './support/objects.ts'
import { soon } from './support/soon.ts'
import { openStage, type Stage, type Tenant } from './support/stage.ts'

const note = 'example.com/note'
const patches = [{ path: `metadata.annotations["${note}"]`, expression: 'value === "bad" ? value.no.thing : value' }]
const persistentVolumeClaims = { enabled: false }
const config = { sync: { toHost: { endpoints: { patches }, secrets: { all: true }, persistentVolumeClaims } } }
const secretText = 'never-shown-anywhere'

describe('the reports of a syncer', () => {
  let virtual: Cluster
  let host: Cluster
  let stage: Stage
  let tenant: Tenant
  let namespace: string
  let statusPort: number

  beforeAll(async () => {
    ;[virtual, host] = await Promise.all([startCluster('embedded'), startCluster('embedded')])
    stage = openStage({ virtual: 'embedded', host: 'embedded' }, { virtual, host })
    statusPort = await freePort()
    namespace = await stage.newNamespace()
    tenant = await stage.newTenant({ config, flags: ['--status-port', String(statusPort), '--log-level', 'debug'] })
    const draft = (name: string, value: string) => ({
      metadata: { namespace, name, annotations: { [note]: value } },
      subsets: oneAddress('10.0.0.1'),
    })
    await virtual.client.create(endpoints, draft('good', 'fine'))
    await virtual.client.create(endpoints, draft('bad', 'bad'))
    const data = { password: Buffer.from(secretText).toString('base64') }
    await virtual.client.create(secrets, { metadata: { namespace, name: 'password' }, data })
    await soon(() => tenant.copy(endpoints, namespace, 'good').then(() => undefined))
    await soon(() => tenant.copy(secrets, namespace, 'password').then(() => undefined))
  })

  afterAll(async () => {
    await stage?.clear()
    await virtual?.remove()
    await host?.remove()
  })

  const status = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${statusPort}${path}`)
    return { code: answer.status, text: await answer.text() }
  }

  it('a Pod that names a claim reports that claims are not synced', async () => {
    const containers = [{ name: 'main', image: 'app:1' }]
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    const spec = { containers, volumes, automountServiceAccountToken: false }
    await soon(() => virtual.client.create(pods, { metadata: { namespace, name: 'web' }, spec }).then(() => undefined))
    const copy = tenant.hostName(namespace, 'data')
    await soon(async () =>
      expect((await stage.warnings(namespace, 'web')).join()).toMatch(
        new RegExp(`ReferenceNotSynced: .*PersistentVolumeClaim data, .*${copy}`),
      ),
    )
  })

  it('/debug/sync lists each object with its state, its error, and its last write', async () => {
    await soon(async () => {
      const { kinds } = JSON.parse((await status('/debug/sync')).text)
      const { objects } = kinds.find(({ kind }: { kind: string }) => kind === 'endpoints')
      const named = (name: string) => objects.find((each: { name: string }) => each.name === `${namespace}/${name}`)
      expect(named('good')).toMatchObject({ state: 'in-step', lastWrite: { side: 'host', verb: 'create' } })
      expect(named('bad')).toMatchObject({
        state: 'failing',
        reason: expect.any(String),
        message: expect.stringContaining(note),
      })
    })
  })

  it('/debug/sync shows how each kind is served', async () => {
    const { kinds } = JSON.parse((await status('/debug/sync')).text)
    const served = kinds.map(({ kind, group, version, resource }: Record<string, string>) => [
      kind,
      `${group}/${version}/${resource}`,
    ])
    expect(Object.fromEntries(served)).toMatchObject({ endpoints: '/v1/endpoints', configMaps: '/v1/configmaps' })
  })

  it('metrics count objects, writes, errors and the effect of each patch', async () => {
    await soon(async () => {
      const { text } = await status('/metrics')
      const value = (line: string) =>
        Number(new RegExp(`^${line.replaceAll(/[{}[\]."+*?()|^$\\]/g, '\\$&')} (\\d+)`, 'm').exec(text)?.[1])
      expect(value('tenant_sync_objects{kind="endpoints",state="in-step"}')).toBeGreaterThan(0)
      expect(value('tenant_sync_objects{kind="endpoints",state="failing"}')).toBe(1)
      expect(value('tenant_sync_writes_total{kind="endpoints",side="host",verb="create"}')).toBeGreaterThan(0)
      expect(text).toMatch(/tenant_sync_errors_total\{kind="endpoints",reason="\w+"\} [1-9]/)
      expect(text).toMatch(/tenant_patch_results_total\{kind="endpoints",patch=".*note.*",result="failed"\} [1-9]/)
      expect(text).toMatch(/tenant_patch_results_total\{kind="endpoints",patch=".*note.*",result="matched"\} [1-9]/)
    })
  })

  it('metrics are those of docs/metrics.md, with their labels', async () => {
    // It has no link, and the policy has refused nothing.
    const documented = documentedMetrics('tenant').filter(({ name }) => name !== 'tenant_link_up')
    const labeled = documented.map((metric) =>
      metric.name === 'tenant_sync_refused_total'
        ? { ...metric, labels: [], hasSamples: false }
        : { ...metric, hasSamples: true },
    )
    const byName = (left: { name: string }, right: { name: string }) => left.name.localeCompare(right.name)
    await soon(async () => {
      const served = servedMetrics((await status('/metrics')).text)
      expect([...served].sort(byName)).toEqual(labeled.sort(byName))
    })
  })

  it('an Event reports an error once, however often it is retried', async () => {
    await soon(async () => expect((await stage.warnings(namespace, 'bad')).length).toBe(1))
  })

  it('it is live and ready', async () => {
    expect([(await status('/livez')).code, (await status('/readyz')).code]).toEqual([200, 200])
  })

  it('no value of a Secret is in its log, in its metrics or in its state', async () => {
    const shown = [tenant.syncer.output(), (await status('/metrics')).text, (await status('/debug/sync')).text].join(
      '\n',
    )
    expect(shown).not.toContain(secretText)
    expect(shown).not.toContain(Buffer.from(secretText).toString('base64'))
  })
})
