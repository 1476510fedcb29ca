import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { generateSigningKeyPem, readSigningKey, readVerifyingKey, type SigningKey } from '../base/keys/keypair.ts'
import { createTokenIssuer, type TokenGrant, type TokenIssuer } from './service-account-issuer.ts'
import { createServiceAccountAuthenticator } from './service-account-tokens.ts'

const issuer = 'https://kubernetes.default.svc'
const startMs = Date.parse('2026-11-15T00:00:00Z')
const grant: TokenGrant = {
  namespace: 'default',
  serviceAccount: { name: 'builder', uid: 'sa-uid' },
  audiences: [issuer],
  expirationSeconds: 600,
}
const random = { uuid: () => 'token-id', bytes: (length: number) => new Uint8Array(length) }

let key: SigningKey
let otherKey: SigningKey
let ellipticKey: SigningKey
let clock: { nowMs: number; now: () => number }
let objects: Map<string, KubeObject>
let issue: TokenIssuer

beforeAll(async () => {
  key = readSigningKey(await generateSigningKeyPem())
  otherKey = readSigningKey(await generateSigningKeyPem())
  ellipticKey = readSigningKey(await generateSigningKeyPem('ES256'))
})

function setUp(keys = [key.verifying], signing = key) {
  clock = { nowMs: startMs, now: () => clock.nowMs }
  objects = new Map([
    ['ServiceAccount/default/builder', objectWith('sa-uid')],
    ['Pod/default/p', objectWith('pod-uid')],
    ['Node//n', objectWith('node-uid')],
  ])
  issue = createTokenIssuer({ issuer, signer: { signing, noteToken: () => {} }, clock, random })
  return createServiceAccountAuthenticator({
    issuer,
    keys: () => keys,
    serverAudiences: [issuer],
    clock,
    findObject: async (kind, namespace, name) => objects.get(`${kind}/${namespace}/${name}`),
  })
}

function objectWith(uid: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Any', metadata: { uid } }
}

function payloadOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

