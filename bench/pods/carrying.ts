import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../contract.ts'
import { atMost } from '../rounds.ts'
import { usageOf } from '../servers/usage.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import { tokenlessPod, waitingPod } from './objects.ts'
import { type Place, podsPath, untilTrue } from './place.ts'

const count = 100
const perSecond = 5
const note = 'bench.example.com/Changed'

export interface Carried {
  readonly virtual: Place
  /** Where the copies are. */
  readonly host: Place
  /** On the same host, without a tenant. */
  readonly bare: Place
}

/** One Pod on its way to the host, and its status on the way back. */
export async function measureCarrying(places: Carried): Promise<readonly Row[]> {
  const bare = await bareCreations(places.bare)
  const { processIds } = places.virtual.subject
  const spent = () => usageOf(processIds).cpuSeconds * 1000
  const before = spent()
  const synced = await creations(places, 'synced', waitingPod)
  const between = spent()
  const back = await statuses(places)
  const after = spent()
  const alone = await creations(places, 'alone', tokenlessPod)
  const ratio = (share: number) => quantile(synced, share) / quantile(bare, share)
  const row = (share: number): Row => ({
    scenario: `a Pod that was created has its copy, p${share * 100}`,
    unit: 'ms',
    ours: quantile(synced, share),
    peer: quantile(bare, share),
    ratio: ratio(share),
    target: share === 0.5 ? atMost(2) : undefined,
  })
  const aloneRow: Row = {
    scenario: 'the same for a Pod without a token, p50',
    unit: 'ms',
    ours: quantile(alone, 0.5),
    peer: quantile(bare, 0.5),
    ratio: quantile(alone, 0.5) / quantile(bare, 0.5),
    target: undefined,
  }
  const backRow = (share: number): Row => ({
    scenario: `a status that the host shows is in the virtual cluster, p${share * 100}, of 5 ms`,
    unit: 'ms',
    ours: quantile(back, share),
    peer: undefined,
    ratio: quantile(back, share) / 5,
    target: share === 0.5 ? atMost(1) : undefined,
  })
  const spentRow = (what: string, ms: number): Row => ({
    scenario: `${what}: processor time of the tenant`,
    unit: 'ms',
    ours: ms / count,
    peer: undefined,
    ratio: undefined,
    target: undefined,
  })
  const spentRows = [spentRow('a Pod', between - before), spentRow('a status', after - between)]
  return [row(0.5), row(0.99), aloneRow, backRow(0.5), backRow(0.99), ...spentRows]
}

async function bareCreations(place: Place): Promise<Float64Array> {
  const latencies: number[] = []
  await paced(async (index) => {
    const startedAt = performance.now()
    await place.api.send('POST', podsPath(place), waitingPod(`bare-${index}`))
    latencies.push(performance.now() - startedAt)
  })
  return sortedNumbers(latencies)
}

/** From the answer to the creation until the host's watch shows the copy. */
async function creations(
  { virtual, host }: Carried,
  prefix: string,
  podNamed: (name: string) => object,
): Promise<Float64Array> {
  const answered = new Map<string, number>()
  const shown = new Map<string, number>()
  const stop = await host.api.watchAt(podsPath(host), ({ metadata }, type) => {
    if (type === 'ADDED') shown.set(virtualName(metadata.name), performance.now())
  })
  await paced(async (index) => {
    await virtual.api.send('POST', podsPath(virtual), podNamed(`${prefix}-${index}`))
    answered.set(`${prefix}-${index}`, performance.now())
  })
  await untilTrue('all Pods have copies', async () => [...answered.keys()].every((name) => shown.has(name)))
  stop()
  return delays(answered, shown)
}

/** From the event of the host's watch until that of the virtual cluster's. */
async function statuses({ virtual, host }: Carried): Promise<Float64Array> {
  const onHost = new Map<string, number>()
  const inside = new Map<string, number>()
  const into = (times: Map<string, number>) => (object: object, type: string) => {
    const change = changeIn(object)
    if (type === 'MODIFIED' && change !== undefined && !times.has(change)) times.set(change, performance.now())
  }
  const stops = [await host.api.watchAt(podsPath(host), into(onHost))]
  stops.push(await virtual.api.watchAt(podsPath(virtual), into(inside)))
  const { items } = JSON.parse(await host.api.send('GET', podsPath(host)))
  const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
  await paced(async (index) => {
    const conditions = [
      { type: 'PodScheduled', status: 'False' },
      { type: note, status: 'True', message: `c${index}` },
    ]
    await host.api.send('PATCH', `${podsPath(host)}/${names[index % names.length]}/status`, { status: { conditions } })
  })
  await untilTrue('all changes are back', async () => inside.size === onHost.size && onHost.size === count)
  for (const stop of stops) stop()
  return delays(onHost, inside)
}

function changeIn(object: object): string | undefined {
  const { status } = object as { status?: { conditions?: readonly { type: string; message?: string }[] } }
  return status?.conditions?.find(({ type }) => type === note)?.message
}

function delays(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): Float64Array {
  return sortedNumbers([...from].map(([name, at]) => Math.max(0, (to.get(name) ?? Number.NaN) - at)))
}

/** `v-NAME-HASH` is the copy of NAME. */
function virtualName(copy: string): string {
  return copy.slice(2, copy.lastIndexOf('-'))
}

async function paced(act: (index: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
    running.push(act(index))
  }
  await Promise.all(running)
}
