import { expect, it } from 'vitest'
import { ProviderRest } from './provider-rest.ts'

it('grows each time up to a limit, and counts concurrent failures once', () => {
  let nowMs = 0
  const rest = new ProviderRest({ clock: { now: () => nowMs }, longestMs: 12_000 })
  const pauses: number[] = []
  expect(rest.isOn).toBe(false)
  for (let count = 0; count < 4; count += 1) {
    const untilMs = rest.begin()
    expect(rest.begin()).toBe(untilMs)
    expect(rest.isOn).toBe(true)
    pauses.push(untilMs - nowMs)
    nowMs = untilMs
    expect(rest.isOn).toBe(false)
  }
  expect(pauses).toEqual([5_000, 10_000, 12_000, 12_000])
  rest.end()
  expect(rest.begin() - nowMs).toBe(5_000)
})
