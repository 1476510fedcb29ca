import { describe, expect, it } from 'vitest'
import { PasswordTries } from './password-tries.ts'

const clockAt = (ms: { now: number }) => ({ now: () => ms.now })
const ann = { connector: 'ldap', username: 'ann', address: '192.0.2.1' }
const thief = (number: number, username = 'ann') => ({ ...ann, username, address: `198.51.100.${number}` })

/** From different networks, until nothing is left for the name. */
function floodName(tries: PasswordTries): number {
  let taken = 0
  for (let number = 0; number < 100; number += 1) if (tries.take(thief(number))) taken += 1
  return taken
}

describe('password attempts', () => {
  it('are limited to 20 for a name, from all networks together', () => {
    expect(floodName(new PasswordTries(clockAt({ now: 0 })))).toBe(20)
  })

  it('do not lock a user out of a network with an earlier successful sign-in, in any spelling', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    expect(tries.take(ann)).toBe(true)
    tries.succeeded(ann)
    floodName(tries)
    expect(tries.take(thief(200))).toBe(false)
    expect(tries.take({ ...ann, username: ' ANN ' })).toBe(true)
    expect(tries.take({ ...ann, address: '203.0.113.9' })).toBe(false)
    expect(tries.take({ ...ann, connector: 'other' })).toBe(true)
  })

  it('from such a network are limited to 20, too', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    tries.succeeded(ann)
    const taken = Array.from({ length: 50 }, () => tries.take(ann))
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(20)
  })

  it('with other names have no separate limit there', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    tries.succeeded(thief(1, 'eve'))
    floodName(tries)
    expect(tries.take(thief(1))).toBe(false)
  })

  it('are forgiven over time', () => {
    const ms = { now: 0 }
    const tries = new PasswordTries(clockAt(ms))
    floodName(tries)
    ms.now = 15_000
    expect([tries.take(ann), tries.take(ann)]).toEqual([true, false])
  })
})
