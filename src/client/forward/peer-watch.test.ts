import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PeerWatch } from './peer-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A peer that answers pings as long as it is told to. */
function watched(quietMs?: number) {
  const peer = { answers: true, pings: 0, silences: 0 }
  const session = {
    destroyed: false,
    ping: (answered: (error: Error | null) => void) => {
      peer.pings += 1
      if (peer.answers) answered(null)
      return true
    },
  }
  const watch = new PeerWatch({
    session,
    ...(quietMs !== undefined && { quietMs }),
    elapsed: { now: () => vi.getMockedSystemTime()?.getTime() ?? 0 },
    onSilence: () => {
      peer.silences += 1
    },
  })
  return { peer, watch }
}

it('a peer that answers is never given up', () => {
  const { peer } = watched()
  vi.advanceTimersByTime(600_000)
  expect(peer).toMatchObject({ pings: 60, silences: 0 })
})

it('a peer that stopped answering is given up after 25 to 35 seconds', () => {
  const { peer } = watched()
  vi.advanceTimersByTime(20_000)
  peer.answers = false
  vi.advanceTimersByTime(20_000)
  expect(peer.silences).toBe(0)
  vi.advanceTimersByTime(15_000)
  expect(peer.silences).toBeGreaterThan(0)
})

it('data from the peer counts like an answer to a ping', () => {
  const { peer, watch } = watched()
  peer.answers = false
  for (let second = 0; second < 120; second += 20) {
    vi.advanceTimersByTime(20_000)
    watch.seen()
  }
  expect(peer.silences).toBe(0)
})

it('a peer is not pinged after the watch has stopped', () => {
  const { peer, watch } = watched()
  watch.stop()
  vi.advanceTimersByTime(600_000)
  expect(peer).toMatchObject({ pings: 0, silences: 0 })
})

it('a peer that sends requests itself is not pinged, and given up as soon as any other', () => {
  const { peer, watch } = watched(15_000)
  peer.answers = false
  for (let second = 0; second < 600; second += 10) {
    vi.advanceTimersByTime(10_000)
    watch.seen()
  }
  expect(peer).toMatchObject({ pings: 0, silences: 0 })
  vi.advanceTimersByTime(20_000)
  expect(peer).toMatchObject({ pings: 1, silences: 0 })
  vi.advanceTimersByTime(15_000)
  expect(peer.silences).toBeGreaterThan(0)
})
