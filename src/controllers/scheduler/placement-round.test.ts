import { beforeEach, expect, it } from 'vitest'
import type { NodePlacement } from './contract.ts'
import { PlacementRound } from './placement-round.ts'
import { WaitingPods } from './waiting-pods.ts'

const priorities: Readonly<Record<string, number>> = { high: 3, middle: 2, low: 1 }
const changes = { count: 0 }
let places = 0
let decisions: string[] = []

beforeEach(() => {
  places = 0
  decisions = []
})

function free(): void {
  places++
  changes.count++
}

/** All Pods wait, and nothing is decided yet. */
function round() {
  const waiting = new WaitingPods()
  for (const [key, priority] of Object.entries(priorities)) waiting.add(key, priority)
  const place = (): NodePlacement =>
    places > 0 ? { placement: 'bind', uid: '', node: 'one' } : { placement: 'refuse', uid: '', message: 'full' }
  return new PlacementRound({
    waiting,
    place,
    podOf: (key) => ({ key, priority: priorities[key] ?? 0 }),
    decided: ({ key }, { placement }) => {
      decisions.push(`${placement} ${key}`)
      if (placement === 'bind') places--
    },
    changeCount: () => changes.count,
  }).steps()
}

it('freed capacity goes to a waiting Pod of higher priority', () => {
  const steps = round()
  steps.next()
  steps.next()
  free()
  expect([...steps]).toHaveLength(4)
  expect(decisions).toEqual(['refuse high', 'refuse middle', 'bind high', 'refuse middle', 'refuse low'])
})

it('free capacity goes to Pods by priority', () => {
  places = 2
  changes.count++
  expect([...round()]).toHaveLength(3)
  expect(decisions).toEqual(['bind high', 'bind middle', 'refuse low'])
})

it('a Pod is deferred once, however many changes there are', () => {
  const steps = round()
  steps.next()
  for (let step = 0; step < 20; step++) {
    // Free capacity is gone again before a more important Pod is tried.
    places = step % 2 === 0 ? 1 : 0
    changes.count++
    steps.next()
  }
  expect(steps.next().done).toBe(true)
  expect(decisions.length).toBeLessThan(10)
})
