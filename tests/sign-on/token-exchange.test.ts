import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { overHttp1, signIn } from '../platform/browser-client.ts'
import { type Asked, grant, group, keysPath, management, userNamed } from '../platform/platform.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'
import { eventually } from '../support/eventually.ts'
import { ScriptedIssuer } from './support/scripted-issuer.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
let another: ScriptedIssuer

const audience = 'https://platform.example.com'
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const mergePatch = 'application/merge-patch+json'
const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
const { privateKey: strangersKey, publicKey } = await generateKeyPair('RS256')
const strangersJwk = await exportJWK(publicKey)

beforeAll(async () => {
  ;[stage, another] = await Promise.all([openStage(), ScriptedIssuer.start()])
  const { platform } = stage
  for (const name of ['deployer', 'locked', 'root']) await platform.must('POST', `${management}/users`, userNamed(name))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'ci' }, spec: {} })
  const manageKeys = { apiGroups: [group], resources: ['ownedaccesskeys', 'ownedaccesskeys/rotate'], verbs: ['*'] }
  for (const name of ['deployer', 'platform:team:ci']) await grant(platform, name, [manageKeys])
  await grant(platform, 'root', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
  await trust('ci', {
    rules: [
      { claims: { sub: 'root' }, user: 'root' },
      { claims: { sub: 'repo:acme/app:ref:refs/heads/main' }, user: 'deployer', ttlSeconds: 120 },
      { claims: { repository: 'acme/*', 'runner.kind': 'hosted' }, team: 'ci' },
      { claims: { sub: 'locked' }, user: 'locked' },
      { claims: { sub: 'gone' }, user: 'gone' },
      { claims: { sub: 'scoped' }, user: 'deployer', scope: { projects: [{ project: 'web' }] } },
    ],
  })
  await trust('once', { audience: 'once', singleUse: true })
}, 240_000)
afterAll(async () => {
  await another.stop()
  await stage.stop()
})
beforeEach(() => {
  stage.issuer.script = {}
  another.script = {}
})

const main = { sub: 'repo:acme/app:ref:refs/heads/main' }

const issuerBody = (name: string, spec: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'TrustedIssuer',
  metadata: { name },
  spec: {
    issuer: stage.issuer.url,
    caBundle: stage.issuer.authority,
    audience,
    rules: [{ claims: main, user: 'deployer' }],
    ...spec,
  },
})
const trust = (name: string, spec: object = {}) =>
  stage.platform.must('POST', `${management}/trustedissuers`, issuerBody(name, spec))

function claims(more: object = {}, issuer = stage.issuer) {
  const { nonce: _, preferred_username: __, name: ___, ...standard } = issuer.claimsFor('')
  return { ...standard, aud: audience, ...main, ...more }
}

const tokenOf = (more: object = {}) => stage.issuer.sign(claims(more))

async function exchange(token: string, more: Readonly<Record<string, string>> = {}) {
  const body = { grant_type: grantType, subject_token: token, subject_token_type: jwtType, ...more }
  const answer = await stage.browser().post('/auth/exchange', body)
  return { status: answer.status, body: JSON.parse(answer.text), text: answer.text }
}

const refused = { status: 400, body: { error: 'invalid_grant', kind: 'Status', code: 400 } }

