import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oidc from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createOidcTokenAuthenticator } from '../../src/sign-on/oidc-token-authenticator.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { overHttp1, type Send, type SignedIn, signIn } from '../platform/browser-client.ts'
import {
  clientOf,
  group,
  keysPath,
  management,
  startPlatform,
  type TestPlatform,
  userNamed,
} from '../platform/platform.ts'
import { startTestServer } from '../support/api-server.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { freePort } from '../support/free-port.ts'
import { type CutOffStore, cutOffStore } from './support/cut-off-store.ts'

let issuer = ''
const secret = broughtValue('client-secret-of-an-application')
const merge = 'application/merge-patch+json'
let directory: string
let backing: CutOffStore
let platform: TestPlatform
let send: Send
let agent: Agent
let ann: SignedIn

/** Applications as their manuals set them up. */
const applications = {
  'argo-cd': {
    displayName: 'Argo CD',
    consent: 'none',
    clientSecretRef: { name: 'argo-cd' },
    allowWithoutPkce: true,
    redirectUris: ['https://argocd.example/auth/callback'],
    postLogoutRedirectUris: ['https://argocd.example/'],
  },
  'argo-cd-cli': { redirectUris: ['http://localhost:8085/auth/callback'], scopes: ['profile', 'groups'] },
  grafana: {
    displayName: 'Grafana',
    clientSecretRef: { name: 'grafana' },
    redirectUris: ['https://grafana.example/login/generic_oauth'],
  },
  board: {
    clientSecretRef: { name: 'grafana' },
    redirectUris: ['https://board.example/callback'],
    allowedTeams: ['crew'],
  },
} as const
type Application = keyof typeof applications
const redirectOf = (id: Application): string => applications[id].redirectUris[0]

beforeAll(async () => {
  const port = await freePort()
  issuer = `https://127.0.0.1:${port}/oidc`
  const settings = { domain: 'platform.internal', oidcIssuer: issuer }
  directory = await mkdtemp(join(tmpdir(), 'tenant-provider-'))
  backing = cutOffStore(await openLmdbStore({ directory: join(directory, 'store') }))
  platform = await startPlatform({ clock: systemClock, port, platform: settings, store: backing.store, directory })
  send = overHttp1(() => platform.server)
  agent = new Agent({ connect: { ca: platform.server.authority } })
  await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'tenant-platform' } })
  for (const name of ['argo-cd', 'grafana']) {
    await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
      metadata: { name },
      stringData: { clientSecret: secret },
    })
  }
  for (const [name, spec] of Object.entries(applications)) {
    await platform.must('POST', `${management}/oidcclients`, { metadata: { name }, spec })
  }
  await platform.must('POST', `${management}/users`, userNamed('ann', { displayName: 'Ann', email: 'ann@example.com' }))
  await platform.must('POST', `${management}/users`, userNamed('bob'))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'ops' }, spec: { users: ['ann'] } })
  ann = await signIn(send, await platform.keyOf('ann'))
})

afterAll(async () => {
  await agent.close()
  await platform.stop()
  await backing.store.close()
  await rm(directory, { recursive: true, force: true })
})

const ownFetch = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent, redirect: 'manual' })

async function applicationNamed(id: Application): Promise<oidc.Configuration> {
  const isPublic = id === 'argo-cd-cli'
  return oidc.discovery(new URL(issuer), id, isPublic ? undefined : secret, isPublic ? oidc.None() : undefined, {
    [oidc.customFetch]: ownFetch as unknown as oidc.CustomFetch,
  })
}

interface Begun {
  readonly config: oidc.Configuration
  readonly verifier: string
  readonly state: string
  readonly nonce: string
  readonly url: URL
}

async function begin(id: Application, more: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const config = await applicationNamed(id)
  const verifier = oidc.randomPKCECodeVerifier()
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectOf(id),
    scope: 'openid profile email groups offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  })
  return { config, verifier, state, nonce, url }
}

/** What the browser gets of the address that the application sends it to. */
async function visit(url: URL | string): Promise<{ readonly status: number; readonly location: string }> {
  const answer = await ownFetch(String(url), { headers: { accept: 'text/html' } })
  await answer.text()
  return { status: answer.status, location: answer.headers.get('location') ?? '' }
}

