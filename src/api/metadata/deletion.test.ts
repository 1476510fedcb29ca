import { describe, expect, it } from 'vitest'
import { withDeletion } from './deletion.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const minute = 60_000

describe('a deletion', () => {
  const first = withDeletion({ name: 'k', generation: 1 }, 300, now)

  it('is set once and counts as a new generation', () => {
    expect(first).toEqual({
      name: 'k',
      generation: 2,
      deletionTimestamp: '2026-01-01T00:05:00Z',
      deletionGracePeriodSeconds: 300,
    })
    expect(withDeletion({ name: 'k' }, 0, now)).not.toHaveProperty('generation')
  })

  it('is never postponed', () => {
    expect(withDeletion(first, 300, now + minute)).toBe(first)
    expect(withDeletion(first, 900, now + minute)).toBe(first)
  })

  it('can be moved closer, but not into the past', () => {
    expect(withDeletion(first, 240, now + minute)).toMatchObject({
      generation: 2,
      deletionTimestamp: '2026-01-01T00:04:00Z',
      deletionGracePeriodSeconds: 240,
    })
    expect(withDeletion(first, 0, now + minute)).toMatchObject({
      deletionTimestamp: '2026-01-01T00:01:00Z',
      deletionGracePeriodSeconds: 0,
    })
  })
})
