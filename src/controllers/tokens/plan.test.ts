import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import type { Secret } from '../../api/types/core-v1.ts'
import { accountIn, belongsTo, filledSecret, needsToken, tokenLifeSeconds } from './plan.ts'

const nowMs = Date.UTC(2030, 0, 1)
const issuer = 'https://issuer.example.com'
const account: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot', uid: 'u1' } }

function secretWith(
  data: Readonly<Record<string, string>> = {},
  uid = '',
  type = 'kubernetes.io/service-account-token',
): Secret {
  const annotations = {
    'kubernetes.io/service-account.name': 'bot',
    ...(uid !== '' && { 'kubernetes.io/service-account.uid': uid }),
  }
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  )
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'a', annotations }, type, data: encoded }
}

function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`
}

const endsIn = (seconds: number, iss = issuer) => tokenOf({ iss, exp: nowMs / 1000 + seconds })

describe('a service account token Secret', () => {
  it('is identified by its type', () => {
    expect([accountIn(secretWith()), accountIn(secretWith({}, '', 'Opaque'))]).toEqual(['bot', ''])
  })

  it.each<[string, Secret, KubeObject | undefined, boolean]>([
    ['its account', secretWith(), account, true],
    ['the very account that it was filled for', secretWith({}, 'u1'), account, true],
    ['no other account of the same name', secretWith({}, 'u0'), account, false],
    ['no deleted account', secretWith({}, 'u1'), undefined, false],
  ])('belongs to %s', (_, secret, found, belongs) => {
    expect(belongsTo(secret, found)).toBe(belongs)
  })

  it.each<[string, Secret, boolean]>([
    ['without one', secretWith(), true],
    ['with a new one', secretWith({ token: endsIn(tokenLifeSeconds) }), false],
    ['with one whose time is half over', secretWith({ token: endsIn(tokenLifeSeconds / 2 - 1) }), true],
    ['with one of another issuer', secretWith({ token: endsIn(1, 'other') }), false],
    ['with something that is not a token', secretWith({ token: 'mine' }), false],
  ])('gets a token: %s', (_, secret, needs) => {
    expect(needsToken(secret, issuer, nowMs)).toBe(needs)
  })

  it('contains the data that clients need, and keeps existing data', () => {
    const fill = { accountUid: 'u1', rootCertificate: 'root', token: 't' }
    const filled = filledSecret(secretWith({ 'ca.crt': 'own' }), fill)
    const text = (key: string) => Buffer.from(filled?.data?.[key] ?? '', 'base64').toString()
    expect([text('ca.crt'), text('namespace'), text('token')]).toEqual(['own', 'a', 't'])
    expect(filled?.metadata.annotations).toMatchObject({ 'kubernetes.io/service-account.uid': 'u1' })
    expect(filled && filledSecret(filled, { ...fill, token: undefined })).toBeUndefined()
  })
})
