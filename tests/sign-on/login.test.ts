import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keysPath, management } from '../platform/platform.ts'
import { commandAddress, verifier } from './support/browser.ts'
import { accessToken, refreshToken } from './support/scripted-issuer.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

/** More than the tests below create with one connector. */
const usersPerConnector = 25

let stage: Stage

beforeAll(async () => {
  stage = await openStage({}, { quotas: { usersPerConnector } })
  await stage.connect('corp', { displayName: 'Corporate login', extraClaims: ['department'] })
}, 240_000)
afterAll(() => stage.stop())
beforeEach(() => {
  stage.issuer.script = {}
})

const userOf = (name: string) => stage.platform.must('GET', `${management}/users/${name}`)
const whoAmI = async (headers: Readonly<Record<string, string>>, browser: ReturnType<Stage['browser']>) =>
  browser.post(
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    headers,
  )

describe('signing in through a provider', () => {
  it('creates a user at the first sign-in, and a session that acts for the user', async () => {
    const { session, headers, browser, callback } = await stage.signIn('corp')
    expect(callback).toMatchObject({ status: 302, location: expect.stringMatching(/^\/#sign-on=[\w-]{43}$/) })
    expect(session.status).toBe(200)
    expect(JSON.parse((await whoAmI(headers, browser)).text).status.userInfo).toMatchObject({
      username: 'jane',
      groups: expect.not.arrayContaining(['system:masters']),
    })
    expect(await userOf('jane')).toMatchObject({
      spec: {
        username: 'jane',
        displayName: 'Jane Doe',
        identities: [{ connector: 'corp', userId: 'subject-1' }],
      },
      status: { signOn: [{ connector: 'corp', groups: [] }] },
    })
  })

  it('creates a key of type Login with the identity, and shows no secrets of the connector', async () => {
    const claims = { email: 'jane@example.com', email_verified: true, groups: ['dev'], department: 'R&D', floor: 3 }
    stage.issuer.script = { claims }
    const { session } = await stage.signIn('corp')
    const { keyName } = JSON.parse(session.text)
    const key = await stage.platform.must('GET', `${keysPath}/${keyName}`)
    expect(key.spec).toMatchObject({ type: 'Login', user: 'jane', ttlAfterLastActivity: true })
    expect(key.spec.identity).toEqual({
      connector: 'corp',
      userId: 'subject-1',
      username: 'jane',
      preferredUsername: 'Jane Doe',
      email: 'jane@example.com',
      emailVerified: true,
      groups: ['dev'],
      extraClaims: { department: 'R&D' },
      identityRefresh: expect.any(String),
    })
    expect(key.status.session).toMatchObject({ latestEnd: expect.any(String) })
    const list = await stage.platform.ask('GET', keysPath)
    expect(list.text).not.toContain(refreshToken)
    expect(list.text).not.toContain(accessToken)
  })

  it('lists only enabled connectors', async () => {
    await stage.connect('off', { disabled: true })
    const { text } = await stage.browser().visit('/auth/connectors')
    expect(JSON.parse(text)).toEqual({ connectors: [{ name: 'corp', displayName: 'Corporate login' }] })
    const { status, text: page } = await stage.browser().visit(loginPath('off'))
    expect({ status, page }).toMatchObject({ status: 404, page: expect.stringContaining('no such way to sign in') })
  })

  it('continues at the previous page', async () => {
    const callback = await stage.browser().signIn(loginPath('corp', '&return=%2Fkeys%3Fq%3Da'))
    expect(callback.location).toMatch(/^\/keys\?q=a#sign-on=/)
  })

  it('keeps the user when the provider renames the account, whatever the new name is', async () => {
    await stage.signIn('corp')
    stage.issuer.script = { claims: { preferred_username: 'jane.smith', name: 'Jane Smith' } }
    expect(JSON.parse((await stage.signIn('corp')).session.text).user).toBe('jane')
    expect((await userOf('jane')).spec).toMatchObject({ username: 'jane.smith', displayName: 'Jane Doe' })
  })

  it('creates another user for another account of the same name', async () => {
    await stage.signIn('corp')
    stage.issuer.script = { claims: { sub: 'subject-2' } }
    const { user } = JSON.parse((await stage.signIn('corp')).session.text)
    expect(user).toMatch(/^jane-[0-9a-f]{8}$/)
    expect(JSON.parse((await stage.signIn('corp')).session.text).user).toBe(user)
  })

  it('adds users to teams by their groups, and removes them with the next sign-in', async () => {
    const team = { metadata: { name: 'developers' }, spec: { groups: ['dev'] } }
    await stage.platform.must('POST', `${management}/teams`, team)
    stage.issuer.script = { claims: { sub: 'in-team', preferred_username: 'tim', groups: ['dev', 'other'] } }
    const first = await stage.signIn('corp')
    const groupsNow = async () => JSON.parse((await whoAmI(first.headers, first.browser)).text).status.userInfo.groups
    expect(await groupsNow()).toContain('platform:team:developers')
    expect(await groupsNow()).not.toContain('dev')
    stage.issuer.script = { claims: { sub: 'in-team', preferred_username: 'tim', groups: ['other'] } }
    await stage.signIn('corp')
    expect(await groupsNow()).not.toContain('platform:team:developers')
  })

  it('creates teams for unknown groups only on request, and never under a name with grants', async () => {
    stage.issuer.script = {
      claims: { sub: 'teams', preferred_username: 'tess', groups: ['acme/ops', 'acme/dev', 'ａ'] },
    }
    await stage.signIn('corp')
    const created = async () => {
      const { items } = await stage.platform.must('GET', `${management}/teams`)
      type Team = {
        readonly metadata: { readonly name: string }
        readonly spec: { readonly groups?: readonly string[] }
      }
      const teams = (items as readonly Team[]).filter(({ spec }) => spec.groups?.some((each) => each.startsWith('t:')))
      expect(new Set(teams.map(({ spec }) => String(spec.groups))).size).toBe(teams.length)
      return Object.fromEntries(teams.map(({ metadata, spec }) => [String(spec.groups), metadata.name]))
    }
    expect(await created()).toEqual({})
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'platform:team:t-acme-ops' }]
    const binding = { metadata: { name: 'left-over' }, roleRef, subjects }
    await stage.platform.must('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding)
    await stage.connect('teams', { createTeams: true }, { groupsPrefix: 't:' })
    const sessions = await Promise.all([stage.signIn('teams'), stage.signIn('teams')])
    for (const { session } of sessions) expect(session.status).toBe(200)
    expect(await created()).toEqual({
      't:acme/dev': 't-acme-dev',
      't:acme/ops': expect.stringMatching(/^t-acme-ops-[0-9a-f]{8}$/),
      't:ａ': expect.stringMatching(/^team-[0-9a-f]{8}$/),
    })
    const [{ browser, headers }] = sessions
    expect((await whoAmI(headers, browser)).text).toContain('platform:team:t-acme-dev')
    expect((await browser.visit('/api/v1/secrets', headers)).status).toBe(403)
  })

  it('reads nested groups, filters them and adds the prefix', async () => {
    await stage.connect(
      'nested',
      { groupFilters: ['team-*'] },
      { claims: { groups: 'realm.roles' }, groupsPrefix: 'k:' },
    )
    stage.issuer.script = { claims: { sub: 'n', preferred_username: 'nora', realm: { roles: ['team-a', 'x', 7] } } }
    await stage.signIn('nested')
    expect((await userOf('nora')).status.signOn).toMatchObject([{ groups: ['k:team-a'] }])
  })

  it('requests user info if configured', async () => {
    await stage.connect('info', {}, { getUserInfo: true })
    stage.issuer.script = {
      claims: { sub: 'subject-1', preferred_username: 'ina' },
      userInfo: { groups: ['from-info'] },
    }
    const { session } = await stage.signIn('info')
    const key = await stage.platform.must('GET', `${keysPath}/${JSON.parse(session.text).keyName}`)
    expect(key.spec.identity.groups).toEqual(['from-info'])
  })

  it('accepts rotated keys of the provider', async () => {
    await stage.signIn('corp')
    await stage.issuer.rotateKeys()
    expect((await stage.signIn('corp')).session.status).toBe(200)
  })

  it.each([
    ['allowedGroups', { allowedGroups: ['admins'] }, { groups: ['dev'] }],
    ['allowedEmailDomains', { allowedEmailDomains: ['example.com'] }, { email: 'a@example.org', email_verified: true }],
    ['allowedEmailDomains, not verified', { allowedEmailDomains: ['example.com'] }, { email: 'a@example.com' }],
  ])('admits only users that %s allows', async (name, spec, claims) => {
    const connector = `allow-${name.toLowerCase().replace(/[^a-z]/g, '')}`
    await stage.connect(connector, spec)
    stage.issuer.script = { claims: { sub: 'outsider', ...claims } }
    const { callback } = await stage.signIn(connector)
    expect(callback).toMatchObject({ status: 403, text: expect.stringContaining('You may not sign in here') })
  })

  it('creates no user if that is disabled, and admits users who name the identity', async () => {
    await stage.connect('known-only', { disableUserCreation: true })
    stage.issuer.script = { claims: { sub: 'known', preferred_username: 'kim' } }
    expect((await stage.signIn('known-only')).callback).toMatchObject({
      status: 403,
      text: expect.stringContaining('You have no account here'),
    })
    const identities = [{ connector: 'known-only', userId: 'known' }]
    await stage.platform.must('POST', `${management}/users`, { metadata: { name: 'kimberly' }, spec: { identities } })
    expect(JSON.parse((await stage.signIn('known-only')).session.text).user).toBe('kimberly')
  })

  it('creates no more users than a connector may have, and admits existing ones', async () => {
    await stage.connect('crowded')
    const pathOf = (index: number) => `${management}/users/crowd-${index}`
    for (let index = 0; index < usersPerConnector; index += 1) {
      const identities = [{ connector: 'crowded', userId: `crowd-${index}` }]
      await stage.platform.must('POST', `${management}/users`, {
        metadata: { name: `crowd-${index}` },
        spec: { identities },
      })
    }
    const callbackOf = async (sub: string) => {
      stage.issuer.script = { claims: { sub, preferred_username: sub } }
      return (await stage.signIn('crowded')).callback
    }
    expect(await callbackOf('newcomer')).toMatchObject({
      status: 403,
      text: expect.stringContaining('There is no room for another account'),
    })
    expect((await callbackOf('crowd-1')).status).toBe(302)
    await stage.platform.must('DELETE', pathOf(0))
    await expect.poll(async () => (await stage.platform.ask('GET', pathOf(0))).status).toBe(404)
    expect((await callbackOf('newcomer')).status).toBe(302)
    expect(await callbackOf('another')).toMatchObject({ status: 403 })
  })

  it('refuses a locked user', async () => {
    stage.issuer.script = { claims: { sub: 'locked', preferred_username: 'lou' } }
    await stage.signIn('corp')
    const user = await userOf('lou')
    await stage.platform.must('PUT', `${management}/users/lou`, { ...user, spec: { ...user.spec, disabled: true } })
    expect((await stage.signIn('corp')).callback).toMatchObject({
      status: 403,
      text: expect.stringContaining('Your account is locked'),
    })
  })

  it('shows a page when the provider is unavailable, and when the user refused', async () => {
    await stage.connect('away', {}, { issuer: 'https://127.0.0.1:1' })
    expect(await stage.browser().visit(loginPath('away'))).toMatchObject({
      status: 503,
      text: expect.stringContaining('The identity provider does not answer'),
    })
    stage.issuer.script = {
      answer: (right) =>
        new URLSearchParams({ error: 'access_denied', state: right.get('state') ?? '', iss: stage.issuer.url }),
    }
    expect((await stage.signIn('corp')).callback).toMatchObject({
      status: 403,
      text: expect.stringContaining('You have not signed in'),
    })
  })

  it('applies a changed connector at the next sign-in', async () => {
    await stage.connect('changing')
    const connector = await stage.platform.must('GET', `${management}/connectors/changing`)
    const oidc = { ...connector.spec.oidc, usernamePrefix: 'x-' }
    await stage.platform.must('PUT', `${management}/connectors/changing`, {
      ...connector,
      spec: { ...connector.spec, oidc },
    })
    stage.issuer.script = { claims: { sub: 'c', preferred_username: 'carl' } }
    expect(JSON.parse((await stage.signIn('changing')).session.text).user).toBe('x-carl')
  })

  it('gives a command a working key, but no session', async () => {
    const browser = stage.browser()
    const path = loginPath('corp', '&port=50123&state=0123456789abcdef')
    const back = new URL(commandAddress(await browser.signIn(path)))
    expect(`${back.origin}${back.pathname}`).toBe('http://127.0.0.1:50123/')
    expect(back.searchParams.get('state')).toBe('0123456789abcdef')
    const code = back.searchParams.get('code')
    expect((await browser.post('/auth/session', { code, verifier })).status).toBe(401)
    const again = commandAddress(await browser.signIn(path))
    const answer = await browser.post('/auth/token', { code: new URL(again).searchParams.get('code'), verifier })
    const { accessKey, keyName } = JSON.parse(answer.text)
    const self = await stage.platform.ask('GET', `${keysPath}/${keyName}`, { token: accessKey })
    expect(self.body.spec).toMatchObject({ type: 'Login', user: 'jane', identity: { connector: 'corp' } })
    expect(self.text).not.toContain(refreshToken)
  })

  it('ends every session and key of the user on a sign-out everywhere', async () => {
    const [first, second] = [await stage.signIn('corp'), await stage.signIn('corp')]
    const path = `${keysPath}?fieldSelector=spec.type%3DLogin%2Cspec.user%3Djane`
    const answer = await stage.platform.ask('DELETE', path, {
      token: '',
      headers: {
        ...first.headers,
        cookie: [...first.browser.cookies].map((pair) => pair.join('=')).join('; '),
        origin: stage.platform.server.url,
      },
    })
    expect(answer.status).toBe(200)
    expect((await whoAmI(second.headers, second.browser)).status).toBe(401)
  })

  it('accepts each code once', async () => {
    const callback = await stage.browser().signIn(loginPath('corp'))
    const browser = stage.browser()
    expect((await browser.post('/auth/session', { code: codeOf(callback), verifier })).status).toBe(200)
    expect((await browser.post('/auth/session', { code: codeOf(callback), verifier })).status).toBe(401)
  })
})
