import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../storage/contract.ts'
import { Confirmation } from './confirmation.ts'

const withinMs = 5_000

/** A store that reports its revision, and a change stream that may lag behind. */
class World {
  revision = 7
  reached = 7
  isAway = false
  isSilent = false
  isNeeded = false
  asked = 0
  readonly told: string[] = []
  readonly waiting = new Set<() => void>()
  readonly confirmation = new Confirmation({
    engine: {
      store: Object.assign(Object.create(null), { currentRevision: () => this.currentRevision() }),
      feed: Object.assign(Object.create(null), {
        revision: 7,
        reached: (revision: number) => this.whenReached(revision),
      }),
    },
    clock: { now: () => Date.now() },
    withinMs,
    isNeeded: () => this.isNeeded,
    onLost: (why) => this.told.push(`lost: ${why}`),
    onRegained: () => this.told.push('regained'),
  })

  async currentRevision(): Promise<number> {
    this.asked += 1
    if (this.isAway) throw new StoreUnavailable('the store is away')
    return this.isSilent ? new Promise(() => {}) : this.revision
  }

  async whenReached(revision: number): Promise<void> {
    while (this.reached < revision) await new Promise<void>((resolve) => this.waiting.add(resolve))
  }

  reach(revision: number): void {
    this.reached = revision
    for (const wake of this.waiting) wake()
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms)
  }
}

describe('the content of the caches', () => {
  let world: World
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    world = new World()
  })
  afterEach(() => {
    world.confirmation.stop()
    vi.useRealTimers()
  })

  it('is confirmed by the store as long as callers ask, even if nothing changes there', async () => {
    expect(world.confirmation.holds()).toBe(false)
    expect(await world.confirmation.held()).toBe(true)
    await world.pass(30_000)
    expect(world.confirmation.holds()).toBe(true)
    expect(world.told).toEqual([])
  })

  it('is not asked for while nothing relies on it', async () => {
    await world.pass(60_000)
    expect(world.asked).toBe(0)
    await world.confirmation.held()
    await world.pass(120_000)
    const asked = world.asked
    await world.pass(120_000)
    expect(world.asked).toBe(asked)
    expect(world.told).toEqual([])
  })

  it('is asked for while something is open', async () => {
    world.isNeeded = true
    await world.confirmation.held()
    await world.pass(300_000)
    expect(world.asked).toBeGreaterThan(250)
  })

  it.each([
    ['the store is away', (it: World) => Object.assign(it, { isAway: true }), 'the store is away'],
    ['the store is silent', (it: World) => Object.assign(it, { isSilent: true }), ''],
    ['only the stream is behind', (it: World) => Object.assign(it, { revision: 8 }), 'at 7 of 8'],
  ])('is not relied on for longer than that when %s', async (_, cut, why) => {
    await world.confirmation.held()
    cut(world)
    await world.pass(4_000)
    expect(world.confirmation.holds()).toBe(true)
    await world.pass(1_200)
    expect(world.confirmation.holds()).toBe(false)
    expect(await world.confirmation.held()).toBe(false)
    expect(world.told).toEqual([expect.stringContaining(why)])
    expect(world.confirmation).toMatchObject({ isLost: true, losses: 1 })
  })

  it('becomes reliable again on its own', async () => {
    world.isNeeded = true
    await world.confirmation.held()
    Object.assign(world, { revision: 8 })
    await world.pass(10_000)
    expect(world.confirmation.isLost).toBe(true)
    world.reach(8)
    await world.pass(1_000)
    expect(world.told).toEqual([expect.stringContaining('lost'), 'regained'])
    expect(world.confirmation.holds()).toBe(true)
  })

  it('counts from when the store was asked, not from when it answered', async () => {
    world.isNeeded = true
    await world.confirmation.held()
    Object.assign(world, { revision: 8 })
    await world.pass(20_000)
    world.revision = 9
    world.reach(8)
    await world.pass(100)
    expect(world.confirmation.holds()).toBe(false)
  })

  it('is not relied on again by an answer that is old already', async () => {
    world.isNeeded = true
    await world.confirmation.held()
    Object.assign(world, { revision: 8 })
    await world.pass(9_900)
    world.reach(8)
    await world.pass(10_000)
    expect(world.told).toEqual([expect.stringContaining('lost'), 'regained'])
  })

  it('keeps the first caller after an idle period waiting only briefly', async () => {
    world.isAway = true
    const held = world.confirmation.held()
    await world.pass(3_500)
    expect(await held).toBe(false)
    expect(world.asked).toBeLessThan(50)
  })

  it('is not lost because the process itself was held up', async () => {
    world.isNeeded = true
    await world.confirmation.held()
    await world.pass(1_000)
    vi.setSystemTime(Date.now() + 20_000)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.confirmation.holds()).toBe(false)
    await world.pass(2_000)
    expect(world.confirmation.holds()).toBe(true)
    expect(world.told).toEqual([])
  })
})
