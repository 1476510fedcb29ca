import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { OidcProvider } from '../../src/sign-on/oidc/connector.ts'
import { noBrowser, openBrowser, visit } from '../console/support/browser.ts'
import { signInBy } from '../console/support/sign-on-page.ts'
import { stopsWithTest } from '../link/stops-with-test.ts'
import { embedded, inside, link, tenantScope } from '../link/support.ts'
import { grant, management } from '../platform/platform.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { challenge, verifier } from './support/browser.ts'
import type { Script } from './support/scripted-issuer.ts'
import { openStage, type SignedIn, type Stage } from './support/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage({ identityRefreshSeconds: 1 }, { oidcIssuer: 'https://platform.internal/oidc' })
  for (const name of ['corp', 'slow', 'quick']) await stage.connect(name)
  await stage.connect('told', {}, { getUserInfo: true })
  await stage.platform.must('POST', `${management}/teams`, {
    metadata: { name: 'developers' },
    spec: { groups: ['dev'] },
  })
}, 240_000)
afterAll(() => stage.stop())
afterEach(() => {
  stage.issuer.script = {}
})

async function signedIn(claims: object): Promise<SignedIn> {
  stage.issuer.script = { claims: { ...claims } }
  const signed = await stage.signIn('corp')
  expect(signed.session.status).toBe(200)
  return signed
}

const whoAmI = ({ browser, headers }: SignedIn) =>
  browser.post(`${management}/selves`, { apiVersion: 'management.platform.internal/v1', kind: 'Self' }, headers)

async function groupsOf(signed: SignedIn): Promise<readonly string[]> {
  return JSON.parse((await whoAmI(signed)).text).status.userInfo.groups
}

/** Waits until the provider has been asked this many more times. */
async function refreshed(times: number): Promise<void> {
  const before = stage.issuer.refreshes
  await eventually(() => expect(stage.issuer.refreshes).toBeGreaterThanOrEqual(before + times))
}

it('a user who leaves a group at the provider leaves the team, and its connections are cut', async () => {
  const tim = { sub: 'tim', preferred_username: 'tim' }
  const signed = await signedIn({ ...tim, groups: ['dev'] })
  expect(await groupsOf(signed)).toContain('platform:team:developers')
  await grant(stage.platform, 'tim', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }])
  const watch = await stage.platform.watch('/api/v1/configmaps?watch=true', await stage.platform.keyOf('tim'))
  expect(watch.status).toBe(200)
  stage.issuer.script = { claims: { ...tim, groups: [] } }
  await watch.ended
  expect(await groupsOf(signed)).not.toContain('platform:team:developers')
  const [user] = (await stage.platform.must('GET', `${management}/users?fieldSelector=metadata.name=tim`)).items
  expect(user.status.signOn).toMatchObject([{ connector: 'corp', groups: [] }])
}, 240_000)

it('the link of a virtual cluster is cut when the owner of its key leaves the group at the provider', async () => {
  const members = [{ kind: 'Team', name: 'developers', role: 'admin' }]
  await stage.platform.must('POST', `${management}/projects`, { metadata: { name: 'garage' }, spec: { members } })
  const lena = { sub: 'lena', preferred_username: 'lena' }
  await signedIn({ ...lena, groups: ['dev'] })
  const accessKey = await stage.platform.keyOf('lena', { scope: tenantScope })
  const virtual = await startTestServer()
  onTestFinished(() => virtual.stop())
  const { url, authority } = stage.platform.server
  const opened = stopsWithTest(
    link({ name: 'lift', project: 'garage', accessKey, url, authority, virtualApi: embedded(virtual) }),
  )
  await opened.linked()
  const watch = await stage.platform.watch(`${inside('lift', 'garage')}/api/v1/configmaps?watch=true`, 'admin-token')
  expect(watch.status).toBe(200)
  stage.issuer.script = { claims: { ...lena, groups: [] } }
  await watch.ended
  await opened.waiting('NotAllowed')
}, 240_000)

it.skipIf(noBrowser !== undefined)(
  'in two browsers of a user: rights of a group disappear with the group, and signing out everywhere ends both',
  async () => {
    const members = [{ kind: 'Team', name: 'developers', role: 'admin' }]
    const shop = { metadata: { name: 'shop' }, spec: { displayName: 'The shop', members } }
    await stage.platform.must('POST', `${management}/projects`, shop)
    const una = { sub: 'una', preferred_username: 'una' }
    stage.issuer.script = { claims: { ...una, groups: ['dev'] } }
    const browser = await openBrowser()
    const [one, other] = [await visit(browser), await visit(browser)]
    const { url } = stage.platform.server
    await Promise.all([one, other].map((each) => signInBy(each, url, 'corp')))
    await one.page.goto(`${url}/projects`)
    const link = one.page.getByRole('link', { name: 'The shop' })
    await link.waitFor()
    stage.issuer.script = { claims: { ...una, groups: [] } }
    await link.waitFor({ state: 'detached' })
    await other.page.goto(`${url}/keys`)
    await other.page.getByRole('tab', { name: 'Sessions' }).click()
    await other.page.getByRole('button', { name: 'Sign out everywhere' }).click()
    for (const { page } of [one, other]) await page.getByRole('button', { name: 'Sign in with corp' }).waitFor()
    await browser.close()
  },
  240_000,
)