function signedBy(signingKey: SigningKey, header: unknown, payload: unknown): string {
  const text = `${segment(header)}.${segment(payload)}`
  const { privateKey } = signingKey
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

describe('a service account token', () => {
  it('acts for its account until it expires', async () => {
    const authenticator = setUp()
    const { token, expiresAtMs } = await issue(grant)
    expect(expiresAtMs).toBe(startMs + 600_000)
    const user = {
      name: 'system:serviceaccount:default:builder',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=token-id'] },
    }
    expect(await authenticator.authenticateToken(token)).toEqual({
      outcome: 'authenticated',
      user,
      audiences: [issuer],
    })
    clock.nowMs = expiresAtMs - 1
    expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
    clock.nowMs = expiresAtMs
    expect(await authenticator.authenticateToken(token)).toMatchObject({
      outcome: 'refused',
      causeReason: 'TokenExpired',
    })
  })

  it('carries the claims that Kubernetes clients know', async () => {
    setUp()
    const boundTo = [{ kind: 'Pod', name: 'p', uid: 'pod-uid' }] as const
    expect(payloadOf((await issue({ ...grant, boundTo })).token)).toEqual({
      iss: issuer,
      aud: [issuer],
      sub: 'system:serviceaccount:default:builder',
      iat: startMs / 1000,
      nbf: startMs / 1000,
      exp: startMs / 1000 + 600,
      jti: 'token-id',
      'kubernetes.io': {
        namespace: 'default',
        serviceaccount: { name: 'builder', uid: 'sa-uid' },
        pod: { name: 'p', uid: 'pod-uid' },
      },
    })
  })

  it('is not valid before its time, except for small clock differences', async () => {
    const authenticator = setUp()
    const { token } = await issue(grant)
    clock.nowMs = startMs - 30_000
    expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
    clock.nowMs = startMs - 61_000
    expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'TokenNotYetValid' })
  })

  it('is void when its account was deleted or replaced by another of the same name', async () => {
    const authenticator = setUp()
    const { token } = await issue(grant)
    expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
    objects.set('ServiceAccount/default/builder', objectWith('another-uid'))
    expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'TokenInvalidated' })
    objects.delete('ServiceAccount/default/builder')
    expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'TokenInvalidated' })
  })

  it('is void when the object it is bound to was deleted', async () => {
    const authenticator = setUp()
    const boundTo = [
      { kind: 'Pod', name: 'p', uid: 'pod-uid' },
      { kind: 'Node', name: 'n', uid: 'node-uid' },
    ] as const
    const { token } = await issue({ ...grant, boundTo })
    expect(await authenticator.authenticateToken(token)).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pod-uid'],
          'authentication.kubernetes.io/node-name': ['n'],
          'authentication.kubernetes.io/node-uid': ['node-uid'],
        },
      },
    })
    objects.delete('Pod/default/p')
    expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'TokenInvalidated' })
  })

  it('names the node that its Pod got after the token was issued', async () => {
    const authenticator = setUp()
    const { token } = await issue({ ...grant, boundTo: [{ kind: 'Pod', name: 'p', uid: 'pod-uid' }] })
    const extra = async () => {
      const result = await authenticator.authenticateToken(token)
      return result.outcome === 'authenticated' ? Object.keys(result.user.extra ?? {}).sort() : []
    }
    const always = ['credential-id', 'pod-name', 'pod-uid']
    const prefixed = (names: readonly string[]) => names.map((name) => `authentication.kubernetes.io/${name}`).sort()
    expect(await extra()).toEqual(prefixed(always))
    objects.set('Pod/default/p', { ...objectWith('pod-uid'), spec: { nodeName: 'n' } })
    expect(await extra()).toEqual(prefixed([...always, 'node-name', 'node-uid']))
    objects.delete('Node//n')
    expect(await extra()).toEqual(prefixed([...always, 'node-name']))
  })

  it.each(['ServiceAccount/default/builder', 'Pod/default/p'])(
    'is void a minute after the deletion of %s began, even if a finalizer holds it',
    async (place) => {
      const authenticator = setUp()
      const { token } = await issue({ ...grant, boundTo: [{ kind: 'Pod', name: 'p', uid: 'pod-uid' }] })
      const { apiVersion, kind, metadata } = objects.get(place) ?? objectWith('')
      const deletionTimestamp = new Date(startMs).toISOString()
      objects.set(place, { apiVersion, kind, metadata: { ...metadata, deletionTimestamp, finalizers: ['a.b/c'] } })
      clock.nowMs = startMs + 60_000
      expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
      clock.nowMs = startMs + 61_000
      expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'TokenInvalidated' })
    },
  )

  it('is valid only for its audiences', async () => {
    const authenticator = setUp()
    const { token } = await issue({ ...grant, audiences: ['vault'] })
    expect(await authenticator.authenticateToken(token)).toMatchObject({ causeReason: 'WrongAudience' })
    expect(await authenticator.authenticateToken(token, ['vault', 'x'])).toMatchObject({ audiences: ['vault'] })
  })

  it('is valid with any key that the server knows, and only with its own if it names one', async () => {
    const authenticator = setUp([otherKey.verifying, key.verifying])
    const { token } = await issue(grant)
    expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
    const nameless = signedBy(key, { alg: 'RS256' }, payloadOf(token))
    expect(await authenticator.authenticateToken(nameless)).toMatchObject({ outcome: 'authenticated' })
    const misnamed = signedBy(key, { alg: 'RS256', kid: otherKey.verifying.id }, payloadOf(token))
    expect(await authenticator.authenticateToken(misnamed)).toEqual({ outcome: 'unknown' })
  })
})