describe('the token of a machine', () => {
  it('is exchanged for a short-lived key of the user of the first matching rule', async () => {
    const { status, body } = await exchange(await tokenOf())
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^tpk_/),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 120,
      },
    })
    const self = await stage.platform.ask('POST', `${management}/selves`, {
      token: body.access_token,
      body: { apiVersion: `${group}/v1`, kind: 'Self' },
    })
    expect(self.body.status.userInfo.username).toBe('deployer')
    const { items } = await stage.platform.must('GET', `${keysPath}?fieldSelector=spec.user=deployer`)
    expect(items[0].spec).toMatchObject({ type: 'Login', ttl: 120, displayName: `${main.sub} by ci` })
  })

  it('is accepted as a form, as in RFC 8693, also from a file with a trailing line break', async () => {
    const form = new URLSearchParams({
      grant_type: grantType,
      subject_token: `${await tokenOf()}\n`,
      subject_token_type: jwtType,
    })
    const page = { text: '<form method="post" action="/auth/exchange">' }
    const answer = await stage.browser().submit(page, Object.fromEntries(form), { origin: stage.platform.server.url })
    expect(JSON.parse(answer.text)).toMatchObject({ expires_in: 120 })
  })

  it('is accepted if clocks differ by up to five minutes', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const times of [
      { iat: now - 600, exp: now - 290 },
      { iat: now + 290, nbf: now + 290, exp: now + 900 },
    ]) {
      expect((await exchange(await tokenOf(times))).status).toBe(200)
    }
  })

  it('can match a team by patterns and paths', async () => {
    const { status, body } = await exchange(
      await tokenOf({ sub: 'x', repository: 'acme/web', runner: { kind: 'hosted' } }),
    )
    expect({ status, seconds: body.expires_in }).toEqual({ status: 200, seconds: 900 })
    const { items } = await stage.platform.must('GET', `${keysPath}?fieldSelector=spec.team=ci`)
    expect(items).toHaveLength(1)
  })

  it('yields a key with the scope of the rule', async () => {
    expect((await exchange(await tokenOf({ sub: 'scoped' }))).status).toBe(200)
    const { items } = await stage.platform.must('GET', `${keysPath}?fieldSelector=spec.user=deployer`)
    expect(items.map(({ spec }: { spec: object }) => spec)).toContainEqual(
      expect.objectContaining({ scope: { projects: [{ project: 'web' }] } }),
    )
  })

  it('yields a key that its holder cannot extend, and an administrator cannot rotate', async () => {
    const { body } = await exchange(await tokenOf())
    const { items } = await stage.platform.must('GET', `${keysPath}?fieldSelector=spec.user=deployer`)
    const { name } = items[0].metadata
    const patch = { token: body.access_token, type: mergePatch, body: { spec: { ttl: 0 } } }
    expect((await stage.platform.ask('PATCH', `${keysPath}/${name}`, patch)).status).toBeGreaterThanOrEqual(400)
    const rotated = { body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' } }
    const { status, text } = await stage.platform.ask('POST', `${keysPath}/${name}/rotate`, rotated)
    expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining('keeps its value') })
  })

  it('is accepted after a key change of the issuer, but not with the former key', async () => {
    const former = await tokenOf({ jti: 'former' })
    expect((await exchange(former)).status).toBe(200)
    await stage.issuer.rotateKeys()
    await eventually(async () => expect((await exchange(await tokenOf())).status).toBe(200))
    expect(await exchange(former)).toMatchObject(refused)
  }, 240_000)

  it('is accepted again, unless the issuer is trusted for single use: replay', async () => {
    const token = await tokenOf()
    for (const status of [200, 200]) expect((await exchange(token)).status).toBe(status)
    const once = await tokenOf({ aud: 'once' })
    const both = await Promise.all([exchange(once), exchange(once)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    for (const again of [once, respelled(once)]) expect(await exchange(again)).toMatchObject(refused)
    const forYears = await tokenOf({ aud: 'once', exp: Math.floor(Date.now() / 1000) + 10 * 365 * 86_400 })
    expect(await exchange(forYears)).toMatchObject(refused)
  })
})

/** The same signature: only the first bits of the last character count. */
function respelled(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const another = token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) ^ 1]
  const [before, after] = [token, another].map((text) => Buffer.from(text.split('.')[2] ?? '', 'base64url'))
  expect(after).toEqual(before)
  return another
}

