import { expect, it } from 'vitest'
import { accountProblem } from './account-state.ts'

const nowMs = Date.UTC(2026, 0, 1)
/** The format of Active Directory. */
const ticks = (ms: number) => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n)
const problem = (entry: Readonly<Record<string, string>>) =>
  accountProblem({ dn: 'CN=jane', ...entry }, 'activeDirectory', nowMs)

it.each([
  ['has ended', { accountExpires: ticks(nowMs - 1) }],
  ['ends now', { accountExpires: ticks(nowMs) }],
  ['ended long ago', { accountExpires: '1' }],
])('an account that %s has expired', (_, entry) => {
  expect(problem(entry)).toContain('expired')
})

it.each([
  ['with no end', {}],
  ['with no end, as a zero', { accountExpires: '0' }],
  ['with no end, as the largest number', { accountExpires: '9223372036854775807' }],
  ['that ends in a moment', { accountExpires: ticks(nowMs + 1) }],
  ['with an expiry that is not a number', { accountExpires: 'soon' }],
  ['that is a normal one', { userAccountControl: '512' }],
  ['that never needs to change its password', { userAccountControl: '66048' }],
])('an account %s is valid', (_, entry) => {
  expect(problem(entry)).toBeUndefined()
})

it('a disabled account is refused, whatever filter the connector has', () => {
  expect(problem({ userAccountControl: '514' })).toContain('disabled')
})

it('attributes of other directories are ignored', () => {
  expect(accountProblem({ dn: 'uid=jane', accountExpires: '1' }, 'openLdap', nowMs)).toBeUndefined()
})
