import { describe, expect, it } from 'vitest'
import type { License } from '../../auth/license/contract.ts'
import { signLicense } from '../../auth/license/sign.ts'
import {
  generateEd25519Pem,
  printEd25519PublicKey,
  readEd25519PrivateKey,
  readEd25519PublicKey,
} from '../../base/keys/ed25519.ts'
import { admitLink } from './admit-link.ts'
import { createLicenseHolder } from './license-holder.ts'

const issuer = readEd25519PrivateKey(generateEd25519Pem())
const issuerKey = readEd25519PublicKey(printEd25519PublicKey(issuer))
const license: License = {
  id: 'a',
  issuedTo: 'Example',
  features: ['platform-link'],
  limits: { virtualClusters: 2 },
  issuedAtMs: 0,
  expiresAtMs: 10_000,
}

async function held(changes: Partial<License> = {}, nowMs = 5_000) {
  const document = await signLicense({ ...license, ...changes }, issuer)
  const holder = await createLicenseHolder({ document, issuerKey, clock: { now: () => nowMs } })
  return holder.check()
}

const newcomer = { registered: 1, isRegistered: false }
const known = { registered: 2, isRegistered: true }

describe('the license of a platform', () => {
  it('lets virtual clusters link as far as its limit', async () => {
    expect(admitLink(await held(), newcomer)).toEqual({ ok: true })
    expect(admitLink(await held(), { ...newcomer, registered: 2 })).toEqual({
      ok: false,
      message:
        'linking needs the feature platform-link: the license of Example is for 2 virtual clusters, and 2 are registered',
    })
    expect(admitLink(await held({ limits: {} }), { ...newcomer, registered: 1_000 })).toEqual({ ok: true })
  })

  it('never cuts off a registered virtual cluster, by its limit or by its end', async () => {
    expect(admitLink(await held(), { ...known, registered: 5 })).toEqual({ ok: true })
    expect(admitLink(await held({}, 240_000), known)).toEqual({ ok: true })
    expect(admitLink(await held({}, 240_000), newcomer)).toMatchObject({
      ok: false,
      message: expect.stringContaining('ended 1970-01-01T00:00:10Z'),
    })
  })

  it('refuses a link without the feature, a license or an issuer', async () => {
    expect(admitLink(await held({ features: ['sync-patches'] }), known)).toMatchObject({
      message: expect.stringContaining('does not include it'),
    })
    const clock = { now: () => 0 }
    expect(admitLink((await createLicenseHolder({ clock })).check(), known)).toMatchObject({
      message: expect.stringContaining('has no license'),
    })
    const document = await signLicense(license, issuer)
    expect(admitLink((await createLicenseHolder({ clock, document })).check(), known)).toMatchObject({
      message: expect.stringContaining('who issues licenses'),
    })
  })
})
