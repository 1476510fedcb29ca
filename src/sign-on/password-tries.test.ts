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

describe('passwords that are tried', () => {
  it('with one name are 20, from however many networks', () => {
    expect(floodName(new PasswordTries(clockAt({ now: 0 })))).toBe(20)
  })

  it('do not keep a user out of a network from which the name got in before, in whatever spelling', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    expect(tries.take(ann)).toBe(true)
    tries.succeeded(ann)
    floodName(tries)
    expect(tries.take(thief(200))).toBe(false)
    expect(tries.take({ ...ann, username: ' ANN ' })).toBe(true)
    expect(tries.take({ ...ann, address: '203.0.113.9' })).toBe(false)
    expect(tries.take({ ...ann, connector: 'other' })).toBe(true)
  })

  it('from there are 20 as well', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    tries.succeeded(ann)
    const taken = Array.from({ length: 50 }, () => tries.take(ann))
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(20)
  })

  it('with other names get no tries of their own there', () => {
    const tries = new PasswordTries(clockAt({ now: 0 }))
    tries.succeeded(thief(1, 'eve'))
    floodName(tries)
    expect(tries.take(thief(1))).toBe(false)
  })

  it('come back with time', () => {
    const ms = { now: 0 }
    const tries = new PasswordTries(clockAt(ms))
    floodName(tries)
    ms.now = 15_000
    expect([tries.take(ann), tries.take(ann)]).toEqual([true, false])
  })
})
