import { createHmac, createSecretKey } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, keysPath, management, userNamed } from '../platform/platform.ts'
import { challenge, challengeOf, verifier } from './support/browser.ts'
import { clientSecret, type Script, ScriptedIssuer } from './support/scripted-issuer.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

let stage: Stage
let another: ScriptedIssuer

beforeAll(async () => {
  ;[stage, another] = await Promise.all([openStage(), ScriptedIssuer.start()])
  await stage.connect('corp')
  await stage.connect('twin')
}, 60_000)
afterAll(async () => {
  await another.stop()
  await stage.stop()
})
beforeEach(() => {
  stage.issuer.script = {}
})

const untrusted = { status: 400, text: expect.stringContaining('cannot be trusted') }
const over = { status: 400, text: expect.stringContaining('This sign-in is over') }
const refused = { status: 403, text: expect.stringContaining('refused the sign-in') }

const { privateKey: strangersKey, publicKey: strangersPublicKey } = await generateKeyPair('RS256')
const strangersJwk = await exportJWK(strangersPublicKey)

function segment(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

describe('an ID token is not believed', () => {
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const forgeries: Readonly<Record<string, NonNullable<Script['idToken']>>> = {
    'with another nonce: an ID token of another sign-in was put in its place': (right, issuer) =>
      issuer.sign({ ...right, nonce: 'another' }),
    'without a nonce': ({ nonce: _, ...right }, issuer) => issuer.sign(right),
    'for another audience': (right, issuer) => issuer.sign({ ...right, aud: 'another client' }),
    'for several audiences, and meant for another': (right, issuer) =>
      issuer.sign({ ...right, aud: ['platform', 'other'], azp: 'other' }),
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
      issuer.sign(right, { jku: `${another.url}/keys`, kid: another.keys.jwk.kid }, another.keys.privateKey),
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
    stage.issuer.script = { idToken, claims: { sub: 'forged', preferred_username: 'forged' } }
    const { callback, session } = await stage.signIn('corp')
    expect(callback.status).toBe(400)
    expect(callback).toMatchObject(untrusted)
    expect(session.status).toBe(401)
    expect((await stage.platform.ask('GET', `${management}/users/forged`)).status).toBe(404)
  })

  it('even if clocks are apart by five minutes it is', async () => {
    const now = Math.floor(Date.now() / 1000)
    stage.issuer.script = { claims: { iat: now + 290, nbf: now + 290, exp: now + 600 } }
    expect((await stage.signIn('corp')).session.status).toBe(200)
    stage.issuer.script = { claims: { iat: now - 600, exp: now - 290 } }
    expect((await stage.signIn('corp')).session.status).toBe(200)
  })
})

