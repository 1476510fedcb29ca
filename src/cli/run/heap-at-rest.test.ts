import { describe, expect, it } from 'vitest'
import { isTimeToShrink } from './heap-at-rest.ts'

describe('the heap is collected', () => {
  it.each([
    ['after a burst', true, { spentMs: 500, takenBytes: 160e6, keptBytes: 60e6 }],
    ['not while there is work', false, { spentMs: 3_000, takenBytes: 160e6, keptBytes: 60e6 }],
    ['not for a little', false, { spentMs: 50, takenBytes: 70e6, keptBytes: 60e6 }],
    ['not where all of it stays', false, { spentMs: 50, takenBytes: 160e6, keptBytes: 160e6 }],
  ])('%s', (_, isTime, look) => {
    expect(isTimeToShrink(look)).toBe(isTime)
  })
})
