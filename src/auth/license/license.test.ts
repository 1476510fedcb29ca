import { createPublicKey, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  generateEd25519Pem,
  printEd25519PublicKey,
  readEd25519PrivateKey,
  readEd25519PublicKey,
} from '../../base/keys/ed25519.ts'
import { checkLicense, grants } from './check.ts'
import type { License } from './contract.ts'
import { signLicense } from './sign.ts'

const issuer = readEd25519PrivateKey(generateEd25519Pem())
const stranger = readEd25519PrivateKey(generateEd25519Pem())
const issuerKey = readEd25519PublicKey(printEd25519PublicKey(issuer))
const nowMs = Date.parse('2026-11-15T00:00:00Z')
const dayMs = 86_400_000

const license: License = {
  id: 'a',
  issuedTo: 'Example',
  features: ['sync-patches', 'from-the-future'],
  limits: { virtualClusters: 3 },
  issuedAtMs: nowMs - dayMs,
  expiresAtMs: nowMs + dayMs,
}

async function check(changes: Partial<License> = {}, atMs = nowMs) {
  return checkLicense(await signLicense({ ...license, ...changes }, issuer), issuerKey, atMs)
}

const [header = '', payload = '', signature = ''] = (await signLicense(license, issuer)).split('.')

/** Signed by the issuer, with a header that the issuer would not write. */
function signedWith(more: object): string {
  const text = `${Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'tenant-license', ...more })).toString('base64url')}.${payload}`
  return `${text}.${sign(null, Buffer.from(text), issuer).toString('base64url')}`
}

const foreign = await signLicense(license, stranger)

describe('a license', () => {
  it('returns the signed content after the check', async () => {
    expect(await check()).toEqual({ state: 'valid', license })
  })

  it('grants what it names and nothing else', async () => {
    expect(grants(await check(), 'sync-patches')).toBe(true)
    expect(grants(await check(), 'platform-link')).toBe(false)
    expect(grants(await check({}, nowMs + dayMs), 'sync-patches')).toBe(false)
  })

  it.each<[string, Partial<License>, number, string]>([
    ['the moment before its end', {}, nowMs + dayMs - 1, 'valid'],
    ['its end', {}, nowMs + dayMs, 'expired'],
    ['a clock that is a little slow', { issuedAtMs: nowMs + 60_000 }, nowMs, 'valid'],
    ['the day before it was issued', { issuedAtMs: nowMs + dayMs }, nowMs, 'not-yet-valid'],
  ])('at %s has the right state', async (_name, changes, atMs, state) => {
    expect(await check(changes, atMs)).toMatchObject({ state })
  })

  it('without an end never ends', async () => {
    const { expiresAtMs: _, ...endless } = license
    expect(await checkLicense(await signLicense(endless, issuer), issuerKey, nowMs + 100_000 * dayMs)).toMatchObject({
      state: 'valid',
    })
  })

  const changed = Buffer.from(JSON.stringify({ jti: 'a', sub: 'b', features: ['platform-link'], iat: 0 })).toString(
    'base64url',
  )

  it.each<[string, string, string]>([
    ['signed by another issuer', foreign, 'untrusted'],
    ['with another content', `${header}.${changed}.${signature}`, 'untrusted'],
    ['without a signature', `${header}.${payload}.`, 'untrusted'],
    [
      'that chooses no algorithm',
      `${Buffer.from('{"alg":"none","typ":"tenant-license"}').toString('base64url')}.${payload}.`,
      'unreadable',
    ],
    [
      'that is a token for something else',
      `${Buffer.from('{"alg":"EdDSA"}').toString('base64url')}.${payload}.${signature}`,
      'unreadable',
    ],
    [
      'that is signed with a critical header which this release does not know',
      signedWith({ crit: ['x'], x: 1 }),
      'unreadable',
    ],
    ['that is empty', '', 'unreadable'],
    ['that is text', 'hello', 'unreadable'],
    ['that is too large', 'a.'.repeat(100_000), 'unreadable'],
  ])('%s is refused', async (_name, document, state) => {
    expect(await checkLicense(document, issuerKey, nowMs)).toMatchObject({ state })
  })

  it.each<[string, object]>([
    ['no features', { features: undefined }],
    ['features of another type', { features: [1] }],
    ['an invalid limit', { limits: { virtualClusters: 'many' } }],
    ['a negative limit', { limits: { virtualClusters: -1 } }],
  ])('with %s is not a license, whatever its signature', async (_name, changes) => {
    const odd: License = Object.assign({}, license, changes)
    expect(await checkLicense(await signLicense(odd, issuer), issuerKey, nowMs)).toMatchObject({ state: 'unreadable' })
  })
})

describe("an issuer's key", () => {
  it('is read from PEM and from one line', () => {
    const pem = createPublicKey(issuer).export({ type: 'spki', format: 'pem' }).toString()
    expect(printEd25519PublicKey(readEd25519PublicKey(pem))).toBe(printEd25519PublicKey(issuer))
  })

  it.each(['', 'x', 'MCowBQYDK2VwAyEA', generateEd25519Pem()])(
    'is not an arbitrary text, nor the private key: %#',
    (text) => {
      expect(() => readEd25519PublicKey(text)).toThrow('it is not a public Ed25519 key in PEM or base64')
    },
  )
})
