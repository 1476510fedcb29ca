import { expect, it } from 'vitest'
import { accountOfKey } from './key-account.ts'

it.each([
  ['a key of a user', { user: 'ann' }, 'user/ann'],
  ['a key of a team', { team: 'ops', type: 'User' }, 'team/ops'],
  ['a session, which has its own limit', { user: 'ann', type: 'Login' }, undefined],
  ['a refresh token of an application, which has one too', { user: 'ann', type: 'OIDCRefreshToken' }, undefined],
  ['a key without an owner', {}, undefined],
])('the account of %s', (_, spec, account) => {
  expect(accountOfKey(spec)).toBe(account)
})
