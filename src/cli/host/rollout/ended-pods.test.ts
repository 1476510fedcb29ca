import { describe, expect, it } from 'vitest'
import { hasFullyEnded } from './ended-pods.ts'

const running = { state: { running: {} } }
const terminated = { state: { terminated: { exitCode: 0 } } }

function pod(containerStatuses: readonly object[], isDeleted = true) {
  const metadata = { name: 'a', ...(isDeleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }) }
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { containerStatuses } }
}

describe('a Pod has ended', () => {
  it.each([
    ['deleted, and all containers are terminated', pod([terminated, terminated]), true],
    ['deleted, and one still runs', pod([terminated, running]), false],
    ['deleted, and nothing is known of containers: they may run', pod([]), false],
    ['not deleted: it is started again', pod([terminated], false), false],
  ])('%s', (_, each, isOver) => {
    expect(hasFullyEnded(each)).toBe(isOver)
  })
})
