import { createHmac, createSecretKey } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { management } from '../../platform/platform.ts'
import { clientSecret, type Script, type ScriptedIssuer } from '../support/scripted-issuer.ts'
import type { Stage } from '../support/stage.ts'
import { untrusted } from './refusals.ts'

const { privateKey: strangersKey, publicKey: strangersPublicKey } = await generateKeyPair('RS256')
const strangersJwk = await exportJWK(strangersPublicKey)

function segment(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function forgedIdTokens(stage: () => Stage, another: () => ScriptedIssuer): void {
  describe('an ID token is refused', () => {
    const hourAgo = Math.floor(Date.now() / 1000) - 3600
    const forgeries: Readonly<Record<string, NonNullable<Script['idToken']>>> = {
      'with another nonce: an ID token of another sign-in was put in its place': (right, issuer) =>
        issuer.sign({ ...right, nonce: 'another' }),
      'without a nonce': ({ nonce: _, ...right }, issuer) => issuer.sign(right),
      'for another audience': (right, issuer) => issuer.sign({ ...right, aud: 'another client' }),
      'for several audiences, and meant for another': (right, issuer) =>
        issuer.sign({ ...right, aud: ['platform', 'other'], azp: 'other' }),
      'issued to another, even if it is for this platform alone': (right, issuer) =>
        issuer.sign({ ...right, aud: ['platform'], azp: 'other' }),
      'of another issuer': (right, issuer) => issuer.sign({ ...right, iss: 'https://evil.example' }),
      'that has expired longer ago than clocks differ': (right, issuer) =>
        issuer.sign({ ...right, iat: hourAgo, exp: hourAgo + 60 }),
      'that is not valid yet': (right, issuer) => issuer.sign({ ...right, nbf: hourAgo + 7200 }),
      'without an end': ({ exp: _, ...right }, issuer) => issuer.sign(right),
      'without a subject': ({ sub: _, ...right }, issuer) => issuer.sign(right),
      'with a subject that is no text': (right, issuer) => issuer.sign({ ...right, sub: 7 }),
      'with a subject that is far too long': (right, issuer) => issuer.sign({ ...right, sub: 's'.repeat(300) }),
      'signed by a stranger under the id of a key of the provider': async (right, issuer) =>
        issuer.sign(right, {}, strangersKey),
      'whose header brings the key along (jwk)': (right, issuer) =>
        issuer.sign(right, { jwk: strangersJwk }, strangersKey),
      'whose header says where the keys are (jku)': async (right, issuer) =>
        issuer.sign(right, { jku: `${another().url}/keys`, kid: another().keys.jwk.kid }, another().keys.privateKey),
      'whose key id is a path': async (right, issuer) => issuer.sign(right, { kid: '../../dev/null' }, strangersKey),
      'whose key id is SQL': async (right, issuer) => issuer.sign(right, { kid: "x' UNION SELECT 'key" }, strangersKey),
      'without an algorithm': async (right) => `${segment({ alg: 'none' })}.${segment(right)}.`,
      'without an algorithm, spelled otherwise': async (right) => `${segment({ alg: 'nOnE' })}.${segment(right)}.`,
      'with an HMAC made with the public key of the provider': async (right, issuer) => {
        const text = `${segment({ alg: 'HS256', kid: issuer.keys.jwk.kid })}.${segment(right)}`
        const pem = JSON.stringify(issuer.keys.jwk)
        return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
      },
      'with an HMAC made with the secret of the client': (right, issuer) =>
        issuer.sign(right, { alg: 'HS256' }, createSecretKey(Buffer.from(clientSecret.padEnd(32, ' ')))),
      'with a critical header that means nothing here': (right, issuer) =>
        issuer.sign(right, { crit: ['b64'], b64: true }),
      'with a changed payload': async (right, issuer) => {
        const [header, , signature] = (await issuer.sign(right)).split('.')
        return `${header}.${segment({ ...right, sub: 'subject-of-another' })}.${signature}`
      },
      'with its signature cut off': async (right, issuer) => (await issuer.sign(right)).replace(/\.[^.]*$/, '.'),
      'that is no token': async () => 'hello',
      'that is an access token': async () => 'opaque.token.value',
    }

    it.each(Object.entries(forgeries))('%s', async (_name, idToken) => {
      stage().issuer.script = { idToken, claims: { sub: 'forged', preferred_username: 'forged' } }
      const { callback, session } = await stage().signIn('corp')
      expect(callback.status).toBe(400)
      expect(callback).toMatchObject(untrusted)
      expect(session.status).toBe(401)
      expect((await stage().platform.ask('GET', `${management}/users/forged`)).status).toBe(404)
    })

    it('but not if clocks differ by up to five minutes', async () => {
      const now = Math.floor(Date.now() / 1000)
      stage().issuer.script = { claims: { iat: now + 290, nbf: now + 290, exp: now + 600 } }
      expect((await stage().signIn('corp')).session.status).toBe(200)
      stage().issuer.script = { claims: { iat: now - 600, exp: now - 290 } }
      expect((await stage().signIn('corp')).session.status).toBe(200)
    })
  })
}
