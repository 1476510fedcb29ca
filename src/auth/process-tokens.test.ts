import { describe, expect, it } from 'vitest'
import { systemRandom } from '../base/random.ts'
import { ProcessTokens } from './process-tokens.ts'

describe('tokens of clients in the process of the server', () => {
  const tokens = new ProcessTokens(systemRandom)
  const one = tokens.issue({ name: 'system:tenant-up:one', groups: ['system:masters'] })
  const other = tokens.issue({ name: 'system:tenant-up:other', groups: [] })

  it('identify the client', () => {
    const groups = ['system:masters', 'system:authenticated']
    const user = { name: 'system:tenant-up:one', groups }
    expect(tokens.authenticateToken(one)).toEqual({ outcome: 'authenticated', user })
    expect(tokens.authenticateToken(other)).toMatchObject({ user: { name: 'system:tenant-up:other' } })
  })

  it('cannot be guessed from another one', () => {
    expect(one).not.toBe(other)
    for (const guess of ['', one.slice(1), `${one}x`]) {
      expect(tokens.authenticateToken(guess)).toEqual({ outcome: 'unknown' })
    }
  })
})
