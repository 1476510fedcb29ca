import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../contract.ts'
import { atMost } from '../rounds.ts'
import { usageOf } from '../servers/usage.ts'
import { type Place, podsPath, untilTrue } from './place.ts'

const megabyte = 1_000_000
const mostMegabytes = 200
const nodes = 20
const atOnce = 8
/** How long an idle process takes to collect its garbage. */
const restMs = 25_000

interface ListedPod {
  readonly metadata: { readonly name: string }
  readonly status: { readonly phase?: string }
}

/** Pods on nodes that a client simulates, all synced there and their status back; then what the tenant keeps of them. */
export async function measureMany(virtual: Place, host: Place, count: number): Promise<readonly Row[]> {
  const startedAt = performance.now()
  for (let index = 0; index < nodes; index++) await host.api.send('POST', '/api/v1/nodes', node(index))
  await each(count, (index) => virtual.api.send('POST', podsPath(virtual), pod(`many-${index}`)))
  const copies = async () => (await podsOf(host)).filter(({ metadata }) => metadata.name.startsWith('v-many-'))
  await untilTrue('all Pods have copies', async () => (await copies()).length === count)
  const names = (await copies()).map(({ metadata }) => metadata.name)
  await each(count, async (index) => run(host, names[index] ?? '', index))
  await untilTrue('all Pods run', async () => {
    const all = await podsOf(virtual)
    return all.filter(({ status }) => status.phase === 'Running').length === count
  })
  const seconds = (performance.now() - startedAt) / 1000
  await sleep(restMs)
  const megabytes = usageOf(virtual.subject.processIds).residentBytes / megabyte
  const target = atMost(1)
  return [
    { scenario: `${count} Pods, created, on nodes and back`, unit: 's', ours: seconds, ...alone },
    {
      scenario: `${count} Pods, memory of the tenant at rest, of ${mostMegabytes} MB`,
      unit: 'MB',
      ours: megabytes,
      peer: undefined,
      ratio: megabytes / mostMegabytes,
      target,
    },
  ]
}

const alone = { peer: undefined, ratio: undefined, target: undefined }

async function each(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function podsOf(place: Place): Promise<readonly ListedPod[]> {
  await sleep(500)
  return JSON.parse(await place.api.send('GET', podsPath(place))).items
}

/** As a scheduler and a kubelet would. */
async function run(host: Place, name: string, index: number): Promise<void> {
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeName(index) }
  const path = `${podsPath(host)}/${name}`
  await host.api.send('POST', `${path}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
  const address = `10.30.${index >> 8}.${index & 255}`
  const container = { name: 'main', image: 'app:1', imageID: 'app@1', ready: true, restartCount: 0, started: true }
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
  }))
  const status = {
    phase: 'Running',
    podIP: address,
    podIPs: [{ ip: address }],
    conditions,
    containerStatuses: [container],
  }
  await host.api.send('PATCH', `${path}/status`, { status })
}

function nodeName(index: number): string {
  return `many-${index % nodes}`
}

function node(index: number): object {
  const amounts = { cpu: '64', memory: '256Gi', pods: '500' }
  const status = { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName(index) }, status }
}

function pod(name: string): object {
  const spec = { containers: [{ name: 'main', image: 'app:1' }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'many' } }, spec }
}
