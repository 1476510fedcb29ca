import { describe, expect, it } from 'vitest'
import { backoffMs, fraction } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'
import { ConnectionError, UntrustedCertificate } from '../connection/connection-error.ts'
import { type HttpMethod, retryPauseMs } from './retry.ts'

const limits = { attempts: 4, firstMs: 100, longestMs: 1_000 }
const highest: Random = { uuid: () => '', bytes: (length) => new Uint8Array(length).fill(255) }
const lowest: Random = { uuid: () => '', bytes: (length) => new Uint8Array(length) }

describe('the pause after failures', () => {
  it.each([
    [1, 50, 100],
    [2, 100, 200],
    [3, 200, 400],
    [5, 500, 1_000],
    [5_000, 500, 1_000],
  ])('grows with their number: after %i from %i to %i ms', (failures, least, most) => {
    expect(backoffMs(failures, limits, lowest)).toBe(least)
    expect(backoffMs(failures, limits, highest)).toBe(most)
  })

  it('is spread even for fractions below one', () => {
    expect(fraction(lowest)).toBe(0)
    expect(fraction(highest)).toBeLessThan(1)
  })
})

describe('a request', () => {
  const status = (code: number, retryAfter?: string) => ({
    status: code,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  })
  const refusedConnection = { error: new ConnectionError('nothing listens', { nothingSent: true }) }
  const cutConnection = { error: new ConnectionError('cut') }
  const certificate = { fingerprint: '', subject: '', issuer: '', names: [], validFrom: '', validTo: '' }
  const stranger = { error: new UntrustedCertificate('stranger', certificate, { reason: 'changed', expected: '' }) }
  const again: [string, HttpMethod, Parameters<typeof retryPauseMs>[0]['outcome'], number | undefined][] = [
    ['that was never sent', 'POST', refusedConnection, 100],
    ['that reads, after its connection was cut', 'GET', cutConnection, 100],
    ['that writes, after its connection was cut', 'POST', cutConnection, undefined],
    ['that deletes, after its connection was cut', 'DELETE', cutConnection, undefined],
    ['to an untrusted server', 'GET', stranger, undefined],
    ['that was given up', 'GET', { error: new DOMException('', 'AbortError') }, undefined],
    ['that was answered', 'GET', status(200), undefined],
    ['that was refused', 'PUT', status(409), undefined],
    ['too many', 'POST', status(429), 100],
    ['too many, with a time', 'POST', status(429, '1'), 1_025],
    ['too many, with a time that is too long to wait', 'POST', status(429, '3600'), undefined],
    ['too many, with an invalid time', 'POST', status(429, 'soon'), 100],
    ['that reads and was answered 503', 'GET', status(503), 100],
    ['that writes and was answered 503', 'PUT', status(503), undefined],
    ['that writes and was asked to come back', 'PUT', status(503, '0'), 25],
    ['that reads and was answered 504', 'GET', status(504), 100],
    ['that writes, with an unknown outcome', 'PUT', status(504, '1'), undefined],
  ]

  it.each(again)('%s (%s)', (_, method, outcome, pauseMs) => {
    expect(retryPauseMs({ method, number: 1, outcome }, limits, highest)).toBe(pauseMs)
  })

  it('is not retried forever', () => {
    const outcome = status(429)
    expect(retryPauseMs({ method: 'GET', number: 3, outcome }, limits, highest)).toBe(400)
    expect(retryPauseMs({ method: 'GET', number: 4, outcome }, limits, highest)).toBeUndefined()
  })
})
