import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunMetrics } from '../../src/cli/backup/run-metrics.ts'
import { documentedMetrics, type MetricServer } from './support/documented-metrics.ts'
import { refuseByWebhook } from './support/refusing-webhooks.ts'
import { servedMetrics } from './support/served-metrics.ts'
import { startWorld, type World } from './support/world.ts'

/** Nothing that they count has happened: another suite checks their labels. */
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
  await refuseByWebhook(world.virtual)
})
afterAll(() => world?.stop())

const pages: readonly (readonly [MetricServer, () => Promise<string>])[] = [
  ['platform', async () => (await world.platform.ask('GET', '/metrics')).text],
  ['virtual cluster', async () => (await world.platform.ask('GET', `${world.inside}/metrics`)).text],
  ['backup', async () => new RunMetrics().text()],
]

describe.each(pages)('docs/metrics.md matches the metrics of: %s', (server, read) => {
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

it('the platform counts its linked virtual clusters, and these report that they are linked', async () => {
  expect((await world.platform.ask('GET', '/metrics')).text).toMatch(/^platform_links 1$/m)
  expect((await world.virtual.ask('GET', '/metrics')).text).toMatch(/^tenant_link_up 1$/m)
})
