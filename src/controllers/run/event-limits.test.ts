import { expect, it } from 'vitest'
import { EventLimits, type News } from './event-limits.ts'

let nowMs = 0
const clock = { now: () => nowMs }

function created(name: string): News {
  return { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` }
}

it('emits nine different messages, then combines similar ones, as Kubernetes does', () => {
  const limits = new EventLimits(clock)
  const told = Array.from({ length: 11 }, (_, index) => limits.admit('web', created(`p${index}`))?.message)
  expect(told.slice(8)).toEqual([
    'Created pod: p8',
    '(combined from similar events): Created pod: p9',
    '(combined from similar events): Created pod: p10',
  ])
})

it('emits different messages again after ten minutes', () => {
  nowMs = 0
  const limits = new EventLimits(clock)
  for (let index = 0; index < 12; index++) limits.admit('web', created(`p${index}`))
  nowMs = 600_001
  expect(limits.admit('web', created('later'))?.message).toBe('Created pod: later')
})

it('keeps combining messages while they continue', () => {
  nowMs = 0
  const limits = new EventLimits(clock)
  for (let index = 0; index < 12; index++) {
    limits.admit('web', created(`p${index}`))
    nowMs += 590_000
  }
  expect(limits.admit('web', created('later'))?.message).toBe('(combined from similar events): Created pod: later')
})

it('emits 25 Events for an object, then one every five minutes, without affecting other objects', () => {
  nowMs = 0
  const limits = new EventLimits(clock)
  const told = Array.from({ length: 30 }, () => limits.admit('web', created('p')))
  expect(told.filter((each) => each !== undefined)).toHaveLength(25)
  expect(limits.admit('other', created('p'))).toBeDefined()
  nowMs = 300_000
  expect(
    [limits.admit('web', created('p')), limits.admit('web', created('p'))].map((each) => each !== undefined),
  ).toEqual([true, false])
})
