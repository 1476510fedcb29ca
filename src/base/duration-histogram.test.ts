import { expect, it } from 'vitest'
import { DurationHistogram } from './duration-histogram.ts'

it('counts each duration in every bucket that it fits into', () => {
  const durations = new DurationHistogram([0.01, 0.1])
  for (const ms of [10, 11, 2_000]) durations.record(ms)
  expect(durations.lines('work_seconds', 'name="a"')).toEqual([
    'work_seconds_bucket{name="a",le="0.01"} 1',
    'work_seconds_bucket{name="a",le="0.1"} 2',
    'work_seconds_bucket{name="a",le="+Inf"} 3',
    'work_seconds_sum{name="a"} 2.021',
    'work_seconds_count{name="a"} 3',
  ])
})
