import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { grant, management, userNamed } from '../../platform/platform.ts'
import type { ScriptedIssuer } from '../support/scripted-issuer.ts'
import type { Stage } from '../support/stage.ts'

export function borrowedIdentities(stage: () => Stage, another: () => ScriptedIssuer): void {
  describe('a user who signs in', () => {
    const nameOf = async (claims: object, connector = 'corp') => {
      stage().issuer.script = { claims: { ...claims } }
      const { session } = await stage().signIn(connector)
      return session.status === 200 ? String(JSON.parse(session.text).user) : `status ${session.status}`
    }

    it('is not the existing user of the same name: a name makes no administrator', async () => {
      expect(await nameOf({ sub: 'a1', preferred_username: 'admin' })).toMatch(/^admin-[0-9a-f]{8}$/)
    })

    it.each([
      ['Cyrillic', 'аdmin'],
      ['full-width', 'ａｄｍｉｎ'],
      ['with a zero-width space', 'ad\u200bmin'],
      ['turned around', '\u202enimda'],
      ['with a ligature', 'ﬁnn'],
    ])('has a name of plain letters, whatever the provider sends: %s', async (_name, preferred_username) => {
      expect(await nameOf({ sub: `homograph-${preferred_username}`, preferred_username })).toMatch(/^user-[0-9a-f]{8}$/)
    })

    it.each(['system:admin', 'platform:user:admin', '../admin', 'a/b', ''])(
      'is never %j',
      async (preferred_username) => {
        const name = await nameOf({ sub: `odd-${preferred_username}`, preferred_username })
        expect(name).toMatch(/^(user-[0-9a-f]{8}|odd-)/)
      },
    )

    it('is not identified by a mail address, verified or not', async () => {
      const spec = { email: 'boss@example.com', username: 'boss' }
      await stage().platform.must('POST', `${management}/users`, userNamed('boss', spec))
      const verified = { email: 'boss@example.com', email_verified: true }
      expect(await nameOf({ sub: 'mail-1', preferred_username: 'boss', ...verified })).toMatch(/^boss-[0-9a-f]{8}$/)
    })

    it('takes no name from a mail address that was not verified', async () => {
      await stage().connect('mail', {}, { claims: { username: 'email' } })
      const mail = { email: 'unverified@example.com' }
      expect(await nameOf({ sub: 'mail-2', ...mail }, 'mail')).toBe('mail-2')
      expect(await nameOf({ sub: 'mail-3', ...mail, email_verified: 'false' }, 'mail')).toBe('mail-3')
      expect(await nameOf({ sub: 'mail-4', ...mail, email_verified: true }, 'mail')).toBe('unverified-example.com')
      expect((await stage().platform.must('GET', `${management}/users/mail-2`)).spec.email).toBeUndefined()
    })

    it('is not identified by an address that the provider has verified in another claim, or in another answer', async () => {
      await stage().connect('other-mail', {}, { claims: { username: 'email', email: 'mail' } })
      const self = { mail: 'boss@other.example', email: 'me@other.example', email_verified: true }
      expect(await nameOf({ sub: 'mail-5', ...self }, 'other-mail')).toBe('mail-5')
      await stage().connect('two-answers', {}, { claims: { username: 'email' }, getUserInfo: true })
      stage().issuer.script = {
        claims: { sub: 'mail-6', email: 'boss@other.example' },
        userInfo: { sub: 'mail-6', email: 'me@other.example', email_verified: true },
      }
      const { session } = await stage().signIn('two-answers')
      expect(JSON.parse(session.text).user).toBe('mail-6')
    })

    it('depends on the connector: the same subject at two connectors means two users', async () => {
      const claims = { sub: 'shared', preferred_username: 'sam' }
      const [first, second] = [await nameOf(claims, 'corp'), await nameOf(claims, 'twin')]
      expect(first).toBe('sam')
      expect(second).toMatch(/^sam-[0-9a-f]{8}$/)
    })

    it('is not kept out by others who have taken the names that its user would get', async () => {
      const own = `una-${hash('sha256', 'corp\0kept-out', 'hex').slice(0, 8)}`
      for (const [index, name] of ['una', own].entries()) {
        expect(await nameOf({ sub: `squatter-${index}`, preferred_username: name }, 'twin')).toBe(name)
      }
      expect(await nameOf({ sub: 'kept-out', preferred_username: 'una' }, 'corp')).toMatch(/^user-[0-9a-f]{64}$/)
    })

    it('is refused if two users name the identity', async () => {
      for (const name of ['double-1', 'double-2']) {
        const identities = [{ connector: 'corp', userId: 'double' }]
        await stage().platform.must('POST', `${management}/users`, userNamed(name, { identities }))
      }
      stage().issuer.script = { claims: { sub: 'double' } }
      expect((await stage().signIn('corp')).callback).toMatchObject({ status: 409 })
    })

    it('is created once when two browsers sign in at the same time for the first time', async () => {
      stage().issuer.script = { claims: { sub: 'twice', preferred_username: 'tess' } }
      const sessions = await Promise.all([1, 2, 3, 4].map(() => stage().signIn('corp')))
      expect(sessions.map(({ session }) => JSON.parse(session.text).user)).toEqual(['tess', 'tess', 'tess', 'tess'])
    })
  })

  describe('groups of a provider', () => {
    it.each([
      'system:masters',
      'SYSTEM:masters',
      ' system:masters',
      'ｓｙｓｔｅｍ:masters',
      'platform:team:owners',
      'system\u200b:masters',
    ])('%j grant nothing, not even through a team that names them', async (group) => {
      const name = `team-${Buffer.from(group).toString('hex').slice(0, 40)}`
      await stage().platform.must('POST', `${management}/teams`, { metadata: { name }, spec: { groups: [group] } })
      stage().issuer.script = { claims: { sub: `g-${name}`, preferred_username: `g-${name}`, groups: [group] } }
      const { browser, headers, session } = await stage().signIn('corp')
      expect(JSON.parse(session.text).user).toBe(`g-${name}`)
      const self = await browser.visit('/api/v1/secrets', headers)
      expect(self.status).toBe(403)
      const { status } = await stage().platform.must('GET', `${management}/users/g-${name}`)
      expect(status.signOn[0].groups).toEqual([])
    })

    it('may be many, but only a limited number counts', async () => {
      const groups = Array.from({ length: 5_000 }, (_, index) => `g${index}`)
      stage().issuer.script = { claims: { sub: 'many', preferred_username: 'many', groups } }
      expect((await stage().signIn('corp')).session.status).toBe(200)
      expect((await stage().platform.must('GET', `${management}/users/many`)).status.signOn[0].groups).toHaveLength(500)
    })

    it('of a user are written only by the platform', async () => {
      stage().issuer.script = { claims: { sub: 'own', preferred_username: 'own', groups: ['real'] } }
      await stage().signIn('corp')
      const user = await stage().platform.must('GET', `${management}/users/own`)
      const status = { signOn: [{ connector: 'corp', groups: ['claimed'] }] }
      await stage().platform.must('PUT', `${management}/users/own/status`, { ...user, status })
      expect((await stage().platform.must('GET', `${management}/users/own`)).status.signOn[0].groups).toEqual(['real'])
    })
  })

  it('an operator gets a warning about a connector whose groups have the names of another', async () => {
    const body = (name: string, groupsPrefix: string) => {
      const oidc = { issuer: another().url, clientId: 'platform', groupsPrefix }
      return { metadata: { name }, spec: { type: 'oidc', oidc } }
    }
    const path = `${management}/connectors?dryRun=All`
    const plain = await stage().platform.ask('POST', path, { body: body('plain', '') })
    expect(plain.warnings).toEqual([
      expect.stringMatching(/groupsPrefix: its groups have the same names as those of .*corp/),
    ])
    expect((await stage().platform.ask('POST', path, { body: body('prefixed', 'other:') })).warnings).toEqual([])
  })

  describe('a caller who may write users or connectors', () => {
    it('cannot become another user with an identity or a connector of their own', async () => {
      await stage().platform.must('POST', `${management}/users`, userNamed('writer'))
      const group = 'management.platform.internal'
      await grant(stage().platform, 'writer', [
        { apiGroups: [group], resources: ['users', 'connectors'], verbs: ['create', 'get', 'update'] },
      ])
      const token = await stage().platform.keyOf('writer')
      const admin = await stage().platform.must('GET', `${management}/users/admin`)
      const identities = [{ connector: 'corp', userId: 'mine' }]
      const body = { ...admin, spec: { ...admin.spec, identities } }
      expect((await stage().platform.ask('PUT', `${management}/users/admin`, { token, body })).status).toBe(403)
      const oidc = { issuer: another().url, clientId: 'platform' }
      const connector = { metadata: { name: 'evil' }, spec: { type: 'oidc', oidc } }
      expect((await stage().platform.ask('POST', `${management}/connectors`, { token, body: connector })).status).toBe(
        403,
      )
    })
  })
}
