import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addLicenseIssuerOption } from './license-issuer-option.ts'

const parse = (...args: readonly string[]) =>
  addLicenseIssuerOption(new Command('try')).exitOverride().parse(args, { from: 'user' })

it.each([['--license-issuer'], ['--issuer']])('%s names the issuer', (flag) => {
  expect(parse(flag, 'issuer.pub').opts()).toMatchObject({ licenseIssuer: 'issuer.pub' })
})

it('help shows one of the names', () => {
  const help = addLicenseIssuerOption(new Command('try')).helpInformation()
  expect(help).toContain('--license-issuer <key>')
  expect(help).not.toContain(' --issuer')
})

it('the issuer is optional', () => {
  expect(parse().opts()).toEqual({})
})
