import { describe, expect, it } from 'vitest'
import { identityFrom, mergedClaims } from './identity.ts'

const spec = (oidc: object = {}, extraClaims: readonly string[] = []) => ({ oidc, extraClaims })
const mail = { sub: 's', email: 'a@example.com', mail: 'b@example.com' }

describe('a mail address is verified', () => {
  it.each([
    ['by email_verified, of email', {}, { email_verified: true }, true],
    ['by a text that says so', {}, { email_verified: 'true' }, true],
    ['by nothing else', {}, { email_verified: 'yes' }, false],
    ['not by email_verified, of another claim', { email: 'mail' }, { email_verified: true }, false],
    ['by a claim that the connector names', { email: 'mail', emailVerified: 'ok.mail' }, { ok: { mail: true } }, true],
  ])('%s', (_name, claims, told, isVerified) => {
    expect(identityFrom({ ...mail, ...told }, spec({ claims })).emailVerified).toBe(isVerified)
  })

  it.each([
    ['the answer that names it', { email: 'a', email_verified: true }, {}, true],
    [
      'the ID token, which names it too',
      { email: 'a', email_verified: false },
      { email: 'a', email_verified: true },
      true,
    ],
    ['userinfo, of the same address', { email: 'a', email_verified: true }, { email: 'a' }, true],
    ['not userinfo, of another address', { email: 'b', email_verified: true }, { email: 'a' }, undefined],
    ['not an ID token that names none', { email: 'a' }, { email_verified: true }, undefined],
  ])('by %s', (_name, userInfo, idToken, verified) => {
    expect(mergedClaims(userInfo, idToken).email_verified).toBe(verified)
  })
})

it('a claim that is too long is omitted, without affecting others', () => {
  const claims = { sub: 's', nickname: 'n'.repeat(5_000), cost: '42', roles: ['a', 'b'] }
  const { extraClaims } = identityFrom(claims, spec({}, ['nickname', 'cost', 'missing', 'roles']))
  expect(extraClaims).toEqual({ cost: '42', roles: ['a', 'b'] })
})
