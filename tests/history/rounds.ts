import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Round, runRound } from './drive/round.ts'
import { Totals } from './drive/totals.ts'
import { type StoreName, startWorld, type World } from './drive/world.ts'

const timeout = 900_000
/** The maximum age of a store, in rounds. */
const roundsPerWorld = 100

/** Rounds on one store, each a test; the totals are printed at the end. */
export function itAnswersAsOneStoreOfRevisions(store: StoreName): void {
  const totals = new Totals(store)
  let world: World | undefined
  let rounds = 0

  const worldOfRound = async (): Promise<World> => {
    if (rounds++ % roundsPerWorld === 0) {
      await world?.remove()
      world = undefined
    }
    world ??= await startWorld(store)
    return world
  }

  afterAll(async () => {
    await world?.remove()
    process.stdout.write(`${totals.report()}\n`)
  })

  for (const seed of chosenSeeds()) {
    it(`as one store of revisions would: seed ${seed}`, { timeout, retry: 0 }, async () => {
      const round = await runRound(await worldOfRound(), seed)
      totals.add(round)
      note(`${store}.txt`, totals.report())
      const complaints = [...round.violations, ...round.surprises]
      if (complaints.length > 0) note(`${store}-${seed}.json`, JSON.stringify(round.history))
      expect(complaints, story(store, seed, round)).toEqual([])
    })
  }
}

/** `HISTORY_SEED` runs one seed again; `HISTORY_ROUNDS` is the number of rounds; `HISTORY_FIRST` is the first seed. */
function chosenSeeds(): readonly number[] {
  const { HISTORY_SEED, HISTORY_ROUNDS = '4', HISTORY_FIRST = '0' } = process.env
  if (HISTORY_SEED !== undefined) return [Number(HISTORY_SEED)]
  return Array.from({ length: Number(HISTORY_ROUNDS) }, (_, index) => Number(HISTORY_FIRST) + index)
}

/** `HISTORY_KEEP` names a folder for the progress, and for histories with violations. */
function note(file: string, text: string): void {
  const { HISTORY_KEEP } = process.env
  if (HISTORY_KEEP !== undefined) writeFileSync(join(HISTORY_KEEP, file), text)
}

function story(store: StoreName, seed: number, { faults }: Round): string {
  const again = `HISTORY_SEED=${seed} npx vitest run tests/history/${store}.test.ts`
  return `${again} has the same clients and faults: ${faults.join(', ')}`
}
