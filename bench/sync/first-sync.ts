import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../contract.ts'
import { atMost } from '../rounds.ts'
import { median } from '../statistics.ts'
import { plurals } from './objects.ts'
import { asNew, postAll } from './population.ts'
import type { SyncBench } from './setting.ts'
import { startSyncer } from './syncer-process.ts'

/** Each check costs the host a list. */
const pollMs = 250

/** From the start of the process to the last copy, compared with a bare generator that creates the same objects. */
export async function measureFirstSync(bench: SyncBench, pairs: number, rounds: number): Promise<readonly Row[]> {
  const syncs: number[] = []
  const bares: number[] = []
  for (let round = 0; round < rounds; round++) {
    const namespace = `first-${round}`
    await bench.hostApi.createNamespace(namespace)
    syncs.push(await syncOnce(bench, namespace, pairs))
    bares.push(await postSame(bench, namespace, `bare-${round}`))
  }
  const ratios = syncs.map((seconds, round) => seconds / (bares[round] ?? Number.NaN))
  return [
    {
      scenario: `${bench.name}: first sync of ${pairs} Endpoints and Services`,
      unit: 's',
      ours: median(syncs),
      peer: median(bares),
      ratio: median(ratios),
      target: atMost(1.45),
    },
  ]
}

async function syncOnce(bench: SyncBench, hostNamespace: string, pairs: number): Promise<number> {
  const startedAt = performance.now()
  const syncer = await startSyncer(bench.directory, { ...bench, tenant: 'first', hostNamespace })
  try {
    for (const plural of plurals) {
      while ((await bench.hostApi.count(plural, hostNamespace)) < pairs) {
        syncer.check()
        await sleep(pollMs)
      }
    }
    return (performance.now() - startedAt) / 1000
  } finally {
    await syncer.stop()
  }
}

async function postSame({ hostApi, host }: SyncBench, from: string, to: string): Promise<number> {
  await hostApi.createNamespace(to)
  const samples = []
  for (const plural of plurals) {
    const { items } = await hostApi.list(plural, from)
    samples.push(...items.map((object) => asNew(plural, object, to)))
  }
  return (await postAll(host, samples)).seconds
}
