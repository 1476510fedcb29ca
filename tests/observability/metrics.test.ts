import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunMetrics } from '../../src/cli/backup/run-metrics.ts'
import { eventually } from '../support/eventually.ts'
import { documentedMetrics, type MetricServer } from './support/documented-metrics.ts'
import { servedMetrics } from './support/served-metrics.ts'
import { startWorld, type World } from './support/world.ts'

const webhookConfigurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const configMaps = '/api/v1/namespaces/default/configmaps'

/** Nothing has happened that they count: another suite says what their labels are. */
const withoutSamples: Readonly<Record<MetricServer, readonly string[]>> = {
  platform: ['leader_election_master_status', 'nodejs_active_requests'],
  'virtual cluster': [
    ...['leader_election_master_status', 'nodejs_active_requests'],
    ...['tenant_sync_errors_total', 'tenant_sync_refused_total'],
  ],
  tenant: [],
  backup: [],
}

let world: World
beforeAll(async () => {
  world = await startWorld()
  await refuseByWebhook()
})
afterAll(() => world?.stop())

/** Two that cannot be reached: one is ignored, and one refuses. */
async function refuseByWebhook(): Promise<void> {
  const webhooks = ['Ignore', 'Fail'].map((failurePolicy) => ({
    name: `${failurePolicy.toLowerCase()}.example.com`,
    clientConfig: { service: { namespace: 'default', name: 'kubernetes' } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { asked: failurePolicy } },
    failurePolicy,
    timeoutSeconds: 1,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }))
  await world.virtual.ask('POST', webhookConfigurations, { body: { metadata: { name: 'hooks' }, webhooks } })
  const statusOf = async (asked: string) => {
    const body = { metadata: { name: 'asked', labels: { asked } } }
    return (await world.virtual.ask('POST', `${configMaps}?dryRun=All`, { body })).status
  }
  await eventually(async () => expect([await statusOf('Ignore'), await statusOf('Fail')]).toEqual([201, 500]))
}

const pages: readonly (readonly [MetricServer, () => Promise<string>])[] = [
  ['platform', async () => (await world.platform.ask('GET', '/metrics')).text],
  ['virtual cluster', async () => (await world.platform.ask('GET', `${world.inside}/metrics`)).text],
  ['backup', async () => new RunMetrics().text()],
]

describe.each(pages)('docs/metrics.md and what is served by: %s', (server, read) => {
  it('have the same metrics, of the same types', async () => {
    const named = (metrics: readonly { name: string; type: string }[]) =>
      metrics.map(({ name, type }) => `${name} ${type}`).sort()
    expect(named(servedMetrics(await read()))).toEqual(named(documentedMetrics(server)))
  })

  it('have the same labels', async () => {
    const documented = new Map(documentedMetrics(server).map(({ name, labels }) => [name, labels]))
    const unseen = withoutSamples[server]
    const labeled = servedMetrics(await read()).filter(({ name }) => !unseen.includes(name))
    expect(labeled.filter(({ name, hasSamples }) => !hasSamples && name !== 'nodejs_gc_duration_seconds')).toEqual([])
    for (const { name, labels, hasSamples } of labeled) {
      if (hasSamples) expect([name, labels]).toEqual([name, documented.get(name)])
    }
  })
})

it('the platform counts the virtual clusters that are linked to it, and these know that they are', async () => {
  expect((await world.platform.ask('GET', '/metrics')).text).toMatch(/^platform_links 1$/m)
  expect((await world.virtual.ask('GET', '/metrics')).text).toMatch(/^tenant_link_up 1$/m)
})
