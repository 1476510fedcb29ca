import { expect, it } from 'vitest'
import { oidcIssuerArgument } from './oidc-issuer-argument.ts'

it('takes the address of the platform and /oidc, to the letter', () => {
  expect(oidcIssuerArgument('https://platform.example.com:8443/oidc')).toBe('https://platform.example.com:8443/oidc')
})

it.each([
  'http://platform.example.com/oidc',
  'https://platform.example.com',
  'https://platform.example.com/oidc/',
  'https://platform.example.com/x/oidc',
  'https://platform.example.com:443/oidc',
  'https://Platform.example.com/oidc',
  'https://u@platform.example.com/oidc',
  'https://platform.example.com/oidc?x',
  'platform',
])('refuses %s', (text) => {
  expect(() => oidcIssuerArgument(text)).toThrow('address of the platform')
})
