import { describe, expect, it } from 'vitest'
import { isStartOver, isTimeToShrink } from './heap-at-rest.ts'

describe('the heap is collected', () => {
  it.each([
    ['after a burst', true, { spentMs: 500, takenBytes: 160e6, keptBytes: 60e6, released: [] }],
    ['again while that releases much', true, { spentMs: 50, takenBytes: 90e6, keptBytes: 90e6, released: [70e6, 9e6] }],
    [
      'not again when it releases little',
      false,
      { spentMs: 50, takenBytes: 80e6, keptBytes: 80e6, released: [70e6, 5e6] },
    ],
    ['not again and again', false, { spentMs: 50, takenBytes: 80e6, keptBytes: 80e6, released: Array(6).fill(9e6) }],
    ['not while there is work', false, { spentMs: 3_000, takenBytes: 160e6, keptBytes: 60e6, released: [70e6] }],
    ['not for a little', false, { spentMs: 50, takenBytes: 70e6, keptBytes: 60e6, released: [] }],
    ['not where all of it stays', false, { spentMs: 50, takenBytes: 160e6, keptBytes: 160e6, released: [] }],
  ])('%s', (_, isTime, look) => {
    expect(isTimeToShrink(look)).toBe(isTime)
  })
})

describe('a start is over', () => {
  it.each([
    ['not before six seconds', false, [900, 900, 900, 900, 900, 900]],
    ['when six seconds took little', true, [900, 900, 900, 900, 900, 900, 900]],
    ['not while there is still work', false, [900, 1_500, 2_100, 2_500, 2_500, 2_500, 2_500]],
    ['six seconds after that work', true, [900, 1_500, 2_100, 2_500, 2_500, 2_500, 2_500, 2_500, 2_500]],
  ])('%s', (_, isOver, spentMs) => {
    expect(isStartOver(spentMs)).toBe(isOver)
  })
})
