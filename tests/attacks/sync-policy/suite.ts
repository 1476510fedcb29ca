import { afterAll, beforeAll, describe } from 'vitest'
import { startHost } from '../../sync/support/clusters.ts'
import { isRealRequired, missingFor, nameOfPairing, type Pairing, Worlds } from '../../sync/support/pairings.ts'
import { openStage, type Stage } from '../../sync/support/stage.ts'

/**
 * Suites of attacks between two APIs. Where all pairings are required, one that cannot run fails instead of being
 * skipped.
 */
export function attacksBetween(pairing: Pairing, suites: readonly ((stage: () => Stage) => void)[]): void {
  const worlds = new Worlds(startHost)
  const missing = missingFor(pairing)
  const title = `${nameOfPairing(pairing)}${missing === undefined ? '' : ` (${missing})`}`
  describe.skipIf(missing !== undefined && !isRealRequired())(title, () => {
    let stage: Stage | undefined
    beforeAll(async () => {
      if (missing !== undefined) throw new Error(missing)
      stage = openStage(pairing, await worlds.pair(pairing))
    })
    afterAll(() => worlds.remove())
    const current = () => {
      if (stage === undefined) throw new Error('A test began before its clusters were started.')
      return stage
    }
    for (const suite of suites) {
      describe('', () => {
        // Otherwise its tenants would sync what the next suites write.
        afterAll(() => stage?.clear())
        suite(current)
      })
    }
  })
}
