import { describe, expect, it } from 'vitest'
import type { RequestFlow } from './contract.ts'
import { FairnessLevel, type Waiter } from './level.ts'
import type { LevelRules } from './levels.ts'

const roomy: LevelRules = { places: 4, placesPerOwner: 2, waiting: 10, waitingPerOwner: 5 }

function flow(owner: string, key = ''): RequestFlow {
  return { level: 'callers', owner, key }
}

function worldOf(rules: Partial<LevelRules> = {}) {
  const level = new FairnessLevel({ ...roomy, ...rules })
  const refused: string[] = []
  let count = 0
  const wait = (owner: string, key = '', changes: Partial<Waiter> = {}) => {
    count += 1
    const name = `${owner}${key}${count}`
    const refuse = () => refused.push(name)
    const waiter = { flow: flow(owner, key), needsPlace: true, deadlineMs: 1_000, isOver: () => false, enter: () => {} }
    level.wait({ ...waiter, refuse, ...changes })
    return name
  }
  const served = (nowMs = 0) => {
    const owners: string[] = []
    for (let next = level.next(nowMs); next !== undefined; next = level.next(nowMs)) {
      owners.push(next.flow.owner + next.flow.key)
      level.enter(next.flow)
      level.leave(next.flow)
    }
    return owners
  }
  return { level, wait, served, refused }
}

describe('a level', () => {
  it('lets its owners take turns, however many requests one of them has', () => {
    const { wait, served } = worldOf()
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) wait(owner)
    expect(served()).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('lets the keys of an owner take its turns', () => {
    const { wait, served } = worldOf()
    for (const key of ['1', '1', '1', '2', '3']) wait('a', key)
    wait('b')
    expect(served()).toEqual(['a1', 'b', 'a2', 'a3', 'a1', 'a1'])
  })

  it('has a limited number of places', () => {
    const { level } = worldOf()
    for (const owner of ['a', 'a', 'b', 'b']) level.enter(flow(owner))
    expect(level.isFree(flow('c'), true)).toBe(false)
    expect(level.isFree(flow('c'), false)).toBe(true)
    level.leave(flow('a'))
    expect(level.isFree(flow('c'), true)).toBe(true)
  })

  it('gives an owner no more than its share of them', () => {
    const { level, wait } = worldOf()
    level.enter(flow('a'))
    level.enter(flow('a'))
    expect(level.isFree(flow('a'), true)).toBe(false)
    wait('a')
    wait('b')
    expect(level.next(0)?.flow.owner).toBe('b')
    expect(level.next(0)).toBeUndefined()
    level.leave(flow('a'))
    expect(level.next(0)?.flow.owner).toBe('a')
  })

  it('lets no request overtake a waiting one of the same owner', () => {
    const { level, wait } = worldOf()
    wait('a')
    expect(level.isFree(flow('a'), true)).toBe(false)
    expect(level.isFree(flow('b'), true)).toBe(true)
  })

  it('lets a newcomer go before other requests of the owner that was just served', () => {
    const { level, wait } = worldOf({ places: 1 })
    level.enter(flow('a'))
    wait('a')
    wait('b')
    level.leave(flow('a'))
    expect(level.next(0)?.flow.owner).toBe('b')
  })

  it('does not make ready answers wait for a place', () => {
    const { level, wait, served } = worldOf({ places: 1 })
    level.enter(flow('b'))
    wait('a', '', { needsPlace: false })
    wait('a')
    expect(served()).toEqual(['a'])
    expect(level.waiting).toBe(1)
  })

  it('returns requests that have waited too long, with or without a place', () => {
    const { level, wait } = worldOf({ places: 1 })
    level.enter(flow('b'))
    wait('a', '', { deadlineMs: 500 })
    expect(level.next(499)).toBeUndefined()
    expect(level.next(500)?.flow.owner).toBe('a')
  })

  it('refuses one request too many of an owner, and none of other owners', () => {
    const { wait, refused } = worldOf({ waitingPerOwner: 2 })
    const [, , third] = [wait('a'), wait('a'), wait('a'), wait('b')]
    expect(refused).toEqual([third])
  })

  it('makes room for a newcomer at the cost of the owner with the most waiting requests', () => {
    const { wait, refused, served } = worldOf({ waiting: 4 })
    const names = ['a', 'b', 'b', 'b', 'c'].map((owner) => wait(owner))
    expect(refused).toEqual([names[1]])
    expect(served()).toEqual(['a', 'b', 'c', 'b'])
  })

  it('makes no room for the owner with the most waiting requests', () => {
    const { wait, refused } = worldOf({ waiting: 3 })
    const names = ['a', 'b', 'b', 'b'].map((owner) => wait(owner))
    expect(refused).toEqual([names[3]])
  })

  it('counts refusals', () => {
    const { level, wait } = worldOf({ waiting: 1, waitingPerOwner: 1 })
    wait('a')
    wait('a')
    expect([level.waiting, level.refused]).toEqual([1, 1])
  })
})
