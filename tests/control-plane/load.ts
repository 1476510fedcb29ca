import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterClient } from '../sync/support/cluster-client.ts'
import { type Collection, pods, services } from '../sync/support/objects.ts'
import { deployments, runPods, tellReady } from './workloads.ts'

const jobs: Collection = { apiVersion: 'batch/v1', kind: 'Job', plural: 'jobs' }
const atOnce = 4
const roundMs = 4_000
const heartbeatMs = 5_000

/**
 * Namespaces are created, filled, changed and deleted, several at a time, until the time is over. Returns their number.
 */
export async function keepBusy(client: ClusterClient, seconds: number, node: string): Promise<number> {
  const endsMs = performance.now() + seconds * 1000
  let begun = 0
  const worker = async () => {
    while (performance.now() < endsMs) await oneNamespace(client, `load-${begun++}`)
  }
  const heart = setInterval(() => void tellReady(client, node).catch(() => {}), heartbeatMs)
  await Promise.all(Array.from({ length: atOnce }, worker)).finally(() => clearInterval(heart))
  return begun
}

async function oneNamespace(client: ClusterClient, namespace: string): Promise<void> {
  await client.ensureNamespace(namespace)
  const labels = { app: 'web' }
  const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'web', image }] } })
  const spec = { replicas: 3, selector: { matchLabels: labels }, template: template('web:1') }
  await client.create(deployments, { metadata: { name: 'web', namespace }, spec })
  await client.create(services, {
    metadata: { name: 'web', namespace },
    spec: { selector: labels, ports: [{ port: 80 }] },
  })
  const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'once', image: 'once:1' }] } } }
  await client.create(jobs, { metadata: { name: 'once', namespace }, spec: job })
  await runFor(client, namespace)
  await client.patch(deployments, namespace, 'web', { spec: { replicas: 2, template: template('web:2') } })
  await runFor(client, namespace)
  await client.request('DELETE', `/api/v1/namespaces/${namespace}`)
  while ((await client.request('GET', `/api/v1/namespaces/${namespace}`)).status !== 404)
    await runOnce(client, namespace)
}

async function runFor(client: ClusterClient, namespace: string): Promise<void> {
  const endsMs = performance.now() + roundMs
  while (performance.now() < endsMs) await runOnce(client, namespace)
}

async function runOnce(client: ClusterClient, namespace: string): Promise<void> {
  await runPods(client, namespace)
  await delay(200)
}

export async function isEmpty(client: ClusterClient): Promise<boolean> {
  return (await client.list(pods, '')).length === 0
}
