import { expect, it } from 'vitest'
import { simulatedTimesArgument, usualTimesText } from './simulated-times.ts'

const usual = { startMs: 200, readyMs: 200, runMs: 1_000, stopMs: 200 }

it.each([
  [usualTimesText, usual],
  ['start=0', { ...usual, startMs: 0 }],
  ['stop=5000,run=60000', { ...usual, stopMs: 5_000, runMs: 60_000 }],
])('%s', (text, times) => {
  expect(simulatedTimesArgument(text)).toEqual(times)
})

it.each(['', 'start', 'start=', 'begin=1', 'start=1s', 'start=-1', 'start=1=2', 'start=999999999', 'start=1,'])(
  '%s is not a time',
  (text) => {
    expect(() => simulatedTimesArgument(text)).toThrow(
      'is not a time: write milliseconds as in start=200,ready=200,run=1000,stop=200.',
    )
  },
)