describe('an answer to the browser is not believed', () => {
  const changed = (change: (right: URLSearchParams) => void): NonNullable<Script['answer']> => {
    return (right) => {
      change(right)
      return right
    }
  }
  const answers: Readonly<Record<string, NonNullable<Script['answer']>>> = {
    'without a state': changed((right) => right.delete('state')),
    'with the state twice': changed((right) => right.append('state', 'another')),
    'of another issuer (mix-up)': changed((right) => right.set('iss', 'https://evil.example')),
    'of no issuer, from one that names itself (mix-up)': changed((right) => right.delete('iss')),
    'without a code': changed((right) => right.delete('code')),
    'with the code twice': changed((right) => right.append('code', 'another')),
  }

  it.each(Object.entries(answers))('%s', async (_name, answer) => {
    stage.issuer.script = { answer }
    const { callback, session } = await stage.signIn('corp')
    expect(callback).toMatchObject(untrusted)
    expect(session.status).toBe(401)
  })

  it('with another state, as of a sign-in that another tab has begun meanwhile', async () => {
    stage.issuer.script = { answer: changed((right) => right.set('state', 'another')) }
    const { callback, session } = await stage.signIn('corp')
    expect(callback).toMatchObject(over)
    expect(session.status).toBe(401)
  })

  it('with a code of another sign-in: PKCE ties it to the browser that began (code injection)', async () => {
    const attacker = stage.browser()
    const sent = await attacker.visit(loginPath('corp'))
    const stolen = new URL((await attacker.visit(sent.location)).location).searchParams.get('code') ?? ''
    stage.issuer.script = { answer: changed((right) => right.set('code', stolen)) }
    expect((await stage.signIn('corp')).callback).toMatchObject(refused)
  })

  it('that comes back by the callback of another connector (mix-up)', async () => {
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('corp'))
    const back = new URL((await browser.visit(sent.location)).location)
    back.pathname = '/auth/callback/twin'
    expect(await browser.visit(back.href)).toMatchObject(untrusted)
  })

  it('that comes a second time (replay)', async () => {
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('corp'))
    const cookies = new Map(browser.cookies)
    const back = await browser.visit(sent.location)
    expect((await browser.visit(back.location)).status).toBe(302)
    expect(await browser.visit(back.location)).toMatchObject(over)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect(await browser.visit(back.location)).toMatchObject(refused)
  })

  it('that a browser brings which was not sent (login CSRF)', async () => {
    const attacker = stage.browser()
    const sent = await attacker.visit(loginPath('corp'))
    const back = await attacker.visit(sent.location)
    expect(await stage.browser().visit(back.location)).toMatchObject(over)
  })

  it('with a cookie that was made up, changed, or is there twice', async () => {
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('corp'))
    const back = await browser.visit(sent.location)
    const [[name, sealed] = ['', '']] = browser.cookies
    const middle = Math.floor(sealed.length / 2)
    const flipped = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`
    for (const cookie of [`${name}=made-up`, `${name}=${flipped}`, `${name}=${sealed}; ${name}=${sealed}`]) {
      browser.cookies.clear()
      expect(await browser.visit(back.location, { cookie })).toMatchObject(over)
    }
  })

  it('of a connector that was made anew under its name meanwhile', async () => {
    await stage.connect('brief')
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('brief'))
    const back = await browser.visit(sent.location)
    await stage.platform.must('DELETE', `${management}/connectors/brief`)
    await stage.connect('brief')
    expect(await browser.visit(back.location)).toMatchObject(untrusted)
  })
})

describe('a code of the platform', () => {
  it('is worth nothing to one who has not begun the sign-in (login CSRF, session fixation)', async () => {
    const callback = await stage.browser().signIn(loginPath('corp'))
    const victim = stage.browser()
    const answer = await victim.post('/auth/session', { code: codeOf(callback), verifier: 'x'.repeat(43) })
    expect({ status: answer.status, cookies: victim.cookies.size }).toEqual({ status: 401, cookies: 0 })
    const afterwards = await victim.post('/auth/session', { code: codeOf(callback), verifier })
    expect(afterwards.status).toBe(401)
  })

  it('is worth nothing when another user has the name meanwhile', async () => {
    stage.issuer.script = { claims: { sub: 'replaced', preferred_username: 'rose' } }
    const codes = [await stage.browser().signIn(loginPath('corp')), await stage.browser().signIn(loginPath('corp'))]
    await stage.platform.must('DELETE', `${management}/users/rose`)
    const [first, second] = codes.map(codeOf)
    expect((await stage.browser().post('/auth/session', { code: first, verifier })).status).toBe(401)
    await stage.platform.must('POST', `${management}/users`, userNamed('rose'))
    expect((await stage.browser().post('/auth/session', { code: second, verifier })).status).toBe(401)
  })

  it('of a page is no code of a command', async () => {
    const callback = await stage.browser().signIn(loginPath('corp'))
    expect((await stage.browser().post('/auth/token', { code: codeOf(callback), verifier })).status).toBe(401)
  })

  it('is not taken from a page of another site', async () => {
    const callback = await stage.browser().signIn(loginPath('corp'))
    const body = { code: codeOf(callback), verifier }
    for (const path of ['/auth/session', '/auth/token']) {
      const answer = await stage
        .browser()
        .post(path, body, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
      expect(answer.status).toBe(403)
    }
  })

  it('starts a session of its own: one that was there before is not taken over, and ends (session fixation)', async () => {
    const before = await stage.signIn('corp')
    const planted = before.browser.cookies.get('__Host-tenant-session')
    const callback = await before.browser.signIn(loginPath('corp'))
    await before.browser.post('/auth/session', { code: codeOf(callback), verifier }, before.headers)
    expect(before.browser.cookies.get('__Host-tenant-session')).not.toBe(planted)
    const cookie = `__Host-tenant-session=${planted}`
    const answer = await stage.browser().visit('/api/v1/namespaces', { cookie, ...before.headers })
    expect(answer.status).toBe(401)
  })

  it.each(['', 'x', 'é', '/', '../codes/', '\0', 'a'.repeat(5_000)])('that is %j is refused', async (code) => {
    expect((await stage.browser().post('/auth/session', { code, verifier })).status).toBe(401)
  })
})

describe('where a sign-in leads in the end', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/a#sign-on=planted',
    '/\t/evil.example',
    '/a\r\nSet-Cookie: a=b',
    '',
    `/${'a'.repeat(2_000)}`,
  ])('is the start page instead of %j (open redirect)', async (path) => {
    const callback = await stage.browser().signIn(loginPath('corp', `&return=${encodeURIComponent(path)}`))
    expect(callback.location).toMatch(/^\/#sign-on=[\w-]{43}$/)
  })

  it.each(['0', '80', '65536', '1e4', '-5000', '5000.evil.example', '5000@evil.example', ' 5000', '5000/x'])(
    'is no listener at port %j (open redirect)',
    async (port) => {
      const path = loginPath('corp', `&port=${encodeURIComponent(port)}&state=0123456789abcdef`)
      expect(await stage.browser().visit(path, { 'sec-fetch-site': 'same-origin' })).toMatchObject({
        status: 302,
        location: '/',
      })
    },
  )

  it('is no command that another page names: the user is asked first', async () => {
    const path = loginPath('corp', '&port=50123&state=0123456789abcdef')
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status, text } = await stage.browser().visit(path, { 'sec-fetch-site': site })
      expect({ status, text }).toMatchObject({
        status: 200,
        text: expect.stringContaining('Go on only if you have just run'),
      })
    }
  })

  it('is nothing without the challenge of the one who begins', async () => {
    for (const bad of ['', 'short', `${challenge}=`, '"'.repeat(43)]) {
      const path = `/auth/login?connector=corp&challenge=${encodeURIComponent(bad)}`
      expect(await stage.browser().visit(path)).toMatchObject({ status: 302, location: '/' })
    }
  })
})

describe('paths of sign-on', () => {
  it.each([
    '/auth/callback/',
    '/auth/callback/corp/twin',
    '/auth/callback/..%2fcorp',
    '/auth/callback/corp%2f..%2ftwin',
    '/auth/callback/CORP',
    '/auth/callback/corp%00',
    '/auth/callback/__proto__',
  ])('%s leads to no connector (path confusion)', async (path) => {
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('corp'))
    const back = new URL((await browser.visit(sent.location)).location)
    const answer = await browser.visit(`${path}${back.search}`)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.location).toBe('')
  })

  it.each(['POST', 'PUT', 'DELETE'])('take no %s', async (method) => {
    for (const path of [loginPath('corp'), '/auth/callback/corp', '/auth/connectors']) {
      expect((await stage.platform.ask(method, path, { token: '' })).status).toBe(405)
    }
  })

  it('show nothing of what was sent to them', async () => {
    const answer = await stage.browser().visit(`/auth/callback/corp?state=%3Cscript%3E&error=%3Cscript%3E`)
    expect(answer.text).not.toContain('<script')
  })
})

describe('the key of a command that a user has signed in with', () => {
  it.each([
    ['endless', { ttl: 0 }],
    ['longer', { ttl: 90 * 24 * 3600 }],
    ['counted from its last use', { ttlAfterLastActivity: true }],
    ['one that signing out everywhere leaves', { type: 'User' }],
  ])('cannot be made %s by its holder', async (_name, spec) => {
    const callback = await stage.browser().signIn(loginPath('corp', '&port=50123&state=0123456789abcdef'))
    const code = new URL(callback.location).searchParams.get('code')
    const { accessKey: token, keyName } = JSON.parse(
      (await stage.browser().post('/auth/token', { code, verifier })).text,
    )
    const patch = (body: object) =>
      stage.platform.ask('PATCH', `${keysPath}/${keyName}`, { token, body, type: 'application/merge-patch+json' })
    expect(await patch({ spec })).toMatchObject({ status: 422 })
    expect(await patch({ spec: { displayName: 'My laptop' } })).toMatchObject({ status: 200 })
    expect(await patch({ spec: { disabled: true } })).toMatchObject({ status: 200 })
  })
})

describe('signing out', () => {
  it('cannot be caused by a page of another site (logout CSRF)', async () => {
    const { browser, headers } = await stage.signIn('corp')
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await stage.platform.ask('DELETE', '/auth/session', {
      token: '',
      headers: { cookie, ...headers, ...foreign },
    })
    expect(answer.status).toBe(403)
    expect((await browser.visit('/auth/session', headers)).text).toContain('"user"')
  })
})

describe('who a user is', () => {
  const nameOf = async (claims: object, connector = 'corp') => {
    stage.issuer.script = { claims: { ...claims } }
    const { session } = await stage.signIn(connector)
    return session.status === 200 ? String(JSON.parse(session.text).user) : `status ${session.status}`
  }

  it('is not the user of the same name who is there already: no one becomes the administrator by a name', async () => {
    expect(await nameOf({ sub: 'a1', preferred_username: 'admin' })).toMatch(/^admin-[0-9a-f]{8}$/)
  })

  it.each([
    ['Cyrillic', 'аdmin'],
    ['full-width', 'ａｄｍｉｎ'],
    ['with a zero-width space', 'ad\u200bmin'],
    ['turned around', '\u202enimda'],
    ['with a ligature', 'ﬁnn'],
  ])('has a name of plain letters, whatever the provider says: %s', async (_name, preferred_username) => {
    expect(await nameOf({ sub: `homograph-${preferred_username}`, preferred_username })).toMatch(/^user-[0-9a-f]{8}$/)
  })

  it.each(['system:admin', 'platform:user:admin', '../admin', 'a/b', ''])('is never %j', async (preferred_username) => {
    const name = await nameOf({ sub: `odd-${preferred_username}`, preferred_username })
    expect(name).toMatch(/^(user-[0-9a-f]{8}|odd-)/)
  })

  it('is not told by a mail address, verified or not', async () => {
    const spec = { email: 'boss@example.com', username: 'boss' }
    await stage.platform.must('POST', `${management}/users`, userNamed('boss', spec))
    const verified = { email: 'boss@example.com', email_verified: true }
    expect(await nameOf({ sub: 'mail-1', preferred_username: 'boss', ...verified })).toMatch(/^boss-[0-9a-f]{8}$/)
  })

  it('takes no name from a mail address that was not verified', async () => {
    await stage.connect('mail', {}, { claims: { username: 'email' } })
    const mail = { email: 'unverified@example.com' }
    expect(await nameOf({ sub: 'mail-2', ...mail }, 'mail')).toBe('mail-2')
    expect(await nameOf({ sub: 'mail-3', ...mail, email_verified: 'false' }, 'mail')).toBe('mail-3')
    expect(await nameOf({ sub: 'mail-4', ...mail, email_verified: true }, 'mail')).toBe('unverified-example.com')
    expect((await stage.platform.must('GET', `${management}/users/mail-2`)).spec.email).toBeUndefined()
  })

  it('is not told by an address that the provider has verified of another claim, or in another answer', async () => {
    await stage.connect('other-mail', {}, { claims: { username: 'email', email: 'mail' } })
    const self = { mail: 'boss@other.example', email: 'me@other.example', email_verified: true }
    expect(await nameOf({ sub: 'mail-5', ...self }, 'other-mail')).toBe('mail-5')
    await stage.connect('two-answers', {}, { claims: { username: 'email' }, getUserInfo: true })
    stage.issuer.script = {
      claims: { sub: 'mail-6', email: 'boss@other.example' },
      userInfo: { sub: 'mail-6', email: 'me@other.example', email_verified: true },
    }
    const { session } = await stage.signIn('two-answers')
    expect(JSON.parse(session.text).user).toBe('mail-6')
  })

  it('depends on the connector: two that claim one subject mean two users', async () => {
    const claims = { sub: 'shared', preferred_username: 'sam' }
    const [first, second] = [await nameOf(claims, 'corp'), await nameOf(claims, 'twin')]
    expect(first).toBe('sam')
    expect(second).toMatch(/^sam-[0-9a-f]{8}$/)
  })

  it('cannot be told when two users name the identity', async () => {
    for (const name of ['double-1', 'double-2']) {
      const identities = [{ connector: 'corp', userId: 'double' }]
      await stage.platform.must('POST', `${management}/users`, userNamed(name, { identities }))
    }
    stage.issuer.script = { claims: { sub: 'double' } }
    expect((await stage.signIn('corp')).callback).toMatchObject({ status: 409 })
  })

  it('is one and the same when two browsers sign in at once for the first time', async () => {
    stage.issuer.script = { claims: { sub: 'twice', preferred_username: 'tess' } }
    const sessions = await Promise.all([1, 2, 3, 4].map(() => stage.signIn('corp')))
    expect(sessions.map(({ session }) => JSON.parse(session.text).user)).toEqual(['tess', 'tess', 'tess', 'tess'])
  })
})

describe('groups from outside', () => {
  it.each([
    'system:masters',
    'SYSTEM:masters',
    ' system:masters',
    'ｓｙｓｔｅｍ:masters',
    'platform:team:owners',
    'system\u200b:masters',
  ])('%j give nothing, not even by a team that names them', async (group) => {
    const name = `team-${Buffer.from(group).toString('hex').slice(0, 40)}`
    await stage.platform.must('POST', `${management}/teams`, { metadata: { name }, spec: { groups: [group] } })
    stage.issuer.script = { claims: { sub: `g-${name}`, preferred_username: `g-${name}`, groups: [group] } }
    const { browser, headers, session } = await stage.signIn('corp')
    expect(JSON.parse(session.text).user).toBe(`g-${name}`)
    const self = await browser.visit('/api/v1/secrets', headers)
    expect(self.status).toBe(403)
    const { status } = await stage.platform.must('GET', `${management}/users/g-${name}`)
    expect(status.signOn[0].groups).toEqual([])
  })

  it('may be many, and only so many count', async () => {
    const groups = Array.from({ length: 5_000 }, (_, index) => `g${index}`)
    stage.issuer.script = { claims: { sub: 'many', preferred_username: 'many', groups } }
    expect((await stage.signIn('corp')).session.status).toBe(200)
    expect((await stage.platform.must('GET', `${management}/users/many`)).status.signOn[0].groups).toHaveLength(500)
  })

  it('of a user are written by the platform alone', async () => {
    stage.issuer.script = { claims: { sub: 'own', preferred_username: 'own', groups: ['real'] } }
    await stage.signIn('corp')
    const user = await stage.platform.must('GET', `${management}/users/own`)
    const status = { signOn: [{ connector: 'corp', groups: ['claimed'] }] }
    await stage.platform.must('PUT', `${management}/users/own/status`, { ...user, status })
    expect((await stage.platform.must('GET', `${management}/users/own`)).status.signOn[0].groups).toEqual(['real'])
  })
})

it('an operator is warned of a connector whose groups are called as those of another', async () => {
  const body = (name: string, groupsPrefix: string) => {
    const oidc = { issuer: another.url, clientId: 'platform', groupsPrefix }
    return { metadata: { name }, spec: { type: 'oidc', oidc } }
  }
  const path = `${management}/connectors?dryRun=All`
  const plain = await stage.platform.ask('POST', path, { body: body('plain', '') })
  expect(plain.warnings).toEqual([
    expect.stringMatching(/groupsPrefix: its groups have the same names as those of .*corp/),
  ])
  expect((await stage.platform.ask('POST', path, { body: body('prefixed', 'other:') })).warnings).toEqual([])
})

describe('a caller who may write users or connectors', () => {
  it('does not for that reason become another user by an identity, nor by a connector of their own', async () => {
    await stage.platform.must('POST', `${management}/users`, userNamed('writer'))
    const group = 'management.platform.internal'
    await grant(stage.platform, 'writer', [
      { apiGroups: [group], resources: ['users', 'connectors'], verbs: ['create', 'get', 'update'] },
    ])
    const token = await stage.platform.keyOf('writer')
    const admin = await stage.platform.must('GET', `${management}/users/admin`)
    const identities = [{ connector: 'corp', userId: 'mine' }]
    const body = { ...admin, spec: { ...admin.spec, identities } }
    expect((await stage.platform.ask('PUT', `${management}/users/admin`, { token, body })).status).toBe(403)
    const oidc = { issuer: another.url, clientId: 'platform' }
    const connector = { metadata: { name: 'evil' }, spec: { type: 'oidc', oidc } }
    expect((await stage.platform.ask('POST', `${management}/connectors`, { token, body: connector })).status).toBe(403)
  })
})

describe('a provider that is hostile', () => {
  const away = { status: 503, text: expect.stringContaining('does not answer') }

  it.each<[string, Script, object]>([
    ['calls itself otherwise', { metadata: { issuer: 'https://evil.example' } }, untrusted],
    ['sends people to plain HTTP', { metadata: { authorization_endpoint: 'http://evil.example/' } }, { status: 500 }],
  ])('and %s gets no one', async (_name, script, expected) => {
    const name = `hostile-${Buffer.from(_name).toString('hex').slice(0, 20)}`
    await stage.connect(name)
    stage.issuer.script = script
    const answer = await stage.browser().visit(loginPath(name))
    expect(answer.location).toBe('')
    expect(answer).toMatchObject(expected)
  })

  it.each<[string, Script]>([
    ['answers with megabytes', { tokenAnswer: { status: 200, body: { access_token: 'x'.repeat(2_000_000) } } }],
    ['answers with an error of its own', { tokenAnswer: { status: 500, body: {} } }],
    ['names an address of this network', { metadata: { token_endpoint: 'https://10.0.0.1/token' } }],
    ['names the address of a metadata service', { metadata: { token_endpoint: 'https://169.254.169.254/token' } }],
    ['names a loopback address that is not its own', { metadata: { token_endpoint: 'https://[::1]/token' } }],
  ])('and %s is given up', async (_name, script) => {
    const name = `given-up-${Buffer.from(_name).toString('hex').slice(-20)}`
    await stage.connect(name)
    stage.issuer.script = script
    expect((await stage.signIn(name)).callback).toMatchObject(away)
  })

  it('is not sent the verifier of another, nor asked without one', async () => {
    stage.issuer.codes.clear()
    const browser = stage.browser()
    const sent = await browser.visit(loginPath('corp'))
    await browser.visit(sent.location)
    const [asked] = stage.issuer.codes.values()
    expect(asked?.challenge).toMatch(/^[\w-]{43}$/)
    expect(asked?.challenge).not.toBe(challengeOf(verifier))
    expect(new URL(sent.location).searchParams.get('code_challenge_method')).toBe('S256')
  })
})

it('nothing of a provider is in the objects that the platform shows', async () => {
  await stage.signIn('corp')
  const { text } = await stage.platform.ask('GET', keysPath)
  expect(text).toContain('"identity"')
  expect(text).not.toContain('"connectorData"')
})

/** The last one: no sign-in from this network works for a while. */
it('sign-ins end after so many from one network', async () => {
  const browser = stage.browser()
  let answer = await browser.visit('/auth/callback/none')
  for (let asked = 1; asked < 3_000 && answer.status !== 429; asked += 1) {
    answer = await browser.visit('/auth/callback/none')
  }
  expect(answer).toMatchObject({ status: 429, text: expect.stringContaining('Too many sign-ins from here') })
}, 60_000)