describe('a forged token is not known', () => {
  let token: string
  beforeAll(async () => {
    setUp()
    token = (await issue(grant)).token
  })
  const publicPem = () => key.verifying.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const header = () => ({ alg: 'RS256', kid: key.verifying.id })
  const good = () => payloadOf(token)
  const parts = () => token.split('.')
  const hmac = (text: string) => createHmac('sha256', publicPem()).update(text).digest('base64url')

  const forgeries: Readonly<Record<string, () => string>> = {
    'another key under our id': () => signedBy(otherKey, header(), good()),
    'another key under its own id': () => signedBy(otherKey, { alg: 'RS256', kid: otherKey.verifying.id }, good()),
    'no algorithm': () => `${segment({ alg: 'none' })}.${segment(good())}.`,
    'no algorithm, old signature': () => `${segment({ alg: 'none' })}.${parts()[1]}.${parts()[2]}`,
    'an HMAC made with our public key': () => {
      const text = `${segment({ alg: 'HS256' })}.${segment(good())}`
      return `${text}.${hmac(text)}`
    },
    'an HMAC that says it is RS256': () => {
      const text = `${segment(header())}.${segment(good())}`
      return `${text}.${hmac(text)}`
    },
    'another RSA algorithm': () => signedBy(key, { ...header(), alg: 'RS512' }, good()),
    'an unknown critical header': () => signedBy(key, { ...header(), crit: ['x'] }, good()),
    'another issuer': () => signedBy(key, header(), { ...good(), iss: 'https://elsewhere' }),
    'a subject that is not its account': () =>
      signedBy(key, header(), { ...good(), sub: 'system:serviceaccount:kube-system:root' }),
    'no expiry': () => signedBy(key, header(), { ...good(), exp: undefined }),
    'an expiry that is no number': () => signedBy(key, header(), { ...good(), exp: '9999999999' }),
    'no account': () => signedBy(key, header(), { ...good(), 'kubernetes.io': { namespace: 'default' } }),
    'claims that are a list': () => signedBy(key, header(), [good()]),
    'claims that are not JSON': () => signedBy(key, header(), 'not json'),
    'a longer life': () => `${parts()[0]}.${segment({ ...good(), exp: 9_999_999_999 })}.${parts()[2]}`,
    'a signature spelled another way': () => `${token}=`,
    'a part too many': () => `${token}.x`,
    'a part too few': () => parts().slice(0, 2).join('.'),
    'far too long': () => signedBy(key, header(), { ...good(), padding: 'x'.repeat(20_000) }),
    'nothing at all': () => '..',
  }

  it.each(Object.entries(forgeries))('%s', async (_name, forge) => {
    const authenticator = setUp()
    expect(await authenticator.authenticateToken(forge())).toEqual({ outcome: 'unknown' })
  })

  it('whichever byte of a valid one is changed', async () => {
    const authenticator = setUp()
    const { token } = await issue(grant)
    for (let index = 0; index < token.length; index += 7) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(await authenticator.authenticateToken(changed)).toEqual({ outcome: 'unknown' })
    }
  })
})

describe('a token of an elliptic key', () => {
  const signedOn = () => setUp([key.verifying, ellipticKey.verifying], ellipticKey)

  it('is valid beside those of an RSA key, and names its algorithm', async () => {
    const authenticator = signedOn()
    const { token } = await issue(grant)
    expect(await authenticator.authenticateToken(token)).toMatchObject({ outcome: 'authenticated' })
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toEqual({
      alg: 'ES256',
      kid: ellipticKey.verifying.id,
    })
    const nameless = signedBy(key, { alg: 'RS256' }, payloadOf(token))
    expect(await authenticator.authenticateToken(nameless)).toMatchObject({ outcome: 'authenticated' })
  })

  const headers: Readonly<Record<string, () => [SigningKey, object]>> = {
    'that says it is RS256': () => [ellipticKey, { alg: 'RS256', kid: ellipticKey.verifying.id }],
    'that says it is ES384': () => [ellipticKey, { alg: 'ES384', kid: ellipticKey.verifying.id }],
    'under the id of an RSA key': () => [ellipticKey, { alg: 'ES256', kid: key.verifying.id }],
    'that an RSA key has signed': () => [key, { alg: 'ES256', kid: ellipticKey.verifying.id }],
    'that an RSA key has signed as its own': () => [key, { alg: 'RS256', kid: ellipticKey.verifying.id }],
  }
  it.each(Object.entries(headers))('%s is not known', async (_name, forge) => {
    const authenticator = signedOn()
    const payload = payloadOf((await issue(grant)).token)
    expect(await authenticator.authenticateToken(signedBy(...forge(), payload))).toEqual({ outcome: 'unknown' })
  })
})

describe('a signing key', () => {
  it.each([
    ['an elliptic key of another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['a key that signs otherwise', generateKeyPairSync('ed25519')],
    ['an RSA key that is too short', generateKeyPairSync('rsa', { modulusLength: 1024 })],
  ])('is not %s', (_name, { publicKey }) => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(() => readVerifyingKey(pem)).toThrow('this key is another one')
  })

  it('has the same id whether it is read as private or public key', () => {
    const pem = key.verifying.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(readVerifyingKey(pem).id).toBe(key.verifying.id)
    expect(key.verifying.id).not.toBe(otherKey.verifying.id)
  })
})
