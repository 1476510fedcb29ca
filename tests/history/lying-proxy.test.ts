import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Rule } from './checker/history.ts'
import { runRound } from './drive/round.ts'
import { startWorld, type World } from './drive/world.ts'
import { type Lie, startLyingProxy } from './planted/lying-proxy.ts'

const mostRounds = 10

const lies: readonly (readonly [Lie, Rule])[] = [
  ['answers a GET from its memory', 'reads are current'],
  ['leaves an object out of a list', 'a list is one state'],
  ['sends a PATCH again later', 'a state has one write'],
  ['tells an event twice', 'events come in order and once'],
  ['leaves an event out', 'events have no gap'],
]

describe('a round detects a proxy between clients and a real server that', () => {
  let world: World
  let directory: string
  let seed = 0

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-lying-'))
    world = await startWorld('embedded')
  })

  afterAll(async () => {
    await world.remove()
    await rm(directory, { recursive: true, force: true })
  })

  it.each(lies)('%s', { retry: 0 }, async (lie, rule) => {
    const [target] = world.endpoints
    const proxy = await startLyingProxy({ lie, target, directory })
    onTestFinished(() => proxy.remove())
    expect(await rulesBroken({ ...world, endpoints: [proxy.endpoint], lanes: [] }, rule)).toContain(rule)
  })

  /** Runs as many rounds as a slow machine needs for a lie to show. */
  async function rulesBroken(behindProxy: World, expected: Rule): Promise<ReadonlySet<Rule>> {
    const broken = new Set<Rule>()
    for (let round = 0; round < mostRounds && !broken.has(expected); round += 1) {
      const { violations } = await runRound(behindProxy, seed++)
      for (const { rule } of violations) broken.add(rule)
    }
    return broken
  }
})
