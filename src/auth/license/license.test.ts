import { createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  generateEd25519Pem,
  printEd25519PublicKey,
  readEd25519PrivateKey,
  readEd25519PublicKey,
} from '../../base/ed25519.ts'
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

function check(changes: Partial<License> = {}, atMs = nowMs) {
  return checkLicense(signLicense({ ...license, ...changes }, issuer), issuerKey, atMs)
}

describe('a licence', () => {
  it('says after the check what was signed', () => {
    expect(check()).toEqual({ state: 'valid', license })
  })

  it('grants what it names and nothing else', () => {
    expect(grants(check(), 'sync-patches')).toBe(true)
    expect(grants(check(), 'platform-link')).toBe(false)
    expect(grants(check({}, nowMs + dayMs), 'sync-patches')).toBe(false)
  })

  it.each<[string, Partial<License>, number, string]>([
    ['the moment before its end', {}, nowMs + dayMs - 1, 'valid'],
    ['its end', {}, nowMs + dayMs, 'expired'],
    ['a clock that is a little slow', { issuedAtMs: nowMs + 60_000 }, nowMs, 'valid'],
    ['the day before it was issued', { issuedAtMs: nowMs + dayMs }, nowMs, 'not-yet-valid'],
  ])('at %s is what it is', (_name, changes, atMs, state) => {
    expect(check(changes, atMs)).toMatchObject({ state })
  })

  it('without an end never ends', () => {
    const { expiresAtMs: _, ...endless } = license
    expect(checkLicense(signLicense(endless, issuer), issuerKey, nowMs + 100_000 * dayMs)).toMatchObject({
      state: 'valid',
    })
  })

  const [header = '', payload = '', signature = ''] = signLicense(license, issuer).split('.')
  const changed = Buffer.from(JSON.stringify({ jti: 'a', sub: 'b', features: ['platform-link'], iat: 0 })).toString(
    'base64url',
  )

  it.each<[string, string, string]>([
    ['signed by somebody else', signLicense(license, stranger), 'untrusted'],
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
    ['that is empty', '', 'unreadable'],
    ['that is text', 'hello', 'unreadable'],
    ['that is too large', 'a.'.repeat(100_000), 'unreadable'],
  ])('%s is refused', (_name, document, state) => {
    expect(checkLicense(document, issuerKey, nowMs)).toMatchObject({ state })
  })

  it.each<[string, object]>([
    ['no features', { features: undefined }],
    ['features of another type', { features: [1] }],
    ['a limit that is none', { limits: { virtualClusters: 'many' } }],
    ['a limit below nothing', { limits: { virtualClusters: -1 } }],
  ])('with %s is no licence, whoever signed it', (_name, changes) => {
    const odd: License = Object.assign({}, license, changes)
    expect(checkLicense(signLicense(odd, issuer), issuerKey, nowMs)).toMatchObject({ state: 'unreadable' })
  })
})

describe("an issuer's key", () => {
  it('is read from PEM and from one line', () => {
    const pem = createPublicKey(issuer).export({ type: 'spki', format: 'pem' }).toString()
    expect(printEd25519PublicKey(readEd25519PublicKey(pem))).toBe(printEd25519PublicKey(issuer))
  })

  it.each(['', 'x', 'MCowBQYDK2VwAyEA', generateEd25519Pem()])('is not any text, nor the private half: %#', (text) => {
    expect(() => readEd25519PublicKey(text)).toThrow('it is not a public Ed25519 key in PEM or base64')
  })
})