it('each refresh token is used once, and the next one is kept', async () => {
  const signed = await signedIn({ sub: 'uma', preferred_username: 'uma' })
  await refreshed(3)
  expect((await whoAmI(signed)).status).toBe(201)
  const { items } = await stage.platform.must('GET', `${management}/ownedaccesskeys?fieldSelector=spec.user=uma`)
  expect(items[0].spec.identity).toMatchObject({ userId: 'uma', identityRefresh: expect.any(String) })
  expect(JSON.stringify(items)).not.toContain('connectorData')
}, 240_000)

it('the userinfo of a provider is used if it sends no new ID token', async () => {
  const signed = await signedIn({ sub: 'subject-1', preferred_username: 'vera', groups: ['dev'] })
  stage.issuer.script = { refreshesWithoutIdToken: true, userInfo: { preferred_username: 'vera', groups: ['other'] } }
  await eventually(async () => expect(await groupsOf(signed)).not.toContain('platform:team:developers'))
}, 240_000)

it('a session continues while the provider is away, or sends untrusted answers', async () => {
  const signed = await signedIn({ sub: 'walt', preferred_username: 'walt' })
  const asked = () => stage.issuer.requests.filter((path) => path === '/token').length
  for (const tokenAnswer of [
    { status: 503, body: { error: 'temporarily_unavailable' } },
    { status: 502, body: 'Bad gateway' },
    { status: 200, body: { access_token: 'x', token_type: 'Bearer', id_token: 'a.b.c' } },
  ]) {
    stage.issuer.script = { tokenAnswer }
    const before = asked()
    await eventually(() => expect(asked()).toBeGreaterThan(before))
    expect((await whoAmI(signed)).status).toBe(201)
  }
}, 240_000)

/** When the provider was asked about the user. */
async function askedAt(user: string): Promise<string> {
  const { items } = await stage.platform.must('GET', `${management}/ownedaccesskeys?fieldSelector=spec.user=${user}`)
  return items[0]?.spec.identity.identityRefresh ?? 'no session'
}

async function askedAgain(user: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const before = await askedAt(user)
    await eventually(async () => expect(await askedAt(user)).not.toBe(before))
  }
}

it.each<[string, Script]>([
  ['sends no claims of the user', { userInfoStatus: 503 }],
  ['sends an untrusted ID token', { refreshedIdToken: 'a.b.c' }],
])(
  'a new refresh token of a provider is kept even if it %s',
  async (_name, script) => {
    const zoe = { sub: 'zoe', preferred_username: 'zoe' }
    stage.issuer.script = { claims: { ...zoe, groups: ['dev'] }, userInfo: { sub: 'zoe' } }
    const signed = await stage.signIn('told')
    stage.issuer.script = { ...stage.issuer.script, ...script }
    await askedAgain('zoe', 3)
    expect(await groupsOf(signed)).toContain('platform:team:developers')
    stage.issuer.script = { claims: { ...zoe, groups: [] }, userInfo: { sub: 'zoe' } }
    await eventually(async () => expect(await groupsOf(signed)).not.toContain('platform:team:developers'))
    await stage.platform.must('DELETE', `${management}/users/zoe`)
  },
  240_000,
)

it('an answer about one user that is too large does not count as one of a provider that is away', async () => {
  const { url: issuer, authority: caBundle } = stage.issuer
  const spec = { type: 'oidc', oidc: { issuer, clientId: 'platform', caBundle } } as const
  const provider = new OidcProvider({ spec, clientSecret: undefined, clock: systemClock })
  stage.issuer.refreshTokens.add('much')
  stage.issuer.script = { claims: { sub: 'much', groups: Array.from({ length: 100_000 }, () => 'a') } }
  const known = { userId: 'much', username: 'much', emailVerified: false, groups: [], extraClaims: {} }
  const connectorData = JSON.stringify({ issuer, refreshToken: 'much' })
  const asked = provider.refresh(known, { connectorData, keep: async () => {} })
  // The platform would ask about no user for a while.
  await expect(asked).rejects.toMatchObject({ code: 'unreadable' })
  await provider.close()
})

