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

const suites = [
  carrying,
  twoWay,
  strangers,
  patches,
  neighbors,
  names,
  refusals,
  downtime,
  references,
  otherKinds,
  genericKinds,
  podsOnHost,
  imports,
  referencedImports,
]

/**
 * No operator uses a real cluster as a virtual one on an embedded host: the other pairings test the behavior of each.
 */
const fewSuites = [carrying, twoWay]

const suitesOf = ({ virtual, host }: Pairing) => (virtual === 'real' && host === 'embedded' ? fewSuites : suites)

/**
 * The suites between two APIs, one after the other: a tenant syncs everything in its virtual cluster. Where all pairings
 * are required, one that cannot run fails instead of being skipped.
 */
export function syncSuite(...pairings: readonly Pairing[]): void {
  const worlds = new Worlds(startHost)
  afterAll(() => worlds.remove())
  for (const pairing of pairings) {
    const missing = missingFor(pairing)
    const title = `sync, ${nameOfPairing(pairing)}${missing === undefined ? '' : ` (${missing})`}`
    describe.skipIf(missing !== undefined && !isRealRequired())(title, () => {
      let stage: Stage | undefined
      beforeAll(async () => {
        if (missing !== undefined) throw new Error(missing)
        stage = openStage(pairing, await worlds.pair(pairing))
      })
      const current = () => {
        if (stage === undefined) throw new Error('A test began before its clusters were started.')
        return stage
      }
      for (const suite of suitesOf(pairing)) {
        describe('', () => {
          afterAll(() => stage?.clear())
          suite(current)
        })
      }
    })
  }
}
