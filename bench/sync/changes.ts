import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../contract.ts'
import { atMost } from '../rounds.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import { collectionPath, objectName, virtualNamespace } from './objects.ts'
import type { SyncBench } from './setting.ts'

const perSecond = 50
const seconds = 20
const graceMs = 3_000
const label = 'bench-change'

interface Delays {
  readonly sorted: Float64Array
}

/**
 * From the acknowledgment of a write to the virtual cluster until the host shows it; compared with a bare write to the
 * host at the same pace.
 */
export async function measureChanges(bench: SyncBench, hostNamespace: string, pairs: number): Promise<readonly Row[]> {
  const before = await bareWrites(bench, hostNamespace, pairs)
  const synced = await syncedChanges(bench, hostNamespace, pairs)
  const after = await bareWrites(bench, hostNamespace, pairs)
  const bare = sortedNumbers([...before, ...after])
  const row = (share: number, target?: Row['target']): Row => ({
    scenario: `${bench.name}: one change among ${pairs} pairs, ${perSecond}/s, p${share * 100}`,
    unit: 'ms',
    ours: quantile(synced.sorted, share),
    peer: quantile(bare, share),
    ratio: quantile(synced.sorted, share) / quantile(bare, share),
    target,
  })
  return [row(0.5, atMost(2)), row(0.99)]
}

async function syncedChanges(
  { virtualApi, hostApi }: SyncBench,
  hostNamespace: string,
  pairs: number,
): Promise<Delays> {
  const acknowledged = new Map<string, number>()
  const shown = new Map<string, number>()
  const stop = await hostApi.watch('endpoints', hostNamespace, ({ metadata }) => {
    const change = metadata.labels?.[label]
    if (change !== undefined && !shown.has(change)) shown.set(change, performance.now())
  })
  await paced(perSecond * seconds, async (index) => {
    const path = `${collectionPath('endpoints', virtualNamespace)}/${objectName(pick(index, pairs))}`
    await virtualApi.send('PATCH', path, { metadata: { labels: { [label]: `c${index}` } } })
    acknowledged.set(`c${index}`, performance.now())
  })
  await sleep(graceMs)
  stop()
  const missing = [...acknowledged.keys()].filter((change) => !shown.has(change))
  if (missing.length > 0) throw new Error(`${missing.length} of ${acknowledged.size} changes never reached the host`)
  return {
    sorted: sortedNumbers([...acknowledged].map(([change, at]) => Math.max(0, (shown.get(change) ?? Number.NaN) - at))),
  }
}

/** Whole objects, as the syncer writes them, in a namespace that is not synced. */
async function bareWrites({ hostApi }: SyncBench, copiesIn: string, pairs: number): Promise<readonly number[]> {
  const namespace = copiesIn.replace('steady', 'bare-steady')
  const { items } = await hostApi.list('endpoints', namespace)
  const latencies: number[] = []
  await paced((perSecond * seconds) / 2, async (index) => {
    const object = items[pick(index, Math.min(pairs, items.length))]
    if (object === undefined) throw new Error(`there are no Endpoints in ${namespace}`)
    const { resourceVersion: _, ...metadata } = object.metadata
    const labels = { ...metadata.labels, [label]: `b${performance.now()}`.replace('.', '-') }
    const path = `${collectionPath('endpoints', namespace)}/${metadata.name}`
    const startedAt = performance.now()
    await hostApi.send('PUT', path, {
      ...object,
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels },
    })
    latencies.push(performance.now() - startedAt)
  })
  return latencies
}

/** Spread over all objects, so that each comes up seldom. */
function pick(index: number, pairs: number): number {
  return (index * 7919) % pairs
}

async function paced(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
    running.push(act(index))
  }
  await Promise.all(running)
}