/** Sessions of a connector that are refreshed at the same time. */
const mostAtOnce = 8

it('a provider that hangs does not delay the refresh of another', async () => {
  for (let count = 0; count < 9; count += 1) await stage.signIn('slow')
  const slow = new Set(stage.issuer.refreshTokens)
  const quin = { sub: 'quin', preferred_username: 'quin' }
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const [asked, givenUp] = [new Set<string>(), stage.issuer.givenUp]
  /** How many had been given up when the other provider was asked first, with all of these waiting. */
  let givenUpBefore: number | undefined
  const heldBack = (token: string) => {
    if (!slow.has(token)) {
      if (asked.size >= mostAtOnce) givenUpBefore ??= stage.issuer.givenUp
      return undefined
    }
    asked.add(token)
    return held
  }
  // At once, before those tokens are used and replaced.
  stage.issuer.script = { heldBack, claims: { ...quin, groups: ['dev'] } }
  const signed = await stage.signIn('quick')
  await eventually(() => expect(asked.size).toBeGreaterThanOrEqual(mostAtOnce))
  stage.issuer.script = { heldBack, claims: { ...quin, groups: [] } }
  await eventually(async () => expect(await groupsOf(signed)).not.toContain('platform:team:developers'))
  expect(givenUpBefore).toBe(givenUp)
  answer()
}, 240_000)

it.each([
  ['refuses the user', { tokenAnswer: { status: 400, body: { error: 'invalid_grant' } } }],
  ['sends claims of another user', { claims: { sub: 'mallory', preferred_username: 'mallory' } }],
])(
  'a session ends when the provider %s',
  async (_name, script) => {
    const signed = await signedIn({ sub: 'xena', preferred_username: 'xena' })
    stage.issuer.script = script
    await eventually(async () => expect((await whoAmI(signed)).status).toBe(401))
  },
  240_000,
)

const application = { client_id: 'dashboard', redirect_uri: 'http://localhost:8085/callback' }

const tokensFor = (fields: Readonly<Record<string, string>>) =>
  stage.platform.ask('POST', '/oidc/token', {
    token: '',
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ ...application, ...fields }).toString(),
  })

/** A refresh token of an application that the user signs in to. */
async function refreshTokenOf({ browser, headers }: SignedIn): Promise<string> {
  const scope = 'openid offline_access'
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const query = new URLSearchParams({ ...application, ...pkce, response_type: 'code', scope, state: 's' })
  const { location } = await browser.visit(`/oidc/authorize?${query}`)
  const spec = { request: location.replace(/^\/authorize#/, ''), decision: 'allow' }
  const question = { apiVersion: 'management.platform.internal/v1', kind: 'ClientAuthorization', spec }
  const { text } = await browser.post(`${management}/clientauthorizations`, question, headers)
  const code = new URL(JSON.parse(text).status.location).searchParams.get('code') ?? ''
  return (await tokensFor({ grant_type: 'authorization_code', code, code_verifier: verifier })).body.refresh_token
}

it('refresh tokens of applications end with the session when the provider refuses the user', async () => {
  await stage.platform.must('POST', `${management}/oidcclients`, {
    metadata: { name: application.client_id },
    spec: { redirectUris: [application.redirect_uri] },
  })
  const signed = await signedIn({ sub: 'omar', preferred_username: 'omar' })
  const refresh = (refresh_token: string) => tokensFor({ grant_type: 'refresh_token', refresh_token })
  const renewed = await refresh(await refreshTokenOf(signed))
  expect(renewed.status).toBe(200)
  stage.issuer.script = { tokenAnswer: { status: 400, body: { error: 'invalid_grant' } } }
  await eventually(async () => expect((await whoAmI(signed)).status).toBe(401))
  expect(await refresh(renewed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
}, 240_000)

it('a session ends when the user is in no allowed group, and no key of the user keeps the teams', async () => {
  await stage.connect('closed', { allowedGroups: ['dev'] })
  const claims = { sub: 'yves', preferred_username: 'yves' }
  stage.issuer.script = { claims: { ...claims, groups: ['dev'] } }
  const signed = await stage.signIn('closed')
  expect((await whoAmI(signed)).status).toBe(201)
  const token = await stage.platform.keyOf('yves')
  const groupsOfKey = async () => {
    const body = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
    return (await stage.platform.ask('POST', `${management}/selves`, { token, body })).body.status.userInfo.groups
  }
  expect(await groupsOfKey()).toContain('platform:team:developers')
  stage.issuer.script = { claims: { ...claims, groups: [] } }
  await eventually(async () => expect((await whoAmI(signed)).status).toBe(401))
  expect(await groupsOfKey()).not.toContain('platform:team:developers')
}, 240_000)
