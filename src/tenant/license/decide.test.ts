import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { License } from '../../auth/license/contract.ts'
import { signLicense } from '../../auth/license/sign.ts'
import {
  generateEd25519Pem,
  printEd25519PublicKey,
  readEd25519PrivateKey,
  readEd25519PublicKey,
} from '../../base/keys/ed25519.ts'
import { decideLicense, type LicenseSetting, type LicenseSources } from './decide.ts'
import { neededFeatures } from './needed.ts'

const issuer = readEd25519PrivateKey(generateEd25519Pem())
const issuerKey = readEd25519PublicKey(printEd25519PublicKey(issuer))
const nowMs = Date.parse('2026-11-15T00:00:00Z')

function document(changes: Partial<License> = {}, key = issuer): Promise<string> {
  const license = {
    id: 'a',
    issuedTo: 'Example',
    features: ['sync-patches', 'platform-link'],
    limits: {},
    issuedAtMs: nowMs - 1000,
    expiresAtMs: nowMs + 1000,
    ...changes,
  }
  return signLicense(license, key)
}

const full = await document()
const bare = await document({ features: ['platform-link'] })
const ended = await document({ expiresAtMs: nowMs - 500 })
const future = await document({ issuedAtMs: nowMs + 1e9, expiresAtMs: nowMs + 2e9 })
const foreign = await document({}, readEd25519PrivateKey(generateEd25519Pem()))

const patch = { path: 'metadata.labels.a', expression: 'value' }
const patched: TenantConfig = { sync: { toHost: { endpoints: { patches: [patch] } } } }

function decide(sources: LicenseSources, more: Partial<LicenseSetting> = {}, config = patched) {
  const needed = neededFeatures(effectiveConfig(config))
  return decideLicense({ needed, sources, hasPlatform: true, issuerKey, nowMs, ...more })
}

describe('features that a configuration needs', () => {
  it.each<[string, TenantConfig, readonly string[]]>([
    ['nothing without patches', {}, []],
    ['patches of a kind', patched, ['sync.toHost.endpoints.patches']],
    [
      'patches of a custom resource',
      { sync: { toHost: { customResources: { 'widgets.example.com': { enabled: true, patches: [patch] } } } } },
      ['sync.toHost.customResources.widgets.example.com.patches'],
    ],
    [
      'patches from the host',
      { sync: { fromHost: { secrets: { patches: [patch] } } } },
      ['sync.fromHost.secrets.patches'],
    ],
  ])('%s', (_name, config, fields) => {
    expect(neededFeatures(effectiveConfig(config)).map(({ field }) => field)).toEqual(fields)
  })
})

describe('a tenant with patches', () => {
  it.each<[string, LicenseSources]>([
    ['starts with the license of the platform', { told: full }],
    ['starts with its own license', { given: full }],
    ['prefers its own license to that of the platform', { given: full, told: bare }],
    ['starts with its stored license', { kept: full }],
    ['prefers the license of the platform to the stored one', { told: full, kept: bare }],
  ])('%s', async (_name, sources) => {
    expect(await decide(sources)).toEqual({ state: 'granted' })
  })

  it('continues with a license that ended during an outage, with a warning', async () => {
    expect(await decide({ kept: ended })).toEqual({
      state: 'granted',
      warning:
        'the license of Example ended 2026-11-14T23:59:59Z; the tenant continues until the platform is available',
    })
  })

  it('waits if a platform will report one', async () => {
    expect(await decide({})).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('waiting for the platform'),
    })
  })

  it.each<[string, LicenseSources, Partial<LicenseSetting>, string]>([
    ['stands alone without a license', {}, { hasPlatform: false }, 'the tenant has neither a license nor a platform'],
    ['has a license without the feature', { told: bare, kept: full }, {}, 'the license of Example does not include it'],
    ['has a license that ended', { told: ended, kept: full }, {}, 'the license of Example ended 2026-11-14T23:59:59Z'],
    ['was given a license that ended', { given: ended }, {}, 'the license of Example ended 2026-11-14T23:59:59Z'],
    [
      'has a license of another issuer',
      { told: foreign },
      {},
      'the license cannot be used: it was changed, or signed by an issuer other than the one known here',
    ],
    [
      'has a license from the future',
      { told: future },
      {},
      'the license begins 2026-11-26T13:46:40Z; is the clock right?',
    ],
  ])('is refused if it %s, with the field and the feature', async (_name, sources, more, why) => {
    expect(await decide(sources, more)).toEqual({
      state: 'refused',
      message: `sync.toHost.endpoints.patches needs the feature sync-patches, and ${why}`,
    })
  })

  it('is refused if the issuer of licenses is not known', async () => {
    const needed = neededFeatures(effectiveConfig(patched))
    expect(await decideLicense({ needed, sources: { told: full }, hasPlatform: true, nowMs })).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('license.issuerKey'),
    })
  })
})

it('a tenant without patches needs no license', async () => {
  expect(await decide({ told: foreign }, { hasPlatform: false }, {})).toEqual({ state: 'granted' })
})
