import { describe, expect, it } from 'vitest'
import type { AuthenticationResult, Authenticator } from '../contract.ts'
import { limitFailures } from './failure-limit.ts'

const good: AuthenticationResult = { outcome: 'authenticated', user: { name: 'alice', groups: [] } }
const disabled: AuthenticationResult = { outcome: 'refused', message: 'disabled', causeReason: 'KeyDisabled' }

const authenticator: Authenticator = {
  authenticateToken: (token) => {
    if (token === 'good') return good
    return token === 'disabled' ? disabled : { outcome: 'unknown' }
  },
}

function worldOf(inner = authenticator) {
  const clock = { nowMs: 0, now: () => clock.nowMs }
  const limited = limitFailures(inner, { clock, burst: 3, refillMs: 1000, maxAddresses: 2 })
  const attempt = (token: string, address = '192.0.2.1') =>
    limited.authenticateToken(token, [], { address, userAgent: '' })
  return { clock, limited, attempt }
}

const tooMany = { outcome: 'refused', retryAfterSeconds: 1 }

describe('failed attempts', () => {
  it('are answered as unauthorized at first, then with "too many"', () => {
    const { attempt } = worldOf()
    for (let failure = 0; failure < 3; failure++) expect(attempt('bad')).toEqual({ outcome: 'unknown' })
    for (let failure = 0; failure < 9; failure++) expect(attempt('bad')).toMatchObject(tooMany)
  })

  it('are forgiven one by one over time', () => {
    const { clock, attempt } = worldOf()
    for (let failure = 0; failure < 9; failure++) attempt('bad')
    clock.nowMs += 1000
    expect(attempt('bad')).toEqual({ outcome: 'unknown' })
    expect(attempt('bad')).toMatchObject(tooMany)
    clock.nowMs += 3000
    for (let failure = 0; failure < 3; failure++) expect(attempt('bad')).toEqual({ outcome: 'unknown' })
    expect(attempt('bad')).toMatchObject(tooMany)
  })

  it('do not lock out a caller that has a key, even from the same address', () => {
    const { attempt } = worldOf()
    for (let failure = 0; failure < 9; failure++) attempt('bad')
    expect(attempt('good')).toBe(good)
    expect(attempt('disabled')).toBe(disabled)
    expect(attempt('bad', '192.0.2.2')).toEqual({ outcome: 'unknown' })
  })

  it('are counted for a bounded number of addresses', () => {
    const { attempt } = worldOf()
    for (let failure = 0; failure < 9; failure++) attempt('bad', 'a')
    attempt('bad', 'b')
    expect(attempt('bad', 'a')).toMatchObject(tooMany)
    attempt('bad', 'c')
    attempt('bad', 'd')
    expect(attempt('bad', 'a')).toEqual({ outcome: 'unknown' })
  })

  it('count together from all addresses of one IPv6 network', () => {
    const { attempt } = worldOf()
    for (let host = 1; host <= 3; host++) attempt('bad', `2001:db8::${host}`)
    expect(attempt('bad', '2001:db8::4')).toMatchObject(tooMany)
    expect(attempt('bad', '2001:db8:0:1::1')).toEqual({ outcome: 'unknown' })
  })

  it('are not counted when the token is only reviewed', () => {
    const { limited } = worldOf()
    for (let failure = 0; failure < 9; failure++) {
      expect(limited.authenticateToken('bad')).toEqual({ outcome: 'unknown' })
    }
  })

  it('count even when the answer comes late', async () => {
    const { attempt } = worldOf({ authenticateToken: async () => ({ outcome: 'unknown' }) })
    for (let failure = 0; failure < 3; failure++) expect(await attempt('bad')).toEqual({ outcome: 'unknown' })
    expect(await attempt('bad')).toMatchObject(tooMany)
  })
})
