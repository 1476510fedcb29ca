import { expect, it } from 'vitest'
import { collidingNames } from './colliding-names.ts'

it.each([
  ['web', ['web-config', 'web-applied', 'web-identity', 'web-pki', 'web-license']],
  ['web-pki', ['web', 'web-pki-config', 'web-pki-applied', 'web-pki-identity', 'web-pki-pki', 'web-pki-license']],
  ['pki', ['pki-config', 'pki-applied', 'pki-identity', 'pki-pki', 'pki-license']],
])('a tenant %s would share a Secret with some', (name, others) => {
  expect(collidingNames(name)).toEqual(others)
})
