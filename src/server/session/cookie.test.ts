import { describe, expect, it } from 'vitest'
import { formerCookieHeaders, printSessionCookie, readSessionCookie } from './cookie.ts'

const name = '__Host-tenant-session'

describe('the session of a Cookie header', () => {
  it.each<readonly [string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['a=b', undefined],
    [`my${name}=x`, undefined],
    [name, undefined],
    [`${name}=x`, 'x'],
    [`a=b; ${name}=x; c=d`, 'x'],
    [`a=b;${name}=x`, 'x'],
    [`${name}=`, ''],
    [`${name}=x; ${name}=y`, undefined],
    [`a=b;\t${name}=x\t`, 'x'],
    [`\u00a0${name}=x`, undefined],
    [`\ufeff${name}=x; ${name}=y`, 'y'],
    [`${name}=x; \u00a0${name}=y`, 'x'],
    [`tenant-session=x; __Secure-tenant-session=y`, undefined],
  ])('%j is %j', (header, handle) => {
    expect(readSessionCookie(header)).toBe(handle)
  })

  it('is read as it was set', () => {
    const [pair = ''] = printSessionCookie('abc', 60).split('; ')
    expect(readSessionCookie(`a=b; ${pair}`)).toBe('abc')
  })

  it('is only for this host, and a key that a former release stored is removed', () => {
    expect(printSessionCookie('abc', 60)).toBe(`${name}=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict`)
    expect(formerCookieHeaders('a=b')).toEqual([])
    expect(formerCookieHeaders('tenant_session=tpk_x')).toEqual([
      ...['Set-Cookie', 'tenant_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict'],
    ])
  })
})
