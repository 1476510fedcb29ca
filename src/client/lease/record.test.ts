import { describe, expect, it } from 'vitest'
import { isFree, newLease, readLease, released, renewed, seen, taken } from './record.ts'

const key = { namespace: 'n', name: 'l' }
const holder = { identity: 'a', durationSeconds: 15 }
const lease = (version: string) => {
  const made = newLease(key, holder, 0)
  return { ...made, metadata: { ...made.metadata, resourceVersion: version } }
}

describe('a lease', () => {
  it('is free when its holder has not renewed it within its duration, by the clock of the observer', () => {
    const first = seen(lease('1'), undefined, 1_000)
    expect(isFree(lease('1'), first, 15_999)).toBe(false)
    expect(isFree(lease('1'), seen(lease('1'), first, 9_000), 16_000)).toBe(true)
    expect(isFree(lease('2'), seen(lease('2'), first, 9_000), 16_000)).toBe(false)
  })

  it('is free when it has no holder', () => {
    const free = released(lease('1'), 5_000)
    expect(isFree(free, seen(free, undefined, 0), 0)).toBe(true)
    expect(free.spec).not.toHaveProperty('holderIdentity')
  })

  it('is free when it says nothing that can be understood', () => {
    const odd = { ...lease('1'), spec: { holderIdentity: 7, leaseDurationSeconds: 'x' } }
    expect(isFree(odd, seen(odd, undefined, 0), 0)).toBe(true)
  })

  it('counts its holders', () => {
    expect(readLease(lease('1')).transitions).toBe(0)
    const second = taken(lease('1'), { ...holder, identity: 'b' }, 0)
    expect(readLease(second)).toEqual({ holder: 'b', durationMs: 15_000, transitions: 1 })
    expect(readLease(renewed(second, 60_000))).toEqual({ holder: 'b', durationMs: 15_000, transitions: 1 })
    expect(readLease(taken(released(second, 0), holder, 0)).transitions).toBe(2)
  })

  it('tells when it was taken and renewed', () => {
    expect(renewed(lease('1'), 60_000).spec).toMatchObject({
      acquireTime: '1970-01-01T00:00:00.000000Z',
      renewTime: '1970-01-01T00:01:00.000000Z',
    })
  })
})
