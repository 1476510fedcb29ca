import { describe, expect, it } from 'vitest'
import type { Authenticator } from './contract.ts'
import { firstKnown } from './first-known.ts'
import { createStaticTokenAuthenticator } from './static-tokens.ts'
import { parseTokenFile } from './token-file.ts'

const alice = { name: 'alice', uid: 'alice-uid', groups: ['dev', 'system:authenticated'] }
const authenticator = createStaticTokenAuthenticator([
  { token: 'alice-token', name: 'alice', uid: 'alice-uid', groups: ['dev'] },
  { token: 'bare', name: 'bare', groups: ['system:authenticated'] },
])

describe('static tokens', () => {
  it('give the user they belong to, with the group of all authenticated users', () => {
    expect(authenticator.authenticateToken('alice-token')).toEqual({ outcome: 'authenticated', user: alice })
    expect(authenticator.authenticateToken('bare')).toEqual({
      outcome: 'authenticated',
      user: { name: 'bare', groups: ['system:authenticated'] },
    })
  })

  it.each(['', 'alice-toke', 'alice-token ', 'ALICE-TOKEN', '__proto__', 'x'.repeat(1_000_000)])(
    'do not match %.20s',
    (token) => expect(authenticator.authenticateToken(token)).toEqual({ outcome: 'unknown' }),
  )

  it('are refused when empty, because any client can send the empty token', () => {
    expect(() => createStaticTokenAuthenticator([{ token: '', name: 'nobody' }])).toThrow(/user nobody is empty/)
  })
})

describe('the first authenticator that knows a token', () => {
  const late = (authenticate: Authenticator): Authenticator => ({
    authenticateToken: async (token) => authenticate.authenticateToken(token),
  })
  const refusing: Authenticator = { authenticateToken: () => ({ outcome: 'refused', message: 'disabled' }) }
  const empty = createStaticTokenAuthenticator([])

  it('decides, whether it answers now or later', async () => {
    for (const chain of [
      [empty, authenticator],
      [late(empty), authenticator],
      [empty, late(authenticator), refusing],
    ]) {
      expect(await firstKnown(chain).authenticateToken('alice-token')).toEqual({
        outcome: 'authenticated',
        user: alice,
      })
    }
  })

  it('may refuse it, and then no other authenticator is asked', async () => {
    expect(await firstKnown([late(empty), refusing, authenticator]).authenticateToken('alice-token')).toEqual({
      outcome: 'refused',
      message: 'disabled',
    })
  })

  it('may be none', async () => {
    expect(await firstKnown([empty, late(empty)]).authenticateToken('alice-token')).toEqual({ outcome: 'unknown' })
    expect(await firstKnown([]).authenticateToken('alice-token')).toEqual({ outcome: 'unknown' })
  })
})

describe('a token file', () => {
  it('has a token, a user, a uid and optional groups per line', () => {
    const text =
      'admin-token,admin,admin-uid,"system:masters"\r\n\nt2,bob,2,"a,b ""c"""\nt3,"eve, jr",3\n,skipped,1\nt4,dan,4,\n'
    expect(parseTokenFile(text).tokens).toEqual([
      { token: 'admin-token', name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
      { token: 't2', name: 'bob', uid: '2', groups: ['a', 'b "c"'] },
      { token: 't3', name: 'eve, jr', uid: '3', groups: [] },
      { token: 't4', name: 'dan', uid: '4', groups: [] },
    ])
  })

  it('reports ignored lines', () => {
    const { tokens, warnings } = parseTokenFile('t1,ann,1\n,bob,2\nt1,eve,3\n')
    expect(tokens).toEqual([{ token: 't1', name: 'eve', uid: '3', groups: [] }])
    expect(warnings).toEqual([
      'line 2: it has no token and is passed over',
      'line 3: its token is on an earlier line too; this one counts',
    ])
  })

  it.each([
    ['ok,ok,ok\nsecret,alice', 'line 2: it has 2 of at least 3 columns'],
    ['secret,alice,"uid', 'line 1, column 14: the quote that opens here is not closed'],
    ['secret,"alice"x,uid', 'line 1, column 15: a comma must follow a closing quote'],
    ['secret,al"ice,uid', 'line 1, column 10: a quote in the middle of a field'],
  ])('is refused with the line and without the secret: %j', (text, message) => {
    expect(() => parseTokenFile(text)).toThrow(message)
    expect(() => parseTokenFile(text)).not.toThrow(/secret/)
  })
})
