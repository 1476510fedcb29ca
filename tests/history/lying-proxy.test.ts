import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rule } from './checker/history.ts'
import { type Round, runRound } from './drive/round.ts'
import { startWorld, type World } from './drive/world.ts'
import { type Lie, startLyingProxy } from './planted/lying-proxy.ts'

const lies: readonly (readonly [Lie, Rule])[] = [
  ['answers a GET from its memory', 'reads are current'],
  ['leaves an object out of a list', 'a list is one state'],
  ['sends a PATCH again later', 'a state has one write'],
  ['tells an event twice', 'events come in order and once'],
  ['leaves an event out', 'events have no gap'],
]

describe('a round finds what stands between clients and a real server and', () => {
  let world: World
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-lying-'))
    world = await startWorld('embedded')
  })

  afterAll(async () => {
    await world.remove()
    await rm(directory, { recursive: true, force: true })
  })

  it.each(lies)('%s', { retry: 0 }, async (lie, rule) => {
    const { violations } = await roundThrough(lie)
    expect(violations.map((each) => each.rule)).toContain(rule)
  })

  async function roundThrough(lie: Lie): Promise<Round> {
    const [target] = world.endpoints
    const proxy = await startLyingProxy({ lie, target, directory })
    try {
      const seed = lies.findIndex(([each]) => each === lie)
      return await runRound({ ...world, endpoints: [proxy.endpoint], lanes: [] }, seed)
    } finally {
      await proxy.remove()
    }
  }
})
