import { Attribute, Change, Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, visit } from '../console/support/browser.ts'
import { signInBy, typing } from '../console/support/sign-on-page.ts'
import { keysPath, management } from '../platform/platform.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { eventually } from '../support/eventually.ts'
import { missingSamba, type SambaDomain, startSamba } from '../support/providers/samba.ts'
import { verifier } from './support/browser.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

const missing = missingSamba()
/** More than one page of the platform's searches. */
const groupCount = 210
const disabled = 514
const enabled = 512

describe.skipIf(missing !== undefined)(`signing in with Active Directory${missing ? `: ${missing}` : ''}`, () => {
  let stage: Stage
  let domain: SambaDomain
  let admin: Client
  let [people, groups] = ['', '']

  beforeAll(async () => {
    ;[stage, domain] = await Promise.all([openStage({ identityRefreshSeconds: 1 }), startSamba()])
    admin = new Client({ url: domain.ldaps, tlsOptions: { ca: domain.authority } })
    await admin.bind(domain.administratorDn, domain.administratorPassword)
    ;[people, groups] = [`OU=people,${domain.baseDn}`, `OU=groups,${domain.baseDn}`]
    for (const dn of [people, groups]) await admin.add(dn, { objectClass: ['organizationalUnit'] })
    for (const name of ['jane', 'many', 'off', 'leaver', 'temp', 'search']) await addUser(name)
    await addUser('comma, (the) star*')
    await setAccount('off', disabled)
    await addGroup('dev', dnOf('jane'), dnOf('leaver'), dnOf('comma, (the) star*'))
    await addGroup('engineering', groupDn('dev'))
    await addGroup('all', groupDn('engineering'))
    await addMember('engineering', groupDn('all'))
    await Promise.all(Array.from({ length: groupCount }, (_, at) => addGroup(`g${at}`, dnOf('many'))))
    await stage.platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
      metadata: { name: 'domain' },
      stringData: { bindPassword: passwordOf('search') },
    })
    await connect('domain')
    await connect('starttls', { url: domain.ldap, groups: { baseDN: groups, method: 'memberOf' } })
    await connect('search', { groups: { baseDN: groups, method: 'search' } })
  }, 240_000)
  afterAll(async () => {
    await admin?.unbind()
    await stage?.stop()
    await domain?.stop()
  })

  const passwordOf = (name: string) => `${broughtValue(`password-of-${name.replace(/\W/g, '')}`)}Aa1!`
  const escaped = (name: string) => name.replaceAll(',', '\\,')
  const dnOf = (name: string) => `CN=${escaped(name)},${people}`
  const groupDn = (name: string) => `CN=${name},${groups}`
  const change = (dn: string, operation: 'replace' | 'add' | 'delete', type: string, values: string[]) =>
    admin.modify(dn, new Change({ operation, modification: new Attribute({ type, values }) }))
  const setAccount = (name: string, state: number) =>
    change(dnOf(name), 'replace', 'userAccountControl', [String(state)])
  const addMember = (group: string, dn: string) => change(groupDn(group), 'add', 'member', [dn])

  async function addUser(name: string): Promise<void> {
    const account = name.replace(/\W/g, '')
    await admin.add(dnOf(name), {
      objectClass: ['user'],
      sAMAccountName: account,
      userPrincipalName: `${account}@example.test`,
      displayName: `${name} of the domain`,
      mail: `${account}@example.com`,
      unicodePwd: Buffer.from(`"${passwordOf(name)}"`, 'utf16le').toString('latin1'),
      userAccountControl: String(enabled),
    })
  }

  const addGroup = (name: string, ...member: string[]) =>
    admin.add(groupDn(name), { objectClass: ['group'], sAMAccountName: `group-${name}`, member })

  const connect = (name: string, ldap: object = {}) =>
    stage.platform.must('POST', `${management}/connectors`, {
      metadata: { name },
      spec: {
        type: 'ldap',
        ldap: {
          url: domain.ldaps,
          caBundle: domain.authority,
          preset: 'activeDirectory',
          bindDN: dnOf('search'),
          bindPasswordRef: { name: 'domain' },
          users: { baseDN: people },
          groups: { baseDN: groups },
          ...ldap,
        },
      },
    })

  async function typed(connector: string, username: string, password: string) {
    const browser = stage.browser()
    const sent = await browser.visit(loginPath(connector))
    const form = await browser.visit(sent.location)
    return { browser, answer: await browser.submit(form, { username, password }) }
  }

  /** The session stays open, and is refreshed. */
  async function entered(connector: string, username: string, name = username) {
    const { browser, answer } = await typed(connector, username, passwordOf(name))
    const session = await browser.post('/auth/session', { code: codeOf(answer), verifier })
    expect(session.status, answer.text).toBe(200)
    const { keyName, user, counterpart } = JSON.parse(session.text)
    const { spec } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
    return { user, keyName, identity: spec.identity, browser, headers: { 'tenant-session': counterpart } }
  }

  /** Refreshing sessions keeps the directory busy: one session at a time is enough. */
  async function signedIn(connector: string, username: string, name = username) {
    const { keyName, user, identity } = await entered(connector, username, name)
    await stage.platform.must('DELETE', `${keysPath}/${keyName}`)
    return { user, identity }
  }

  const wrong = { status: 401, text: expect.stringContaining('The user name or the password is wrong') }

  it('a user is identified by the GUID, with either name that Windows accepts', async () => {
    const first = await signedIn('domain', 'jane')
    expect(first.identity).toMatchObject({
      userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      username: 'jane',
      preferredUsername: 'jane of the domain',
      email: 'jane@example.com',
    })
    const second = await signedIn('domain', 'JANE@example.test', 'jane')
    expect(second.identity.userId).toBe(first.identity.userId)
    expect(second.user).toBe(first.user)
  })

  it.skipIf(noBrowser !== undefined)(
    'in a browser, too',
    async () => {
      const browser = await openBrowser()
      const visitor = await visit(browser)
      await signInBy(visitor, stage.platform.server.url, 'domain', typing('jane', passwordOf('jane')))
      await stage.platform.must('DELETE', `${keysPath}?fieldSelector=spec.type%3DLogin,spec.user%3Djane`)
      await visitor.page.getByRole('button', { name: 'Sign in with domain' }).waitFor()
      await browser.close()
    },
    240_000,
  )

  it.each(['domain', 'starttls', 'search'])('groups of groups are found, even in a cycle (%s)', async (connector) => {
    const { identity } = await signedIn(connector, 'jane')
    expect([...identity.groups].sort()).toEqual(['all', 'dev', 'engineering'])
  })

  it.each(['domain', 'starttls', 'search'])('more than one page of groups is read (%s)', async (connector) => {
    expect((await signedIn(connector, 'many')).identity.groups).toHaveLength(groupCount)
  })

  it('an entry with a name that must be escaped is found in its groups', async () => {
    const { identity } = await signedIn('domain', 'commathestar', 'comma, (the) star*')
    expect([...identity.groups].sort()).toEqual(['all', 'dev', 'engineering'])
  })

  it('a disabled account is refused, and so is a wrong password', async () => {
    expect((await typed('domain', 'off', passwordOf('off'))).answer).toMatchObject(wrong)
    expect((await typed('domain', 'jane', passwordOf('many'))).answer).toMatchObject(wrong)
    expect((await typed('domain', 'jan*', passwordOf('jane'))).answer).toMatchObject(wrong)
  })

  it('a user who leaves a group loses it, and a disabled user loses the session', async () => {
    await stage.platform.must('POST', `${management}/teams`, {
      metadata: { name: 'engineers' },
      spec: { groups: ['engineering'] },
    })
    const { keyName, browser, headers } = await entered('domain', 'leaver')
    const self = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
    const teams = async () => (await browser.post(`${management}/selves`, self, headers)).text
    expect(await teams()).toContain('platform:team:engineers')
    await change(groupDn('dev'), 'delete', 'member', [dnOf('leaver')])
    await eventually(async () => expect(await teams()).not.toContain('platform:team:engineers'))
    await setAccount('leaver', disabled)
    await eventually(async () => expect((await stage.platform.ask('GET', `${keysPath}/${keyName}`)).status).toBe(404))
  }, 240_000)

  it('a user whose account expires loses the session, and cannot sign in again', async () => {
    const { keyName } = await entered('domain', 'temp')
    const inTicks = (ms: number) => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n)
    await change(dnOf('temp'), 'replace', 'accountExpires', [inTicks(Date.now() - 1_000)])
    await eventually(async () => expect((await stage.platform.ask('GET', `${keysPath}/${keyName}`)).status).toBe(404))
    expect((await typed('domain', 'temp', passwordOf('temp'))).answer).toMatchObject(wrong)
  }, 240_000)

  it('tenant platform auth test succeeds', async () => {
    const asked = { kind: 'ConnectorTest', apiVersion: 'management.platform.internal/v1' }
    const { status } = await stage.platform.must('POST', `${management}/connectors/domain/test`, asked)
    expect(status).toMatchObject({ works: true })
  })
})
