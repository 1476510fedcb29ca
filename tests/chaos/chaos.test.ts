import { afterAll, describe, expect, it } from 'vitest'
import { startCluster } from '../sync/support/clusters.ts'
import { isRealRequired, missingFor, nameOfPairing, type Pairing, pairings, Worlds } from '../sync/support/pairings.ts'
import { runChaos } from './run.ts'

const operations = Number(process.env.CHAOS_OPERATIONS ?? 60)
const timeout = 1_200_000
const worlds = new Worlds(startCluster)

afterAll(() => worlds.remove())

/** `CHAOS_SEED` runs one seed again; `CHAOS_SEEDS` is the number of seeds; `CHAOS_FIRST` is the first one. */
function chosenSeeds(): readonly number[] {
  const { CHAOS_SEED, CHAOS_SEEDS = '2', CHAOS_FIRST = '0' } = process.env
  if (CHAOS_SEED !== undefined) return [Number(CHAOS_SEED)]
  return Array.from({ length: Number(CHAOS_SEEDS) }, (_, index) => Number(CHAOS_FIRST) + index)
}

/** Seeds take turns, so that as many seeds as pairings cover all of them, unless `CHAOS_PAIRING` names one. */
function pairingOf(seed: number): Pairing {
  const named = pairings.find((pairing) => nameOfPairing(pairing) === process.env.CHAOS_PAIRING)
  return named ?? pairings[seed % pairings.length] ?? { virtual: 'embedded', host: 'embedded' }
}

const runs = chosenSeeds().map((seed) => ({ seed, pairing: pairingOf(seed) }))

describe('two worlds in which everything fails, once it is quiet', () => {
  for (const { seed, pairing } of runs) {
    const missing = missingFor(pairing)
    const title = `seed ${seed}, ${nameOfPairing(pairing)}: both worlds are what their users made of them`
    it.skipIf(missing !== undefined && !isRealRequired())(
      missing === undefined ? title : `${title} (${missing})`,
      { timeout, retry: 0 },
      async () => {
        const { complaints, log } = await runChaos({ seed, operations, ...(await worlds.pair(pairing)) })
        const again = `CHAOS_SEED=${seed} CHAOS_PAIRING=${nameOfPairing(pairing)} npm run chaos`
        const story = `\n${again} runs this again. What happened:\n${log.join('\n')}`
        expect(complaints, complaints.length === 0 ? '' : story).toEqual([])
      },
    )
  }
})
