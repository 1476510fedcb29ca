import { describe, expect, it } from 'vitest'
import { LineBudget } from './line-budget.ts'

const budget = () => new LineBudget({ atOnce: 3, perMinute: 60 })
const taken = (lines: LineBudget, name: string, count: number, atMs = 0) =>
  Array.from({ length: count }, () => lines.take(name, atMs)).filter((isLeft) => isLeft).length

describe('lines for each name', () => {
  it('come in a burst, and then at a steady rate', () => {
    const lines = budget()
    expect(taken(lines, 'a', 10)).toBe(3)
    expect(taken(lines, 'a', 10, 2_000)).toBe(2)
  })

  it('are not used up by others', () => {
    const lines = budget()
    taken(lines, 'a', 1_000)
    expect(taken(lines, 'b', 3)).toBe(3)
  })

  it('that were left out are counted once', () => {
    const lines = budget()
    taken(lines, 'a', 10)
    expect(lines.takeMissed(0)).toEqual([['a', 7]])
    expect(lines.takeMissed(0)).toEqual([])
  })

  it('are shared by all beyond ten thousand names, so that names cost no memory', () => {
    const lines = budget()
    for (let name = 0; name < 10_000; name++) lines.take(`${name}`, 0)
    expect(Array.from({ length: 100 }, (_, name) => lines.take(`new-${name}`, 0)).filter(Boolean)).toHaveLength(3)
  })

  it('are as many as in the beginning for idle names', () => {
    const lines = budget()
    taken(lines, 'a', 10)
    lines.takeMissed(60_000)
    expect(taken(lines, 'a', 10, 60_000)).toBe(3)
  })

  it('do not return faster when the clock is set back', () => {
    const lines = budget()
    taken(lines, 'a', 10, 10_000)
    expect(taken(lines, 'a', 10, 0)).toBe(0)
  })
})
