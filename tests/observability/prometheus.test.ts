import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunMetrics } from '../../src/cli/backup/run-metrics.ts'
import { keysPath } from '../platform/platform.ts'
import { eventually } from '../support/eventually.ts'
import {
  check,
  findPrometheus,
  monitoringFile,
  type RunningPrometheus,
  startPrometheus,
  writeConfiguration,
} from './support/prometheus.ts'
import { refuseByWebhook } from './support/refusing-webhooks.ts'
import { startWorld, type World } from './support/world.ts'

const programs = findPrometheus()

/** Counters without a value until something fails, or other replicas exist. */
const withoutSamples = ['leader_election_master_status', 'tenant_sync_errors_total', 'tenant_sync_refused_total']

describe.skipIf(programs === undefined)('a real Prometheus with the files of deploy/monitoring', () => {
  let world: World
  let backups: Server
  let prometheus: RunningPrometheus
  let folder: string
  let config: string

  beforeAll(async () => {
    if (programs === undefined) return
    ;[world, backups] = await Promise.all([startWorld(), startBackupMetrics()])
    await refuseByWebhook(world.virtual)
    const scope = { roles: [{ role: 'metrics-reader' }] }
    const key = await world.platform.ask('POST', keysPath, {
      body: { metadata: { name: 'prometheus' }, spec: { user: 'admin', scope } },
    })
    folder = mkdtempSync(join(tmpdir(), 'tenant-prometheus-'))
    writeFileSync(join(folder, 'metrics.key'), `${key.body.spec.key}\n`, { mode: 0o600 })
    writeFileSync(join(folder, 'platform-ca.crt'), world.authority)
    config = writeConfiguration(folder, {
      'platform.example.com:443': new URL(world.url).host,
      '127.0.0.1:9444': `127.0.0.1:${(backups.address() as AddressInfo).port}`,
      '_interval: 30s': '_interval: 1s',
    })
    prometheus = await startPrometheus(programs, folder, config)
  })
  afterAll(async () => {
    await prometheus?.stop()
    backups?.close().closeAllConnections()
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('accepts them', () => {
    if (programs === undefined) return
    expect(check(programs, 'config', config)).toContain('SUCCESS')
    expect(check(programs, 'rules', join(folder, 'alerts.yaml'))).toContain('SUCCESS')
  })

  it('scrapes the platform, a virtual cluster through it, and backups, with one key for metrics only', async () => {
    await eventually(async () => {
      const found = (await prometheus.targets()).map(({ labels, health, lastError }) => [
        labels.job,
        labels.instance,
        health,
        lastError,
      ])
      expect(found.toSorted()).toEqual([
        ['tenant-backup', expect.any(String), 'up', ''],
        ['tenant-platform', new URL(world.url).host, 'up', ''],
        ['virtual-clusters', 'default/demo', 'up', ''],
      ])
    })
  })

  it('evaluates every alert, and none fires without a problem', async () => {
    const alerts = [...monitoringFile('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    await eventually(async () => {
      const rules = await prometheus.rules()
      expect(rules.map(({ name }) => name).toSorted()).toEqual(alerts.toSorted())
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
    })
    const firing = (await prometheus.rules()).filter(({ state }) => state === 'firing')
    expect(firing.map(({ name }) => name)).toEqual([])
  })

  it('has every metric that alerts and dashboard use', async () => {
    const asked = new Set([...expressionsOf('alerts.yaml'), ...expressionsOf('grafana.json')].flatMap(metricsIn))
    expect(asked.size).toBeGreaterThan(30)
    await eventually(async () => {
      const known = new Set(await prometheus.names())
      expect([...asked].filter((name) => !known.has(name) && !withoutSamples.includes(name))).toEqual([])
    })
  })

  it.each(expressionsOf('grafana.json').map((expression) => [expression]))(
    'answers the panel %s',
    async (expression) => {
      const isOf = (name: string) => expression.includes(name)
      const isSilent = expression.includes('failed') || withoutSamples.some(isOf)
      const asked = expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5s')
      await eventually(async () => {
        const found = await prometheus.query(asked)
        expect(isSilent || found.length > 0).toBe(true)
      })
    },
  )
})

async function startBackupMetrics(): Promise<Server> {
  const metrics = new RunMetrics()
  metrics.succeeded(Date.now() - 1_000, Date.now(), 1)
  const server = createServer((_, response) => response.end(metrics.text())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function expressionsOf(file: 'alerts.yaml' | 'grafana.json'): readonly string[] {
  const text = monitoringFile(file)
  if (file === 'alerts.yaml') return [...text.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression)
  const { panels } = JSON.parse(text)
  return panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr))
}

/** All metrics have one of these prefixes. */
function metricsIn(expression: string): readonly string[] {
  const begins = 'apiserver|tenant|platform|workqueue|controller_runtime|leader_election|process|nodejs'
  return [...expression.matchAll(new RegExp(`\\b(?:${begins})_\\w+`, 'g'))].map(([name]) => name)
}