const sealedIn = (location: string): string => location.replace(/^\/authorize#/, '')

/** What the page of the console asks. */
async function decide(request: string, decision = '', headers: Readonly<Record<string, string>> = ann.headers) {
  const body = { apiVersion: `${group}/v1`, kind: 'ClientAuthorization', spec: { request, decision } }
  const origin = { origin: platform.server.url, 'sec-fetch-site': 'same-origin' }
  const { status, text } = await send('POST', `${management}/clientauthorizations`, { ...origin, ...headers }, body)
  return { code: status, ...(JSON.parse(text).status ?? {}), message: JSON.parse(text).message }
}

async function allowed(url: URL | string, headers?: Readonly<Record<string, string>>): Promise<URL> {
  const { location } = await visit(url)
  return new URL((await decide(sealedIn(location), 'allow', headers)).location)
}

async function signedIn(id: Application, more: Readonly<Record<string, string>> = {}) {
  const { config, verifier, state, nonce, url } = await begin(id, more)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  const tokens = await oidc.authorizationCodeGrant(config, await allowed(url), checks)
  return { config, tokens }
}

const form = (path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  ownFetch(`${issuer}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

/** An attack with nothing in hand would be refused for that alone. */
function had(value: string | null | undefined): string {
  if (value === undefined || value === null || value === '') throw new Error('there is nothing to attack with')
  return value
}

const ofGrafana = { client_id: 'grafana', client_secret: secret }
const exchange = async (fields: Readonly<Record<string, string>>) => {
  const answer = await form('/token', { grant_type: 'authorization_code', ...ofGrafana, ...fields })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> }
}

describe('applications sign users in', () => {
  it('Argo CD, as its manual sets it up', async () => {
    const config = await applicationNamed('argo-cd')
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
    const scope = 'openid profile email groups'
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: redirectOf('argo-cd'), scope, state, nonce })
    const checks = { expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await oidc.authorizationCodeGrant(config, await allowed(url), checks)
    expect(tokens.claims()).toMatchObject({
      ...{ iss: issuer, aud: 'argo-cd', name: 'Ann', preferred_username: 'ann', email: 'ann@example.com' },
      groups: ['ops'],
    })
    expect(tokens.refresh_token).toBeUndefined()
  })

  it('its command line, a public client with PKCE on a port of localhost', async () => {
    const { tokens } = await signedIn('argo-cd-cli')
    expect(tokens.claims()).toMatchObject({ aud: 'argo-cd-cli', groups: ['ops'] })
    expect(tokens.claims()).not.toHaveProperty('email')
    expect(tokens.scope).toBe('openid profile groups')
  })

  it('Grafana, as its manual sets it up: userinfo, groups, refresh tokens', async () => {
    const { config, tokens } = await signedIn('grafana')
    const { sub = '' } = tokens.claims() ?? {}
    expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      ...{ sub, name: 'Ann', email: 'ann@example.com', email_verified: false, groups: ['ops'] },
    })
    const renewed = await oidc.refreshTokenGrant(config, had(tokens.refresh_token))
    expect(renewed.claims()).toMatchObject({ sub, aud: 'grafana' })
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  })

  it('keeps a refresh token as an access key that opens nothing else', async () => {
    const { tokens } = await signedIn('grafana')
    const items: readonly { readonly spec: { readonly type: string } }[] = (await platform.must('GET', keysPath)).items
    const kept = items.filter(({ spec }) => spec.type === 'OIDCRefreshToken').at(-1)
    expect(kept?.spec).toMatchObject({
      user: 'ann',
      parent: ann.keyName,
      oidcProvider: {
        clientId: 'grafana',
        redirectUri: redirectOf('grafana'),
        scopes: 'openid profile email groups offline_access',
      },
    })
    const token = had(tokens.refresh_token)
    for (const bearer of [token, tokens.access_token, had(tokens.id_token)]) {
      expect((await platform.ask('GET', `${management}/projects`, { token: bearer })).status).toBe(401)
    }
    expect((await send('GET', '/apis', { cookie: had(ann.headers.cookie), 'tenant-session': token })).status).toBe(401)
    expect(JSON.stringify(kept)).not.toContain(token)
  })
})

describe('the user decides', () => {
  it('is told who asks for what, and may say no', async () => {
    const { url, state } = await begin('grafana')
    const request = sealedIn((await visit(url)).location)
    expect(await decide(request)).toMatchObject({ client: 'Grafana', user: 'ann', asksUser: true, code: 201 })
    const denied = new URL((await decide(request, 'deny')).location)
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state, iss: issuer })
  })

  it('no page of another site decides, nor half a session, nor a key', async () => {
    const request = sealedIn((await visit((await begin('grafana')).url)).location)
    const other = { ...ann.headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await decide(request, 'allow', other)).code).toBe(403)
    expect((await decide(request, 'allow', { cookie: had(ann.headers.cookie) })).code).toBe(403)
    const key = { authorization: `Bearer ${await platform.keyOf('ann')}` }
    expect(await decide(request, 'allow', key)).toMatchObject({
      code: 403,
      message: expect.stringContaining('session'),
    })
  })

  it('a session with a scope, and an administrator in the name of the user, do not', async () => {
    const request = sealedIn((await visit((await begin('grafana')).url)).location)
    const scope = { projects: [{ project: '*' }] }
    const limited = await signIn(send, await platform.keyOf('ann', { scope }))
    expect((await decide(request, 'allow', limited.headers)).code).toBe(403)
    const admin = await signIn(send, 'admin-token')
    expect((await decide(request, 'allow', { ...admin.headers, 'impersonate-user': 'ann' })).code).toBe(403)
  })

  it('what was not sealed here is refused, and so is what was changed since', async () => {
    const request = sealedIn((await visit((await begin('board')).url)).location)
    expect((await decide(`${request.slice(0, -4)}AAAA`, 'allow')).code).toBe(422)
    expect((await decide('', 'allow')).code).toBe(422)
    const path = `${management}/oidcclients/board`
    await platform.ask('PATCH', path, { body: { spec: { disabled: true } }, type: merge })
    expect((await decide(request, 'allow')).code).toBe(422)
    await platform.ask('PATCH', path, { body: { spec: { disabled: false } }, type: merge })
  })

  it('only members of the teams of an application get in', async () => {
    const back = await allowed((await begin('board')).url)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.has('code')).toBe(false)
  })

  it('an application may ask for a new sign-in', async () => {
    for (const more of [{ prompt: 'login' }, { max_age: '0' }]) {
      const { location } = await visit((await begin('grafana', more)).url)
      expect(await decide(sealedIn(location), 'allow')).toMatchObject({ signInAgain: true })
    }
    const { location } = await visit((await begin('grafana', { max_age: '3600' })).url)
    expect((await decide(sealedIn(location), 'allow')).location).toContain('code=')
  })
})

describe('attacks on redirects', () => {
  it.each([
    'https://grafana.example/login/generic_oauth/',
    'https://grafana.example/login/generic_oauth?x=1',
    'https://grafana.example/login/../login/generic_oauth',
    'https://grafana.example.evil.example/login/generic_oauth',
    'https://grafana.example@evil.example/login/generic_oauth',
    'https://GRAFANA.example/login/generic_oauth',
    'http://grafana.example/login/generic_oauth',
    '//grafana.example/login/generic_oauth',
    'javascript:alert(1)',
    '',
  ])('%s is not where Grafana sends users', async (redirectUri) => {
    const { url } = await begin('grafana')
    url.searchParams.set('redirect_uri', redirectUri)
    expect(await visit(url)).toEqual({ status: 400, location: '' })
  })

  it.each([
    'http://localhost:8086/auth/callback',
    'http://127.0.0.1:8085/auth/callback',
    'http://localhost.evil.example:8085/auth/callback',
  ])('%s is no variant of localhost', async (redirectUri) => {
    const { url } = await begin('argo-cd-cli')
    url.searchParams.set('redirect_uri', redirectUri)
    expect((await visit(url)).status).toBe(400)
  })

  it('an address that is given twice, or by a client that is not known, leads nowhere', async () => {
    const { url } = await begin('grafana')
    expect((await visit(`${url}&redirect_uri=https%3A%2F%2Fevil.example`)).status).toBe(400)
    expect((await visit(String(url).replace('client_id=grafana', 'client_id=none'))).status).toBe(400)
  })

  it.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_mode', 'fragment', 'invalid_request'],
    ['scope', 'profile', 'invalid_scope'],
    ['prompt', 'none', 'login_required'],
    ['request', 'x', 'request_not_supported'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['code_challenge', '', 'invalid_request'],
    ['max_age', '-1', 'invalid_request'],
  ])('%s=%s is told to the application as %s', async (name, value, error) => {
    const { url, state } = await begin('grafana')
    url.searchParams.set(name, value)
    const { location } = await visit(url)
    const answer = Object.fromEntries(new URL(location).searchParams)
    expect(location.startsWith(`${redirectOf('grafana')}?`)).toBe(true)
    expect(answer).toMatchObject({ error, state, iss: issuer })
  })

  it('after signing out, users go only to where the application of their ID token may send them', async () => {
    const { tokens } = await signedIn('argo-cd')
    const idToken = had(tokens.id_token)
    const end = (query: Readonly<Record<string, string>>) =>
      visit(`${issuer}/end-session?${new URLSearchParams(query)}`).then(({ location }) => location)
    const uri = 'https://argocd.example/'
    const hint = { id_token_hint: idToken }
    expect(await end({ ...hint, post_logout_redirect_uri: uri, state: 's' })).toBe(`${uri}?state=s`)
    expect(await end({ ...hint, post_logout_redirect_uri: 'https://evil.example/' })).toBe('/')
    expect(await end({ post_logout_redirect_uri: uri })).toBe('/')
    expect(await end({ id_token_hint: `${idToken.slice(0, -8)}AAAAAAAA`, post_logout_redirect_uri: uri })).toBe('/')
    expect(await end({ id_token_hint: tokens.access_token, post_logout_redirect_uri: uri })).toBe('/')
    const { tokens: others } = await signedIn('grafana')
    expect(await end({ id_token_hint: had(others.id_token), post_logout_redirect_uri: uri })).toBe('/')
    expect((await send('GET', '/apis', ann.headers)).status).toBe(200)
  })
})

describe('attacks on codes', () => {
  const fresh = async () => {
    const { url, verifier } = await begin('grafana')
    const code = had((await allowed(url)).searchParams.get('code'))
    return { code, code_verifier: verifier, redirect_uri: redirectOf('grafana') }
  }

  it('a code is good once, and replaying it ends what it led to', async () => {
    const shown = await fresh()
    const first = await exchange(shown)
    expect(first.status).toBe(200)
    expect(await exchange(shown)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const refresh = { grant_type: 'refresh_token', refresh_token: had(first.body.refresh_token) }
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'https://grafana.example/' }],
    ['another client', { client_id: 'board' }],
    ['a client that is public', { client_id: 'argo-cd-cli', client_secret: '' }],
  ])('a code with %s is refused, and used up', async (_, changed) => {
    const shown = await fresh()
    const { status, body } = await exchange({ ...shown, ...changed })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect((await exchange(shown)).status).toBe(400)
  })

  it('PKCE cannot be left out at the end, nor be added to a code without', async () => {
    const { code_verifier: _, ...without } = await fresh()
    expect((await exchange(without)).status).toBe(400)
    const config = await applicationNamed('argo-cd')
    const uri = redirectOf('argo-cd')
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: uri, scope: 'openid', state: 's' })
    const code = had((await allowed(url)).searchParams.get('code'))
    const asked = { client_id: 'argo-cd', code, redirect_uri: uri, code_verifier: 'v'.repeat(43) }
    expect((await exchange(asked)).status).toBe(400)
  })

  it.each<readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['another secret', { client_secret: 'wrong' }, {}],
    ['no secret', { client_secret: '' }, {}],
    ['a client that is not known', { client_id: 'none' }, {}],
    ['two ways at once', {}, { authorization: `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}` }],
  ])('a client with %s gets nothing', async (_, changed, headers) => {
    const shown = await fresh()
    const answer = await form(
      '/token',
      { grant_type: 'authorization_code', ...ofGrafana, ...shown, ...changed },
      headers,
    )
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
    expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('a user who was locked meanwhile gets nothing', async () => {
    const bob = await signIn(send, await platform.keyOf('bob'))
    const { url, verifier } = await begin('grafana')
    const code = had((await allowed(url, bob.headers)).searchParams.get('code'))
    const lock = (disabled: boolean) =>
      platform.ask('PATCH', `${management}/users/bob`, { body: { spec: { disabled } }, type: merge })
    await lock(true)
    expect((await exchange({ code, code_verifier: verifier, redirect_uri: redirectOf('grafana') })).status).toBe(400)
    await lock(false)
  })
})

describe('attacks with what has changed since', () => {
  it('a code is refused when the session has ended, or the user has left the teams of the application', async () => {
    const session = await signIn(send, await platform.keyOf('ann'))
    const { url, verifier } = await begin('grafana')
    const code = async () => had((await allowed(url, session.headers)).searchParams.get('code'))
    const [first, second, third] = [await code(), await code(), await code()]
    const shown = { code_verifier: verifier, redirect_uri: redirectOf('grafana') }
    expect((await exchange({ ...shown, code: first })).status).toBe(200)
    const limit = (allowedTeams: readonly string[] | null) =>
      platform.ask('PATCH', `${management}/oidcclients/grafana`, { body: { spec: { allowedTeams } }, type: merge })
    await limit(['crew'])
    expect((await exchange({ ...shown, code: second })).status).toBe(400)
    await limit(null)
    await platform.must('DELETE', `${keysPath}/${session.keyName}`)
    expect((await exchange({ ...shown, code: third })).status).toBe(400)
  })

  it('an application that gets the name of another gets none of its tokens', async () => {
    const { tokens } = await signedIn('grafana')
    await platform.must('DELETE', `${management}/oidcclients/grafana`)
    const anew = { metadata: { name: 'grafana' }, spec: applications.grafana }
    await platform.must('POST', `${management}/oidcclients`, anew)
    const refresh = { grant_type: 'refresh_token', refresh_token: had(tokens.refresh_token) }
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('a Secret that holds blanks alone proves no application', async () => {
    const blank = { metadata: { name: 'blank' }, stringData: { clientSecret: ' \n' } }
    await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', blank)
    const spec = { clientSecretRef: { name: 'blank' }, redirectUris: ['https://blank.example/'] }
    await platform.must('POST', `${management}/oidcclients`, { metadata: { name: 'blank' }, spec })
    const authorization = `Basic ${Buffer.from('blank:').toString('base64')}`
    expect((await form('/introspect', { token: 'x' }, { authorization })).status).toBe(401)
  })
})

describe('attacks on tokens', () => {
  const refreshed = (refresh_token: string, more = {}) =>
    exchange({ grant_type: 'refresh_token', refresh_token, ...more })

  it('a refresh token that is used twice ends its whole family', async () => {
    const { tokens } = await signedIn('grafana')
    const first = had(tokens.refresh_token)
    const second = had((await refreshed(first)).body.refresh_token)
    const third = had((await refreshed(second)).body.refresh_token)
    expect((await refreshed(first)).status).toBe(400)
    expect((await refreshed(third)).status).toBe(400)
  })

  it('of two who use one at once, none keeps what it leads to', async () => {
    const { tokens } = await signedIn('grafana')
    const both = await Promise.all([refreshed(had(tokens.refresh_token)), refreshed(had(tokens.refresh_token))])
    const given = both.flatMap(({ body }) => (body.refresh_token === undefined ? [] : [body.refresh_token]))
    expect(given).toHaveLength(1)
    for (const token of given) expect((await refreshed(token)).status).toBe(400)
  })

  it('one of another client is refused, and ends', async () => {
    const { tokens } = await signedIn('grafana')
    const token = had(tokens.refresh_token)
    expect((await refreshed(token, { client_id: 'board' })).status).toBe(400)
    expect((await refreshed(token)).status).toBe(400)
  })

  it('one ends with the key that its user signed in with, and is not used up by a scope that is too wide', async () => {
    const session = await signIn(send, await platform.keyOf('ann'))
    const { url, verifier } = await begin('grafana', { scope: 'openid offline_access' })
    const code = had((await allowed(url, session.headers)).searchParams.get('code'))
    const { body } = await exchange({ code, code_verifier: verifier, redirect_uri: redirectOf('grafana') })
    const wider = await refreshed(had(body.refresh_token), { scope: 'openid email' })
    expect(wider.body.error).toBe('invalid_scope')
    const given = await refreshed(had(body.refresh_token))
    expect(given).toMatchObject({ status: 200, body: { scope: 'openid offline_access' } })
    const { status } = await platform.must('GET', `${keysPath}/${session.keyName}`)
    await platform.must('DELETE', `${keysPath}/${status.session.startedWith}`)
    expect((await refreshed(had(given.body.refresh_token))).status).toBe(400)
  })

  it('neither another algorithm, nor another key, nor another type of token passes for an access token', async () => {
    const { tokens } = await signedIn('grafana')
    const userinfo = async (token: string) =>
      (await ownFetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await userinfo(tokens.access_token)).toBe(200)
    expect(await userinfo(had(tokens.id_token))).toBe(401)
    const [header = '', payload = '', signature = ''] = tokens.access_token.split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    expect(await userinfo(`${none}.${payload}.`)).toBe(401)
    expect(await userinfo(`${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`)).toBe(401)
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const keys = (await (await ownFetch(`${issuer}/keys`, {})).json()) as { keys: readonly object[] }
    const asSecret = new TextEncoder().encode(JSON.stringify(keys.keys[0]))
    const byHmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(asSecret)
    expect(await userinfo(byHmac)).toBe(401)
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const own = { alg: 'RS256', typ: 'at+jwt', kid, jwk: await exportJWK(publicKey) }
    expect(await userinfo(await new SignJWT(claims).setProtectedHeader(own).sign(privateKey))).toBe(401)
  })

  it('only public parts of keys are published', async () => {
    const keys = (await (await ownFetch(`${issuer}/keys`, {})).json()) as { keys: readonly object[] }
    expect(keys.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']])
  })

  it('an application learns of its own tokens alone, and revokes its own alone', async () => {
    const { config, tokens } = await signedIn('grafana')
    const [access, refresh] = [tokens.access_token, had(tokens.refresh_token)]
    expect(await oidc.tokenIntrospection(config, access)).toMatchObject({ active: true, client_id: 'grafana' })
    expect(await oidc.tokenIntrospection(config, refresh)).toMatchObject({ active: true, username: 'ann' })
    const others = await applicationNamed('argo-cd')
    for (const token of [access, refresh]) {
      expect(await oidc.tokenIntrospection(others, token)).toEqual({ active: false })
      await oidc.tokenRevocation(others, token)
    }
    expect(await oidc.tokenIntrospection(config, refresh)).toMatchObject({ active: true })
    await oidc.tokenRevocation(config, refresh)
    expect(await oidc.tokenIntrospection(config, refresh)).toEqual({ active: false })
    const asked = await form('/introspect', { client_id: 'argo-cd-cli', token: access })
    expect(asked.status).toBe(401)
  })

  it('are confirmed by no replica that is cut off from the store, and what is revoked there is not said to be', async () => {
    const { config, tokens } = await signedIn('grafana')
    const token = had(tokens.refresh_token)
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    const asked = () =>
      Promise.all([
        form('/introspect', { ...ofGrafana, token }),
        form('/introspect', { ...ofGrafana, token: tokens.access_token }),
        form('/revoke', { ...ofGrafana, token }),
        form('/userinfo', {}, bearer),
        ownFetch(`${issuer}/end-session?${new URLSearchParams({ id_token_hint: had(tokens.id_token) })}`, {}),
      ])
    backing.isCutOff = true
    const statuses = (
      await asked().finally(() => {
        backing.isCutOff = false
      })
    ).map(({ status }) => status)
    expect(statuses).toEqual([503, 503, 503, 503, 503])
    expect(await oidc.tokenIntrospection(config, token)).toMatchObject({ active: true })
  })

  it('signing out of the application ends its refresh tokens', async () => {
    const { tokens } = await signedIn('grafana')
    await visit(`${issuer}/end-session?${new URLSearchParams({ id_token_hint: had(tokens.id_token) })}`)
    expect((await refreshed(had(tokens.refresh_token))).status).toBe(400)
  })
})

describe('a virtual cluster takes ID tokens', () => {
  it('of its issuer and client, and gives roles to users and teams by their names', async () => {
    const settings = { usernameClaim: 'preferred_username', groupsClaim: 'groups' }
    const prefixes = { usernamePrefix: 'oidc:', groupsPrefix: 'oidc:' }
    const trusted = { issuer, clientId: 'argo-cd-cli', caBundle: platform.server.authority }
    const oidcTokens = createOidcTokenAuthenticator({ ...trusted, ...settings, ...prefixes }, systemClock)
    const cluster = await startTestServer({ oidcTokens })
    onTestFinished(async () => {
      await cluster.stop()
      await oidcTokens.close()
    })
    const client = clientOf(cluster.url, cluster.authority)
    onTestFinished(() => client.close())
    const status = async (token = '') => (await client.ask('GET', '/api/v1/namespaces', { token })).status
    const { tokens } = await signedIn('argo-cd-cli')
    expect(await status(tokens.id_token)).toBe(403)
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }]
    await client.ask('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'ops' }, rules } })
    await client.ask('POST', `${rbac}/clusterrolebindings`, {
      body: {
        metadata: { name: 'ops' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ops' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'oidc:ops' }],
      },
    })
    expect(await status(tokens.id_token)).toBe(200)
    const { tokens: others } = await signedIn('grafana')
    const [head, body] = had(tokens.id_token).split('.')
    for (const token of [tokens.access_token, others.id_token, `${head}.${body}.AAAA`, had(others.refresh_token)]) {
      expect(await status(token)).toBe(401)
    }
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: tokens.id_token } }
    const reviewed = await client.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: review })
    expect(reviewed.body.status.user).toMatchObject({
      username: 'oidc:ann',
      groups: ['oidc:ops', 'system:authenticated'],
    })
  })
})

describe('applications are set up', () => {
  const create = (spec: object, token?: string) =>
    platform.ask('POST', `${management}/oidcclients`, {
      ...(token === undefined ? {} : { token }),
      body: { metadata: { generateName: 'x-' }, spec },
    })

  it.each([
    ['no address', {}],
    ['a wildcard', { redirectUris: ['https://*.example/'] }],
    ['a fragment', { redirectUris: ['https://a.example/#x'] }],
    ['plain HTTP', { redirectUris: ['http://a.example/'] }],
    ['another spelling', { redirectUris: ['https://a.example/x/../y'] }],
    ['a user in it', { redirectUris: ['https://u:p@a.example/'] }],
    ['a public client without PKCE', { redirectUris: ['https://a.example/'], allowWithoutPkce: true }],
    ['an unknown scope', { redirectUris: ['https://a.example/'], scopes: ['admin'] }],
  ])('not with %s', async (_, spec) => {
    expect((await create(spec)).status).toBe(422)
  })

  it('only by callers who may impersonate every user and group', async () => {
    const spec = { redirectUris: ['https://a.example/'] }
    expect((await create(spec, await platform.keyOf('ann'))).status).toBe(403)
  })
})

it('programs that ask too often are told so in JSON, and when to come back', async () => {
  const flood = new Agent({ connect: { ca: platform.server.authority }, localAddress: '127.0.0.9', connections: 4 })
  onTestFinished(() => flood.close())
  const answers = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const answer = await undiciFetch(`${issuer}/keys`, { dispatcher: flood })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
    }),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused[0]).toMatchObject({ status: 429, retryAfter: '1', body: { error: 'temporarily_unavailable' } })
  expect((await ownFetch(`${issuer}/keys`, {})).status).toBe(200)
})
