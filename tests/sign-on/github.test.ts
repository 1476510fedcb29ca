import type { Agent } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { longestKeptToken } from '../../src/sign-on/kept-token.ts'
import { noBrowser, openBrowser, visit } from '../console/support/browser.ts'
import { signInBy } from '../console/support/sign-on-page.ts'
import { keysPath, management } from '../platform/platform.ts'
import { eventually } from '../support/eventually.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { TestBrowser, verifier } from './support/browser.ts'
import { type GithubScript, githubSecret, membership, ScriptedGithub, team } from './support/scripted-github.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

let stage: Stage
let github: ScriptedGithub
let agent: Agent

beforeAll(async () => {
  ;[stage, github] = await Promise.all([openStage({ identityRefreshSeconds: 1 }), ScriptedGithub.start()])
  agent = patientAgent({ ca: [stage.platform.server.authority, github.authority] })
  await stage.platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
    metadata: { name: 'github' },
    stringData: { clientSecret: githubSecret, old: 'the secret of another app' },
  })
  await connect('github')
}, 240_000)
afterAll(async () => {
  await agent.close()
  await stage.stop()
  await github.stop()
})
beforeEach(() => {
  github.script = {}
})

const connect = (name: string, settings: object = {}) =>
  stage.platform.must('POST', `${management}/connectors`, {
    metadata: { name },
    spec: {
      type: 'github',
      github: {
        url: github.url,
        caBundle: github.authority,
        clientId: 'an-oauth-app',
        clientSecretRef: { name: 'github' },
        organizations: ['acme', 'Widgets'],
        ...settings,
      },
    },
  })

const callback = (connector = 'github') =>
  new TestBrowser(stage.platform.server.url, agent).signIn(loginPath(connector))

async function signedIn(script: GithubScript) {
  github.script = script
  const browser = new TestBrowser(stage.platform.server.url, agent)
  const answer = await browser.signIn(loginPath('github'))
  const session = await browser.post('/auth/session', { code: codeOf(answer), verifier })
  expect(session.status, answer.text).toBe(200)
  const { keyName, user } = JSON.parse(session.text)
  const { spec } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
  return { keyName, user, identity: spec.identity }
}

describe('signing in by GitHub', () => {
  it('identifies the account by its number, and maps organizations and teams to groups', async () => {
    const { user, identity } = await signedIn({
      emails: [
        { email: 'other@example.com', primary: false, verified: true },
        { email: 'cat@example.com', primary: true, verified: true },
      ],
      memberships: [membership('Acme'), membership('elsewhere'), membership('widgets', 'pending')],
      teams: [team('Acme', 'Admins'), team('elsewhere', 'admins'), team('widgets', 'core')],
    })
    expect(user).toBe('octocat')
    expect(identity).toMatchObject({
      userId: '583231',
      username: 'octocat',
      preferredUsername: 'The Octocat',
      email: 'cat@example.com',
      emailVerified: true,
      groups: ['acme', 'acme/admins'],
    })
  })

  it('does not give a reused account name to another user (renamed, then taken)', async () => {
    expect((await signedIn({ user: { id: 1, login: 'taken' } })).user).toBe('taken')
    expect((await signedIn({ user: { id: 1, login: 'renamed' } })).user).toBe('taken')
    expect((await signedIn({ user: { id: 2, login: 'taken' } })).user).toMatch(/^taken-[0-9a-f]{8}$/)
  })

  it.each<[string, readonly object[]]>([
    ['is not verified', [{ email: 'root@example.com', primary: true, verified: false }]],
    ['is not the primary one', [{ email: 'root@example.com', primary: false, verified: true }]],
    ['is only shown in the profile', []],
  ])('accepts no mail address that %s', async (_, emails) => {
    const { identity } = await signedIn({ emails })
    expect(identity).toMatchObject({ emailVerified: false })
    expect(identity.email).toBeUndefined()
  })

  it('reads all pages of teams, up to a thousand teams', async () => {
    const teams = Array.from({ length: 250 }, (_, index) => team('acme', `team-${index}`))
    expect((await signedIn({ teams })).identity.groups).toHaveLength(251)
    github.requests.length = 0
    await signedIn({ teams: Array.from({ length: 5_000 }, (_, index) => team('acme', `team-${index}`)) })
    // Identified by the page numbers: other sessions are refreshed meanwhile.
    const asked = github.requests.filter((path) => path.startsWith('/api/v3/user/teams'))
    const pages = asked.map((path) => Number(new URL(path, 'https://github.test').searchParams.get('page')))
    expect(Math.max(...pages)).toBe(10)
  })
})

