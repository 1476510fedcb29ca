import { Attribute, Change, Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, visit } from '../console/support/browser.ts'
import { signInBy, typing } from '../console/support/sign-on-page.ts'
import { keysPath, management } from '../platform/platform.ts'
import { eventually } from '../support/eventually.ts'
import { missingSlapd, rootDn, rootPassword, type Slapd, startSlapd } from '../support/providers/slapd.ts'
import { commandAddress, type TestBrowser, type Visited, verifier } from './support/browser.ts'
import {
  directoryEntries,
  dnOf,
  groups,
  passwordOf,
  people,
  searchDn,
  searchPassword,
} from './support/directory-entries.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

const missing = missingSlapd()

describe.skipIf(missing !== undefined)(
  `signing in with a password of a directory${missing ? `: ${missing}` : ''}`,
  () => {
    let stage: Stage
    let slapd: Slapd

    beforeAll(async () => {
      ;[stage, slapd] = await Promise.all([openStage({ identityRefreshSeconds: 1 }), startSlapd(directoryEntries())])
      await stage.platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
        metadata: { name: 'directory' },
        stringData: { bindPassword: searchPassword, wrong: 'x' },
      })
      await connect('directory', { displayName: 'Directory' })
      await connect('starttls', {}, { url: slapd.ldap, groups: { method: 'memberOf', baseDN: groups } })
      await connect('shallow', {}, { groups: { baseDN: groups, depth: 1 } })
      await connect('allowed', { allowedGroups: ['all'] })
      await connect('byMail', {}, { users: { baseDN: people, loginAttributes: ['uid', 'mail'] } })
    }, 240_000)
    afterAll(async () => {
      await stage?.stop()
      await slapd?.remove()
    })

    const connect = (name: string, spec: object = {}, ldap: object = {}) =>
      stage.platform.must('POST', `${management}/connectors`, {
        metadata: { name: name.toLowerCase() },
        spec: {
          type: 'ldap',
          ldap: {
            url: slapd.ldaps,
            caBundle: slapd.authority,
            bindDN: searchDn,
            bindPasswordRef: { name: 'directory' },
            users: { baseDN: people, filter: '(&(objectClass=person)(!(employeeType=disabled)))' },
            groups: { baseDN: groups },
            ...ldap,
          },
          ...spec,
        },
      })

    interface Typed {
      readonly browser: TestBrowser
      readonly form: Visited
      readonly answer: Visited
    }

    async function opened(connector: string): Promise<Omit<Typed, 'answer'>> {
      const browser = stage.browser()
      const sent = await browser.visit(loginPath(connector))
      return { browser, form: await browser.visit(sent.location) }
    }

    async function typed(connector: string, username: string, password = passwordOf(username)): Promise<Typed> {
      const { browser, form } = await opened(connector)
      return { browser, form, answer: await browser.submit(form, { username, password }) }
    }

    async function signedIn(connector: string, username: string) {
      const { browser, answer } = await typed(connector, username)
      const session = await browser.post('/auth/session', { code: codeOf(answer), verifier })
      expect(session.status, answer.text).toBe(200)
      const { keyName, user, counterpart } = JSON.parse(session.text)
      const { spec } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
      return { user, keyName, identity: spec.identity, browser, headers: { 'tenant-session': counterpart } }
    }

    const wrong = { status: 401, text: expect.stringContaining('The user name or the password is wrong') }

    it('creates a user and a session, identified by an attribute that is never reused', async () => {
      const { user, identity } = await signedIn('directory', 'jane')
      expect(user).toBe('jane')
      expect(identity).toMatchObject({
        connector: 'directory',
        userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
        username: 'jane',
        preferredUsername: 'jane of the directory',
        email: 'jane@example.com',
        emailVerified: false,
      })
      expect(JSON.stringify(identity)).not.toContain('connectorData')
    })

    it.skipIf(noBrowser !== undefined)(
      'in a browser, too',
      async () => {
        const browser = await openBrowser()
        const visitor = await visit(browser)
        const { url } = stage.platform.server
        await signInBy(visitor, url, 'Directory', typing('jane', passwordOf('jane')))
        expect(visitor.page.url()).toBe(`${url}/`)
        await browser.close()
        const ofJane = `${keysPath}?fieldSelector=spec.type%3DLogin,spec.user%3Djane`
        await stage.platform.must('DELETE', ofJane)
      },
      60_000,
    )

    it('finds nested groups with a search, even in a cycle, but none outside the base or with a name of the platform', async () => {
      const { identity } = await signedIn('directory', 'jane')
      expect([...identity.groups].sort()).toEqual(['all', 'dev', 'engineering'])
    })

    it('finds them by memberOf too, over StartTLS', async () => {
      const { identity } = await signedIn('starttls', 'jane')
      expect([...identity.groups].sort()).toEqual(['all', 'dev', 'engineering'])
    })

    it('follows groups only to the configured depth', async () => {
      expect((await signedIn('shallow', 'jane')).identity.groups).toEqual(['dev'])
    })

    it('reads more groups than one page, up to the limit for a user', async () => {
      const { identity } = await signedIn('directory', 'many')
      expect(identity.groups).toHaveLength(450)
    })

    it('admits only users in allowedGroups', async () => {
      expect((await typed('allowed', 'jane')).answer.status).toBe(302)
      expect((await typed('allowed', 'amy')).answer).toMatchObject({
        status: 403,
        text: expect.stringContaining('You may not sign in'),
      })
    })

    it('redirects a command to its port', async () => {
      const browser = stage.browser()
      const path = `${loginPath('directory', `&port=40123&state=${'s'.repeat(20)}`)}`
      const sent = await browser.visit(path, { 'sec-fetch-site': 'same-origin' })
      const form = await browser.visit(sent.location)
      const answer = await browser.submit(form, { username: 'jane', password: passwordOf('jane') })
      expect(commandAddress(answer)).toMatch(/^http:\/\/127\.0\.0\.1:40123\/\?code=/)
    })

    describe('is refused with the same response, whatever the reason', () => {
      const tries: readonly (readonly [why: string, username: string, password: string])[] = [
        ['with the password of another user', 'jane', passwordOf('amy')],
        ['for a name that the directory does not have', 'stranger', passwordOf('jane')],
        ['without a password, which the directory itself would let in (unauthenticated bind)', 'jane', ''],
        ['without a name', '', passwordOf('jane')],
        ['for a user that the filter leaves out', 'disabled', passwordOf('disabled')],
        ['for a pattern that means the user (LDAP injection: *)', 'jan*', passwordOf('jane')],
        ['for a name that ends the filter (LDAP injection: parentheses)', 'jane)(uid=*', passwordOf('jane')],
        ['for a name that adds a choice (LDAP injection: or)', 'x)(|(uid=jane', passwordOf('jane')],
        ['for a name with a NUL (LDAP injection: truncation)', 'jane\0', passwordOf('jane')],
        ['for an escape that means the user (LDAP injection: \\6a)', '\\6aane', passwordOf('jane')],
        ['for the name of an entry (DN) in place of a user', dnOf('jane'), passwordOf('jane')],
        ['for a method of SASL in place of a user', 'EXTERNAL', passwordOf('jane')],
        ['for a name that is far too long', 'j'.repeat(300), passwordOf('jane')],
        ['with a password that is far too long', 'jane', 'p'.repeat(2_000)],
        ['with a password that a NUL ends at once, as an empty one', 'jane', '\0'],
      ]
      const masked = ({ text }: Visited) => text.replace(/nonce="[^"]+"|value="[^"]+"/g, '')
      let answers: readonly Visited[] = []

      /** Each takes a moment, so they run concurrently. */
      beforeAll(async () => {
        const all = tries.map(([, username, password]) => typed('directory', username, password))
        answers = (await Promise.all(all)).map(({ answer }) => answer)
      })

      it.each(tries.map(([why], index) => [why, index] as const))('%s', (_, index) => {
        expect(answers[index]).toMatchObject({ ...wrong, location: '', setCookie: [] })
        expect(answers[index] && masked(answers[index])).toBe(answers[0] && masked(answers[0]))
      })

      it('although the directory itself accepts an empty password', async () => {
        const client = new Client({ url: slapd.ldaps, tlsOptions: { ca: slapd.authority } })
        await client.bind(dnOf('jane'), '')
        await client.unbind()
      })

      it('for a name that two users share', async () => {
        const both = await Promise.all(['amy', 'bob'].map((uid) => typed('bymail', 'amy', passwordOf(uid))))
        for (const { answer } of both) expect(answer).toMatchObject(wrong)
        expect((await typed('bymail', 'bob')).answer.status).toBe(302)
      })
    })

    it('treats a name with filter characters as plain text', async () => {
      const { identity } = await signedIn('directory', 'star*')
      expect(identity.username).toBe('star*')
    })

    it('lets the user try again on the same page', async () => {
      const { browser, answer } = await typed('directory', 'jane', 'wrong')
      expect((await browser.submit(answer, { username: 'jane', password: passwordOf('jane') })).status).toBe(302)
    })

    it.each<[string, Readonly<Record<string, string>>, string]>([
      ['of another site (login CSRF)', { 'sec-fetch-site': 'cross-site' }, 'This sign-in is over'],
      ['of a browser that does not say where it came from', {}, 'This browser is too old'],
    ])('accepts no form %s', async (_, headers, text) => {
      const { browser, form } = await opened('directory')
      const answer = await browser.submit(form, { username: 'jane', password: passwordOf('jane') }, headers)
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(text) })
    })

    it('accepts no form of another sign-in, and none without one (session fixation)', async () => {
      const [first, second] = [await opened('directory'), await opened('directory')]
      const over = { status: 400, text: expect.stringContaining('This sign-in is over') }
      const right = { username: 'jane', password: passwordOf('jane') }
      expect(await second.browser.submit(first.form, right)).toMatchObject(over)
      expect(await stage.browser().submit(first.form, right)).toMatchObject(over)
      expect(await stage.browser().visit('/auth/password/directory')).toMatchObject(over)
    })

    it('accepts no callback in place of a password, and no password through another connector', async () => {
      const { browser, form } = await opened('directory')
      const untrusted = { status: 400, text: expect.stringContaining('cannot be trusted') }
      expect(await browser.visit('/auth/callback/directory?code=x')).toMatchObject(untrusted)
      const again = await opened('directory')
      const elsewhere = { text: form.text.replace('/auth/password/directory', '/auth/password/starttls') }
      expect(await again.browser.submit(elsewhere, { username: 'jane', password: passwordOf('jane') })).toMatchObject(
        untrusted,
      )
    })

    it('is limited to 20 attempts for one name', async () => {
      const { browser, form } = await opened('directory')
      const tries = Array.from({ length: 21 }, (_, at) =>
        browser.submit(form, { username: ` AMY${' '.repeat(at)}`, password: 'x' }),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(1)
      expect((await browser.submit(form, { username: 'amy', password: passwordOf('amy') })).status).toBe(429)
    })

    it('a user who leaves a group, or the directory, loses its rights', async () => {
      await stage.platform.must('POST', `${management}/teams`, {
        metadata: { name: 'developers' },
        spec: { groups: ['dev'] },
      })
      const { keyName, browser, headers } = await signedIn('directory', 'leaver')
      const teams = async () => {
        const body = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
        return (await browser.post(`${management}/selves`, body, headers)).text
      }
      expect(await teams()).toContain('platform:team:developers')
      const root = new Client({ url: slapd.ldaps, tlsOptions: { ca: slapd.authority } })
      await root.bind(rootDn, rootPassword)
      const modification = new Attribute({ type: 'member', values: [dnOf('leaver')] })
      await root.modify(`cn=dev,${groups}`, new Change({ operation: 'delete', modification }))
      await eventually(async () => expect(await teams()).not.toContain('platform:team:developers'))
      await root.del(dnOf('leaver'))
      await eventually(async () => expect((await stage.platform.ask('GET', `${keysPath}/${keyName}`)).status).toBe(404))
      await root.unbind()
    }, 240_000)

    describe('tenant platform auth test', () => {
      const tried = async (name: string) =>
        (
          await stage.platform.must('POST', `${management}/connectors/${name}/test`, {
            kind: 'ConnectorTest',
            apiVersion: 'management.platform.internal/v1',
          })
        ).status

      it('reports each step', async () => {
        expect(await tried('starttls')).toEqual({
          works: true,
          steps: [
            expect.stringMatching(/^127\.0\.0\.1:\d+ answers by StartTLS, with a certificate that is trusted$/),
            `it lets ${searchDn} in`,
            `users are found below ${people}, and have entryUUID`,
            `groups are found below ${groups}`,
          ],
        })
      })

      it.each<[string, object, string]>([
        [
          'a wrong password',
          { bindPasswordRef: { name: 'directory', key: 'wrong' } },
          'code 49 (invalidCredentials): check spec.ldap.bindDN, and the password in its Secret',
        ],
        ['a certificate that is not trusted', { caBundle: '' }, 'in spec.ldap.caBundle'],
        [
          'a base that does not exist',
          { users: { baseDN: 'ou=none,dc=example,dc=com' } },
          'code 32 (noSuchObject): check spec.ldap.users',
        ],
        [
          'an id that users do not have',
          { users: { baseDN: people, idAttribute: 'employeeNumber' } },
          'no single, short employeeNumber',
        ],
        ['a filter that finds no users', { users: { baseDN: people, filter: '(uid=none)' } }, 'no user is found'],
        [
          'a missing Secret',
          { bindPasswordRef: { name: 'none' } },
          'no entry bindPassword in the Secret tenant-platform/none',
        ],
        [
          'an address of metadata services',
          { url: 'ldaps://169.254.169.254' },
          'which is not allowed for identity providers',
        ],
      ])('names %s', async (_, ldap, problem) => {
        const name = `wrong-${Math.random().toString(36).slice(2)}`
        await connect(name, {}, ldap)
        expect(await tried(name)).toMatchObject({ works: false, problem: expect.stringContaining(problem) })
      })
    })

    it('reports that the directory is unavailable, and keeps existing sessions', async () => {
      const { browser, headers } = await signedIn('directory', 'star*')
      await slapd.stop()
      expect((await typed('directory', 'jane')).answer).toMatchObject({
        status: 503,
        text: expect.stringContaining('does not answer'),
      })
      const body = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
      expect((await browser.post(`${management}/selves`, body, headers)).status).toBe(201)
      await slapd.start()
    })
  },
)
