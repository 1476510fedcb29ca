import { expect, it } from 'vitest'
import { triedName } from './tried-name.ts'

it('is the same for spellings of one name, at one connector', () => {
  expect(triedName('ldap', ' ANN ')).toBe(triedName('ldap', 'ann'))
  expect(triedName('ldap', 'bob')).not.toBe(triedName('ldap', 'ann'))
  expect(triedName('other', 'ann')).not.toBe(triedName('ldap', 'ann'))
})

it('takes the same room for every name, such as one of ligatures that stand for 18 characters each', () => {
  expect(triedName('ldap', '\ufdfa'.repeat(256))).toHaveLength(triedName('ldap', 'ann').length)
})