describe('refused sign-ins by GitHub', () => {
  const notAllowed = { status: 403, text: expect.stringContaining('You may not sign in here') }
  const untrusted = { status: 400, text: expect.stringContaining('cannot be trusted') }
  const refused = { status: 403, text: expect.stringContaining('refused the sign-in') }
  const away = { status: 503, text: expect.stringContaining('does not answer') }
  const tooLarge = { status: 502, text: expect.stringContaining('is too large') }

  it.each<[string, GithubScript, object]>([
    ['who is in no allowed organization', { memberships: [membership('elsewhere')] }, notAllowed],
    ['who is only invited', { memberships: [membership('acme', 'pending')] }, notAllowed],
    [
      'who is in a team of an organization, but not in the organization',
      { memberships: [], teams: [team('acme', 'x')] },
      notAllowed,
    ],
    ['who has taken the scope for organizations away', { scope: 'read:user' }, refused],
    ['an account without a number', { user: { login: 'octocat' } }, untrusted],
    ['an account whose number is a text', { user: { id: '583231', login: 'octocat' } }, untrusted],
    ['an account whose number is not exact', { user: { id: 2 ** 60, login: 'octocat' } }, untrusted],
    ['an invalid list', { memberships: { message: 'x' } }, untrusted],
    ['an answer without a token', { token: { token_type: 'bearer' } }, untrusted],
    [
      'a token that the API does not know (token substitution)',
      { token: { access_token: 'x', token_type: 'bearer', scope: 'read:org' } },
      refused,
    ],
    [
      'a suspended account',
      { answer: { status: 403, body: { message: 'Sorry. Your account was suspended.' } } },
      refused,
    ],
    [
      'who has exceeded their own request limit',
      { answer: { status: 403, body: { message: 'API rate limit exceeded for user ID 583231.' } } },
      refused,
    ],
    ['an answer that is far too large', { user: { id: 7, login: 'x', bio: 'x'.repeat(2 ** 21) } }, tooLarge],
    ['while it limits requests', { answer: { status: 429, body: { message: 'rate limit' } } }, away],
  ])('%s', async (_, script, told) => {
    github.script = script
    expect(await callback()).toMatchObject(told)
  })

  it('a callback of another sign-in (state)', async () => {
    github.script = { state: 'another' }
    expect(await callback()).toMatchObject({ status: 400, text: expect.stringContaining('This sign-in is over') })
  })

  it('with a secret that GitHub refuses', async () => {
    await connect('old-secret', { clientSecretRef: { name: 'github', key: 'old' } })
    expect(await callback('old-secret')).toMatchObject({
      status: 500,
      text: expect.stringContaining('not set up correctly'),
    })
  })
})

describe('while a session lives', () => {
  const isThere = async (keyName: string) => (await stage.platform.ask('GET', `${keysPath}/${keyName}`)).status

  it('GitHub is queried again: a user who leaves the organization is signed out, one who cannot be checked is not', async () => {
    const { keyName } = await signedIn({ user: { id: 31, login: 'leaver' } })
    const asked = () => github.requests.filter((path) => path === '/api/v3/user').length
    github.script = { answer: { status: 503, body: {} } }
    const before = asked()
    await eventually(() => expect(asked()).toBeGreaterThan(before))
    expect(await isThere(keyName)).toBe(200)
    github.script = { user: { id: 31, login: 'leaver' }, memberships: [] }
    await eventually(async () => expect(await isThere(keyName)).toBe(404))
  }, 240_000)
})

it.skipIf(noBrowser !== undefined)(
  'a user signs in by GitHub in a browser',
  async () => {
    const browser = await openBrowser()
    const visitor = await visit(browser)
    await signInBy(visitor, stage.platform.server.url, 'github')
    await browser.close()
  },
  60_000,
)

it('tenant platform auth test reports whether the API answers', async () => {
  const body = { kind: 'ConnectorTest', apiVersion: 'management.platform.internal/v1' }
  const { status } = await stage.platform.must('POST', `${management}/connectors/github/test`, body)
  expect(status).toMatchObject({ works: true, steps: [`the API of ${github.url} answers`, expect.any(String)] })
})

it('a token of GitHub that is too long to be kept with each session signs no user in', async () => {
  const longest = { scope: 'read:org,user:email', token_type: 'bearer', access_token: 'g'.repeat(longestKeptToken + 1) }
  github.script = { token: longest }
  expect(await callback()).toMatchObject({ status: 400, text: expect.stringContaining('cannot be trusted') })
})
