import { expect, it } from 'vitest'
import { type Attempts, countedAttempts, type EndedAttempt, linkPauseMs } from './backoff.ts'
import type { LinkProblemReason } from './contract.ts'

const always = (byte: number) => ({ uuid: () => '', bytes: () => Uint8Array.of(byte, byte) })

const ended = (reason: LinkProblemReason, tookMs: number, returnWithinMs?: number): EndedAttempt => ({
  problem: { reason, message: '', ...(returnWithinMs !== undefined && { returnWithinMs }) },
  tookMs,
  nowMs: 100_000,
})
const restart = (untilMs: number, paceMs: number, goodbyes = 1): Attempts => ({
  failed: 0,
  restart: { untilMs, paceMs, goodbyes },
})

it.each([
  [1, 'Unreachable', 125, 250],
  [4, 'Unreachable', 1_000, 2_000],
  [51, 'Unreachable', 7_500, 15_000],
  [51, 'KeyRefused', 30_000, 60_000],
] as const)('failure %i after %s waits between %i and %i ms', (failed, reason, least, most) => {
  expect(linkPauseMs({ failed }, reason, always(0))).toBe(least)
  expect(linkPauseMs({ failed }, reason, always(255))).toBe(most)
})

it.each([
  ['a link that held is tried again soon', 7, 'ConnectionLost', 20_001, 1],
  ['one that did not is tried later each time', 7, 'ConnectionLost', 20_000, 8],
  ['a revoked key is not tried again soon, however long the link held', 0, 'KeyRevoked', 3_600_000, 5],
  ['nor sooner than before', 7, 'KeyRevoked', 100, 8],
] as const)('%s', (_, failed, reason, tookMs, counted) => {
  expect(countedAttempts({ failed }, ended(reason, tookMs))).toEqual({ failed: counted })
})

it.each([
  ['begins whatever was before', { failed: 7 }, ended('PlatformUnavailable', 100, 15), restart(115_000, 250)],
  [
    'is as spread as the platform asks',
    { failed: 0 },
    ended('PlatformUnavailable', 100, 9_000),
    restart(115_000, 9_000),
  ],
  ['continues while nothing listens', restart(100_001, 250), ended('Unreachable', 5), restart(100_001, 250)],
  ['continues while it starts', restart(100_001, 250), ended('PlatformUnavailable', 5), restart(100_001, 250)],
  ['ends after its time', restart(100_000, 250), ended('Unreachable', 5), { failed: 1 }],
  ['ends with a refusal', restart(100_001, 250), ended('KeyRefused', 5), { failed: 1 }],
] as const)('a restarting platform is retried at a steady rate: it %s', (_, before, end, after) => {
  expect(countedAttempts(before, end)).toEqual(after)
})

it('with half of the pause at random', () => {
  expect(linkPauseMs(restart(100_001, 9_000), 'Unreachable', always(0))).toBe(4_500)
  expect(linkPauseMs(restart(100_001, 9_000), 'Unreachable', always(255))).toBe(9_000)
})

it.each([
  ['is as patient with each replica that ends', 4, 100, restart(115_000, 250, 5)],
  ['is asked less often when it does not end', 5, 100, restart(115_000, 500, 6)],
  ['each time', 9, 100, restart(115_000, 8_000, 10)],
  ['down to the longest pause', 500, 100, restart(115_000, 15_000, 501)],
  ['and resets after a stable link', 500, 20_001, restart(115_000, 250, 1)],
] as const)('a platform that closes the link repeatedly: it %s', (_, goodbyes, tookMs, after) => {
  expect(countedAttempts(restart(90_000, 250, goodbyes), ended('PlatformUnavailable', tookMs, 15))).toEqual(after)
})
