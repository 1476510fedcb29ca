import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carrying } from './suite/carrying.ts'
import { downtime } from './suite/downtime.ts'
import { names } from './suite/names.ts'
import { neighbours } from './suite/neighbours.ts'
import { otherKinds } from './suite/other-kinds.ts'
import { patches } from './suite/patches.ts'
import { references } from './suite/references.ts'
import { refusals } from './suite/refusals.ts'
import { strangers } from './suite/strangers.ts'
import { twoWay } from './suite/two-way.ts'
import { isRealRequired, missingFor, nameOfPairing, pairings, Worlds } from './support/pairings.ts'
import { openStage, type Stage } from './support/stage.ts'

const suites = [carrying, twoWay, strangers, neighbours, names, patches, refusals, downtime, references, otherKinds]
const worlds = new Worlds()
const completed = new Set<string>()

afterAll(() => worlds.remove())

for (const pairing of pairings) {
  const name = nameOfPairing(pairing)
  const missing = missingFor(pairing)
  describe.skipIf(missing !== undefined)(`sync, ${name}${missing === undefined ? '' : ` (${missing})`}`, () => {
    let stage: Stage | undefined
    beforeAll(async () => {
      stage = openStage(pairing, await worlds.pair(pairing))
    })
    afterAll(() => completed.add(name))
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

describe('the pairings', () => {
  it.skipIf(!isRealRequired())('have all run', () => {
    expect([...completed].toSorted()).toEqual(pairings.map(nameOfPairing).toSorted())
  })
})
