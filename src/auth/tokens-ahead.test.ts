import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import type { TokenGrant } from './service-account-issuer.ts'
import { TokensAhead } from './tokens-ahead.ts'

function grantFor(pod: string, more: Partial<TokenGrant> = {}): TokenGrant {
  return {
    namespace: 'team',
    serviceAccount: { name: 'default', uid: 'account' },
    audiences: ['api'],
    expirationSeconds: 3_600,
    boundTo: [{ kind: 'Pod', name: pod, uid: `uid-of-${pod}` }],
    ...more,
  }
}

function signing() {
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs }
  const signed: TokenGrant[] = []
  const ahead = new TokensAhead(async (grant) => {
    signed.push(grant)
    if (grant.namespace === 'broken') throw new Error('no key')
    return { token: `token-${signed.length}`, expiresAtMs: 0 }
  }, clock)
  return { ahead, clock, signed }
}

describe('a token that was signed ahead', () => {
  it('is returned once', async () => {
    const { ahead, signed } = signing()
    ahead.begin(grantFor('web'))
    expect(await ahead.issue(grantFor('web'))).toMatchObject({ token: 'token-1' })
    expect(signed).toHaveLength(1)
    expect(await ahead.issue(grantFor('web'))).toMatchObject({ token: 'token-2' })
  })

  it.each<[string, TokenGrant]>([
    ['Pod', grantFor('other')],
    ['Pod of that name', grantFor('web', { boundTo: [{ kind: 'Pod', name: 'web', uid: 'later' }] })],
    ['node', grantFor('web', { boundTo: [...(grantFor('web').boundTo ?? []), { kind: 'Node', name: 'n', uid: 'n' }] })],
    ['audience', grantFor('web', { audiences: ['vault'] })],
    ['life', grantFor('web', { expirationSeconds: 600 })],
    ['account', grantFor('web', { serviceAccount: { name: 'default', uid: 'later' } })],
    ['namespace', grantFor('web', { namespace: 'another' })],
  ])('is not returned for another %s', async (_what, grant) => {
    const { ahead, signed } = signing()
    ahead.begin(grantFor('web'))
    await ahead.issue(grant)
    expect(signed).toEqual([grantFor('web'), grant])
  })

  it.each([
    ['is not given when a while has passed', 5_000],
    ['is not given when the clock was set back', -1],
  ])('%s', async (_what, laterMs) => {
    const { ahead, clock } = signing()
    ahead.begin(grantFor('web'))
    clock.nowMs += laterMs
    expect(await ahead.issue(grantFor('web'))).toMatchObject({ token: 'token-2' })
  })

  it('is one of few at a time, so that Pods that are never stored cost little', async () => {
    const { ahead, clock, signed } = signing()
    for (let index = 0; index < 100; index += 1) ahead.begin(grantFor(`web-${index}`))
    expect(signed).toHaveLength(4)
    clock.nowMs += 5_000
    ahead.begin(grantFor('later'))
    expect(signed).toHaveLength(5)
  })

  it('that could not be signed is retried', async () => {
    const { ahead, signed } = signing()
    ahead.begin(grantFor('web', { namespace: 'broken' }))
    await nextTurn()
    await expect(ahead.issue(grantFor('web', { namespace: 'broken' }))).rejects.toThrow('no key')
    expect(signed).toHaveLength(2)
  })
})
