import { afterAll, beforeAll, describe } from 'vitest'
import { carrying } from '../suite/carrying.ts'
import { downtime } from '../suite/downtime.ts'
import { genericKinds } from '../suite/generic-kinds.ts'
import { imports } from '../suite/imports.ts'
import { names } from '../suite/names.ts'
import { neighbors } from '../suite/neighbors.ts'
import { otherKinds } from '../suite/other-kinds.ts'
import { patches } from '../suite/patches.ts'
import { podsOnHost } from '../suite/pods.ts'
import { referencedImports } from '../suite/referenced-imports.ts'
import { references } from '../suite/references.ts'
import { refusals } from '../suite/refusals.ts'
import { strangers } from '../suite/strangers.ts'
import { twoWay } from '../suite/two-way.ts'
import { startHost } from './clusters.ts'
import { isRealRequired, missingFor, nameOfPairing, type Pairing, Worlds } from './pairings.ts'
import { openStage, type Stage } from './stage.ts'

/** Concurrent lanes, each with a separate virtual cluster: they mostly wait. */
const lanes = [
  [carrying, twoWay, strangers, patches],
  [neighbors, names, refusals, downtime, references, otherKinds, genericKinds, podsOnHost, imports, referencedImports],
]

/**
 * No operator uses a real cluster as a virtual one on an embedded host: the other pairings test the behavior of each.
 */
const fewOfLanes = [[carrying, twoWay]]

const lanesOf = ({ virtual, host }: Pairing) => (virtual === 'real' && host === 'embedded' ? fewOfLanes : lanes)

/** The suite between two APIs. Where all pairings are required, one that cannot run fails instead of being skipped. */
export function syncSuite(pairing: Pairing): void {
  const worlds = new Worlds(startHost)
  const missing = missingFor(pairing)
  const title = `sync, ${nameOfPairing(pairing)}${missing === undefined ? '' : ` (${missing})`}`
  describe.skipIf(missing !== undefined && !isRealRequired())(title, () => {
    beforeAll(() => {
      if (missing !== undefined) throw new Error(missing)
    })
    afterAll(() => worlds.remove())
    for (const [index, suites] of lanesOf(pairing).entries()) {
      describe.concurrent(`lane ${index + 1}`, () => {
        let stage: Stage | undefined
        beforeAll(async () => {
          stage = openStage(pairing, await worlds.pair(pairing, index))
        })
        const current = () => {
          if (stage === undefined) throw new Error('A test began before its clusters were started.')
          return stage
        }
        for (const suite of suites) {
          describe.sequential('', () => {
            afterAll(() => stage?.clear())
            suite(current)
          })
        }
      })
    }
  })
}
