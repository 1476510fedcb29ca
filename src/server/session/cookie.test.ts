import { describe, expect, it } from 'vitest'
import { printSessionCookie, readSessionCookie, type SessionCookie, withoutSessionCookie } from './cookie.ts'

describe('the session of a Cookie header', () => {
  it.each<readonly [string | undefined, SessionCookie]>([
    [undefined, { form: 'none' }],
    ['', { form: 'none' }],
    ['a=b', { form: 'none' }],
    ['my_tenant_session=x', { form: 'none' }],
    ['tenant_session', { form: 'none' }],
    ['tenant_session=tpk_x', { form: 'token', token: 'tpk_x' }],
    ['a=b; tenant_session=x; c=d', { form: 'token', token: 'x' }],
    ['a=b;tenant_session=x', { form: 'token', token: 'x' }],
    ['tenant_session=a%3Bb', { form: 'token', token: 'a;b' }],
    ['tenant_session=', { form: 'malformed' }],
    ['tenant_session=%', { form: 'malformed' }],
    ['tenant_session=x; tenant_session=y', { form: 'malformed' }],
  ])('%j is %j', (header, session) => {
    expect(readSessionCookie(header)).toEqual(session)
  })

  it('is read as it was set, whatever a key is made of', () => {
    const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 0x21))
    const [pair = ''] = printSessionCookie(visible, 60).split('; ')
    expect(readSessionCookie(`a=b; ${pair}`)).toEqual({ form: 'token', token: visible })
  })

  it.each([
    ['tenant_session=x', undefined],
    ['a=b; tenant_session=x; c=d', 'a=b; c=d'],
    ['tenant_session=x; tenant_session=y', undefined],
    ['a=b', 'a=b'],
  ])('is taken out of %j before anybody passes it on: %j', (header, rest) => {
    expect(withoutSessionCookie(header)).toBe(rest)
  })
})