describe('the key of a machine', () => {
  const byKey = async (more: object = {}): Promise<Asked> => {
    const { body } = await exchange(await tokenOf(more))
    return { token: body.access_token }
  }
  const bySession = async (): Promise<Asked> => {
    const { token = '' } = await byKey()
    const { headers } = await signIn(
      overHttp1(() => stage.platform.server),
      token,
    )
    return { token: '', headers: { ...headers, origin: stage.platform.server.url } }
  }
  const ofTeam = { sub: 'x', repository: 'acme/web', runner: { kind: 'hosted' } }

  it.each<[string, object, () => Promise<Asked>]>([
    ['of a user', { user: 'deployer' }, () => byKey()],
    ['of a user by a session', { user: 'deployer' }, bySession],
    ['of a team', { team: 'ci' }, () => byKey(ofTeam)],
  ])('%s cannot create or take over a key that outlives it', async (_, owner, come) => {
    const lasting = { metadata: { generateName: 'lasting-' }, spec: owner }
    const { metadata } = await stage.platform.must('POST', keysPath, lasting)
    const caller = await come()
    const made = { ...caller, body: { metadata: { generateName: 'next-' }, spec: {} } }
    const rotated = { ...caller, body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' } }
    const key = { spec: { key: 'k'.repeat(64) } }
    const answers = [
      await stage.platform.ask('POST', keysPath, made),
      await stage.platform.ask('POST', `${keysPath}/${metadata.name}/rotate`, rotated),
      await stage.platform.ask('PATCH', `${keysPath}/${metadata.name}`, { ...caller, type: mergePatch, body: key }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    for (const { text } of answers) expect(text).toContain('the key of a machine cannot make or change access keys')
  })

  it.each([
    ['trustedissuers', () => issuerBody('lasting')],
    ['users', () => userNamed('lasting', { identities: [{ connector: 'corp', userId: '7' }] })],
  ])('cannot decide who is who: %s', async (plural, body) => {
    const caller = await byKey({ sub: 'root' })
    const { status, text } = await stage.platform.ask('POST', `${management}/${plural}`, { ...caller, body: body() })
    expect({ status, text }).toEqual({
      status: 403,
      text: expect.stringContaining('the key of a machine cannot grant'),
    })
  })
})

describe('a token is refused', () => {
  const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const forgeries: Readonly<Record<string, () => Promise<string>>> = {
    'that no rule fits': () => tokenOf({ sub: 'repo:evil/app:ref:refs/heads/main' }),
    'of an organization whose name begins alike': () =>
      tokenOf({ sub: 'x', repository: 'acme-evil/x', runner: { kind: 'hosted' } }),
    'that fits a rule in part': () => tokenOf({ sub: 'x', repository: 'acme/web' }),
    'whose claim is an object': () => tokenOf({ sub: 'x', repository: { 0: 'acme/web' }, runner: { kind: 'hosted' } }),
    'of a user who is not there': () => tokenOf({ sub: 'gone' }),
    'for another audience: token substitution': () => tokenOf({ aud: 'another service' }),
    'without an audience': () => tokenOf({ aud: undefined }),
    'for a sign-in': () => tokenOf({ aud: 'platform' }),
    'of another issuer that says it is this one': () => another.sign(claims({}, stage.issuer)),
    'of an issuer that is not trusted': () => another.sign(claims({}, another)),
    'that has expired': () => tokenOf({ iat: hourAgo, exp: hourAgo + 60 }),
    'that is not valid yet': () => tokenOf({ nbf: hourAgo + 7200 }),
    'without an end': () => tokenOf({ exp: undefined }),
    'without a subject': () => tokenOf({ sub: undefined, repository: 'acme/web', runner: { kind: 'hosted' } }),
    'whose subject is a number': () => tokenOf({ sub: 7, repository: 'acme/web', runner: { kind: 'hosted' } }),
    'signed by a stranger under the id of a key of the issuer': () => stage.issuer.sign(claims(), {}, strangersKey),
    'whose header brings the key along (jwk)': () => stage.issuer.sign(claims(), { jwk: strangersJwk }, strangersKey),
    'whose header says where the keys are (jku)': () =>
      stage.issuer.sign(claims(), { jku: `${another.url}/keys`, kid: another.keys.jwk.kid }, another.keys.privateKey),
    'whose key id is a path': () => stage.issuer.sign(claims(), { kid: '../../dev/null' }, strangersKey),
    'without an algorithm': async () => `${segment({ alg: 'none' })}.${segment(claims())}.x`,
    'with an HMAC made with the public key: algorithm confusion': async () => {
      const text = `${segment({ alg: 'HS256', kid: stage.issuer.keys.jwk.kid })}.${segment(claims())}`
      return `${text}.${createHmac('sha256', JSON.stringify(stage.issuer.keys.jwk)).update(text).digest('base64url')}`
    },
    'with a critical header that means nothing here': () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', kid: stage.issuer.keys.jwk.kid ?? '', crit: ['unheard'], unheard: 1 })
        .sign(stage.issuer.keys.privateKey, { crit: { unheard: true } }),
    'with a changed payload': async () => {
      const [header, , signature] = (await tokenOf({ sub: 'x' })).split('.')
      return `${header}.${segment(claims())}.${signature}`
    },
    'that is far too long': () => tokenOf({ padding: 'x'.repeat(20_000) }),
    'that is none': async () => 'hello',
  }

  it.each(Object.entries(forgeries))('%s', async (_, make) => {
    const token = await make()
    const answer = await exchange(token)
    expect(answer).toMatchObject(refused)
    expect(answer.text).not.toContain(token)
  })

  it('of a locked user', async () => {
    const locked = { type: mergePatch, body: { spec: { disabled: true } } }
    expect((await exchange(await tokenOf({ sub: 'locked' }))).status).toBe(200)
    await stage.platform.ask('PATCH', `${management}/users/locked`, locked)
    expect(await exchange(await tokenOf({ sub: 'locked' }))).toMatchObject(refused)
  })

  it('of a disabled issuer', async () => {
    await trust('off', { audience: 'off', disabled: true })
    expect(await exchange(await tokenOf({ aud: 'off' }))).toMatchObject(refused)
  })

  it.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
    [{ subject_token: '' }, 'invalid_request'],
  ])('in a request with %j', async (more, error) => {
    expect(await exchange(await tokenOf(), more)).toMatchObject({ status: 400, body: { error } })
  })

  it('from a page of another site', async () => {
    const body = { grant_type: grantType, subject_token: await tokenOf(), subject_token_type: jwtType }
    const { status } = await stage.browser().post('/auth/exchange', body, { 'sec-fetch-site': 'cross-site' })
    expect(status).toBe(403)
  })
})

describe('a hostile issuer', () => {
  const away = { status: 503, body: { error: 'temporarily_unavailable' } }

  it.each<[string, () => ScriptedIssuer['script']]>([
    ['calls itself by another name', () => ({ metadata: { issuer: 'https://evil.example' } })],
    [
      'has its keys in this network, under another name',
      () => ({ metadata: { jwks_uri: 'https://localhost:1/keys' } }),
    ],
    ['has its keys at a metadata service', () => ({ metadata: { jwks_uri: 'https://169.254.169.254/keys' } })],
    ['has its keys without TLS', () => ({ metadata: { jwks_uri: another.url.replace('https', 'http') } })],
    ['sends far too many keys', () => ({ jwks: { keys: Array.from({ length: 20_000 }, () => another.keys.jwk) } })],
  ])('that %s gets no further requests', async (why, script) => {
    another.script = script()
    const name = `hostile-${why.length}`
    await trust(name, { issuer: another.url, caBundle: another.authority })
    expect(await exchange(await another.sign(claims({}, another)))).toMatchObject(away)
    await stage.platform.must('DELETE', `${management}/trustedissuers/${name}`)
  })
})

describe('a TrustedIssuer', () => {
  it('accepts inline keys of an unreachable issuer', async () => {
    const { jwk } = another.keys
    await trust('offline', {
      issuer: 'https://kubernetes.default.svc',
      audience: 'offline',
      keys: JSON.stringify({ keys: [jwk] }),
    })
    const token = await another.sign({ ...claims({ aud: 'offline' }, another), iss: 'https://kubernetes.default.svc' })
    expect((await exchange(token)).status).toBe(200)
  })

  it.each<[string, object]>([
    ['spec.issuer', { issuer: 'http://issuer.example.com' }],
    ['spec.audience', { audience: '' }],
    ['spec.keys', { keys: '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}' }],
    ['spec.keys', { keys: '{"keys":[{"kty":"RSA","n":"AQ","e":"AQAB","d":"AQ"}]}' }],
    ['spec.rules', { rules: [] }],
    ['spec.rules[0].claims', { rules: [{ claims: {}, user: 'deployer' }] }],
    ['spec.rules[0].claims', { rules: [{ claims: { sub: '*' }, user: 'deployer' }] }],
    ['spec.rules[0].claims', { rules: [{ claims: { aud: audience, iss: '*' }, user: 'deployer' }] }],
    ['spec.rules[0].user', { rules: [{ claims: main }] }],
    ['spec.rules[0].team', { rules: [{ claims: main, user: 'deployer', team: 'ci' }] }],
    ['spec.rules[0].ttlSeconds', { rules: [{ claims: main, user: 'deployer', ttlSeconds: 86_400 }] }],
    ['spec.rules[0].scope', { rules: [{ claims: main, user: 'deployer', scope: { projects: [{}] } }] }],
    ['spec.rules[0].scope', { rules: [{ claims: main, user: 'deployer', scope: { virtualClusters: [] } }] }],
  ])('is refused with a wrong %s: %j', async (field, spec) => {
    const { status, body } = await stage.platform.ask('POST', `${management}/trustedissuers`, {
      body: issuerBody('wrong', spec),
    })
    expect(status).toBe(422)
    expect(body.details.causes[0].field).toContain(field)
  })

  it('requires the right to impersonate any user', async () => {
    await stage.platform.must('POST', `${management}/users`, userNamed('writer'))
    await grant(stage.platform, 'writer', [{ apiGroups: [group], resources: ['trustedissuers'], verbs: ['*'] }])
    const token = await stage.platform.keyOf('writer')
    const { status } = await stage.platform.ask('POST', `${management}/trustedissuers`, {
      token,
      body: issuerBody('mine'),
    })
    expect(status).toBe(403)
  })
})

it('tenant platform login --exchange-token logs a machine in, without showing the token or the key', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tenant-exchange-'))
  try {
    const [ca, file] = [join(home, 'ca.crt'), join(home, 'token')]
    const token = await tokenOf()
    await writeFile(ca, stage.platform.server.authority)
    const written: string[] = []
    const stream = { write: (text: string) => written.push(text), isTTY: false }
    const login = async (text: string) => {
      await writeFile(file, `${text}\n`, { mode: 0o600 })
      const args = ['platform', 'login', stage.platform.server.url, '--ca', ca, '--exchange-token', file]
      return runWatchedCli(args, { stdout: stream, stderr: stream, env: { HOME: home } })
    }
    expect(await login(await tokenOf({ sub: 'evil' }))).not.toBe(0)
    expect(written.join('')).toContain('the token is not taken here')
    expect(await login('no token')).not.toBe(0)
    expect(await login(token)).toBe(0)
    expect(written.join('')).toContain('deployer')
    for (const secret of [token, 'tpk_']) expect(written.join('')).not.toContain(secret)
    expect(await readFile(join(home, '.tenant', 'config.json'), 'utf8')).toContain('tpk_')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
