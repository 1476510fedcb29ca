import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../../sync/support/clusters.ts'
import { startPodHost } from './drive/host.ts'
import { runPodChaos } from './drive/run.ts'

const operations = Number(process.env.CHAOS_POD_OPERATIONS ?? (process.env.CHAOS_SEEDS === undefined ? 16 : 60))
const timeout = 1_200_000

/** Each lane has its own host, on which one seed runs after the other; `CHAOS_LANES` lanes run at the same time. */
const lanes = Array.from({ length: Number(process.env.CHAOS_LANES ?? 1) }, (): Lane => ({ last: Promise.resolve() }))

interface Lane {
  host?: Promise<Cluster>
  last: Promise<unknown>
}

afterAll(async () => {
  for (const { host } of lanes) await (await host)?.remove()
})

function inLane<Result>(seed: number, run: (host: Cluster) => Promise<Result>): Promise<Result> {
  const lane = lanes[seed % lanes.length]
  if (lane === undefined) throw new Error('there is no lane')
  lane.host ??= startPodHost()
  const { host, last } = lane
  const result = last.then(async () => run(await host))
  lane.last = result.catch(() => {})
  return result
}

/**
 * For CI: the tenant is killed, nodes disappear, copies are deleted, evicted and fail, and nothing causes a long
 * backoff of a syncer.
 */
const quickSeeds = [369]

/**
 * As in the chaos of other kinds: `CHAOS_SEED` runs one seed again; `CHAOS_SEEDS` is the number of seeds; `CHAOS_FIRST`
 * is the first one; `CHAOS_KEEP` names a folder for the logs.
 */
function chosenSeeds(): readonly number[] {
  const { CHAOS_SEED, CHAOS_SEEDS, CHAOS_FIRST = '0' } = process.env
  if (CHAOS_SEED !== undefined) return [Number(CHAOS_SEED)]
  if (CHAOS_SEEDS === undefined) return quickSeeds
  return Array.from({ length: Number(CHAOS_SEEDS) }, (_, index) => Number(CHAOS_FIRST) + index)
}

describe('Pods of a virtual cluster while nodes, the host and the tenant fail', () => {
  it.concurrent.each(chosenSeeds())(
    'seed %i: objects of others stay, no Pod runs twice, none is left',
    {
      timeout,
      retry: 0,
    },
    async (seed) => {
      const { complaints, log } = await inLane(seed, (host) => runPodChaos({ seed, operations, host }))
      const { CHAOS_KEEP } = process.env
      if (CHAOS_KEEP !== undefined && complaints.length > 0) {
        writeFileSync(join(CHAOS_KEEP, `pods-${seed}.txt`), [...complaints, ...log].join('\n'))
      }
      const again = `CHAOS_SEED=${seed} CHAOS_POD_OPERATIONS=${operations} npx vitest run tests/chaos/pods`
      expect(
        complaints,
        complaints.length === 0 ? '' : `\n${again} runs this again. What happened:\n${log.join('\n')}`,
      ).toEqual([])
    },
  )
})
