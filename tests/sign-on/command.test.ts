import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { grant, group, keysPath, management } from '../platform/platform.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'
import { eventually } from '../support/eventually.ts'
import { challengeOf, commandAddress, verifier } from './support/browser.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
let home: string
let ca: string

beforeAll(async () => {
  stage = await openStage()
  home = await mkdtemp(join(tmpdir(), 'tenant-browser-login-'))
  ca = join(home, 'ca.crt')
  await writeFile(ca, stage.platform.server.authority)
}, 240_000)
afterAll(async () => {
  await stage.stop()
  await rm(home, { recursive: true, force: true })
})

/** `tenant platform …` on a terminal, whose browser does nothing automatically. */
function run(...args: readonly string[]) {
  const written: string[] = []
  const terminal = {
    stdout: { write: (text: string) => written.push(text), isTTY: true },
    stderr: { write: (text: string) => written.push(text), isTTY: true },
    env: { HOME: home, BROWSER: '/bin/true' },
  }
  return { written, text: () => written.join(''), exit: runWatchedCli(['platform', ...args], terminal) }
}

const login = () => run('login', stage.platform.server.url, '--ca', ca)

const addressForm = /https:\S+\/auth\/login\?\S+/

/** The address that the user should open. */
async function addressIn(text: () => string): Promise<URL> {
  await eventually(() => expect(text()).toMatch(addressForm))
  return new URL(addressForm.exec(text())?.[0] ?? '')
}

it('asks for a key if there is no identity provider', async () => {
  const { exit, text } = login()
  expect(await exit).not.toBe(0)
  expect(text()).toContain('no access key')
})

it('signs in through the browser with consent, and returns only a code', async () => {
  await stage.connect('corp', { displayName: 'Corporate login' })
  const { exit, text } = login()
  const address = await addressIn(text)
  const browser = stage.browser()
  const page = await browser.visit(address.href)
  expect(page.text).toContain('Continue only if you have just run')
  const href = (/href="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&#38;', '&')
  const asking = await browser.signIn(href)
  expect(asking).toMatchObject({ status: 200, location: '', text: expect.stringContaining('sign it in as jane') })
  const location = commandAddress(asking)
  const port = address.searchParams.get('port')
  expect(location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?code=[\\w-]{43}&state=`))
  const wrong = await request(location.replace(/state=.*/, 'state=another'))
  expect(wrong.statusCode).toBe(404)
  const answer = await request(location)
  expect(await answer.body.text()).toContain('You have signed in')
  expect(await exit).toBe(0)
  expect(text()).toContain('as jane')
  expect(text()).not.toContain('tpk_')
  const config = await readFile(join(home, '.tenant', 'config.json'), 'utf8')
  expect(config).toContain('tpk_')
})

/** Signs in through the browser, and returns the name of the resulting key. */
async function signedIn(): Promise<string> {
  const { exit, text } = login()
  const address = await addressIn(text)
  address.searchParams.set('connector', 'corp')
  await (await request(commandAddress(await stage.browser().signIn(address.href)))).body.dump()
  expect(await exit).toBe(0)
  return /with the key (\S+?), which ends at \S+Z\./.exec(text())?.[1] ?? ''
}

const keyStatus = async (name: string) => (await stage.platform.ask('GET', `${keysPath}/${name}`)).status

it('ends the key of a login at the next login and at the logout', async () => {
  const [first, second] = [await signedIn(), await signedIn()]
  expect([await keyStatus(first), await keyStatus(second)]).toEqual([404, 200])
  const { exit, text } = run('logout')
  expect(await exit).toBe(0)
  expect(text()).toContain('Its key has ended.')
  expect(await keyStatus(second)).toBe(404)
  await signedIn()
})

it('listens only on loopback, and accepts no code of another sign-in', async () => {
  const { exit, text } = login()
  const address = await addressIn(text)
  const state = address.searchParams.get('state') ?? ''
  const listener = `http://127.0.0.1:${address.searchParams.get('port')}/`
  for (const query of ['', '?code=x', `?code=x&state=${state}`, `?code=${'a'.repeat(43)}&state=${state.slice(1)}x`]) {
    expect((await request(`${listener}${query}`)).statusCode).toBe(404)
  }
  await (await request(`${listener}?code=${'a'.repeat(43)}&state=${state}`)).body.dump()
  expect(await exit).not.toBe(0)
  expect(text()).toContain('sign in again')
})

it('tests a connector, and reports each step', async () => {
  const works = run('auth', 'test', 'corp')
  expect(await works.exit).toBe(1)
  expect(works.text()).toContain('cannot create resource')
  const token = 'admin-token'
  const asked = async (name: string) => {
    const body = { apiVersion: `${group}/v1`, kind: 'ConnectorTest' }
    return (await stage.platform.ask('POST', `${management}/connectors/${name}/test`, { token, body })).body.status
  }
  expect(await asked('corp')).toEqual({
    works: true,
    steps: [
      `${stage.issuer.url} answers, and calls itself that`,
      'it publishes 1 key',
      `people would be sent to ${stage.issuer.url}/authorize`,
    ],
  })
  stage.issuer.script = { metadata: { scopes_supported: ['openid', 'offline_access'] } }
  const hint = expect.stringContaining('unless offline_access is in spec.oidc.scopes')
  await stage.connect('brief')
  expect((await asked('brief')).warnings).toEqual([hint])
  await stage.connect('lasting', {}, { scopes: ['profile', 'offline_access'] })
  expect(await asked('lasting')).not.toHaveProperty('warnings')
  stage.issuer.script = {}
  await stage.connect('away', {}, { issuer: 'https://127.0.0.1:1' })
  expect(await asked('away')).toMatchObject({
    works: false,
    steps: [],
    problem: expect.stringContaining('ECONNREFUSED'),
  })
  await stage.connect('strange', {}, { caBundle: '' })
  expect(await asked('strange')).toMatchObject({
    works: false,
    problem: expect.stringMatching(
      /^(?!something went wrong).*: name the authority of its certificate in spec\.oidc\.caBundle$/,
    ),
  })
  await stage.connect('keyless')
  stage.issuer.script = { metadata: { jwks_uri: 'https://10.0.0.1/keys' } }
  expect(await asked('keyless')).toMatchObject({ works: false, problem: expect.stringContaining('10.0.0.1') })
  stage.issuer.script = {}
  await stage.connect('lost', {}, { clientSecretRef: { name: 'lost' } })
  expect(await asked('lost')).toMatchObject({ works: false, problem: expect.stringContaining('tenant-platform/lost') })
  await grant(stage.platform, 'jane', [{ apiGroups: [group], resources: ['connectors/test'], verbs: ['create'] }])
  const allowed = run('auth', 'test', 'corp')
  expect(await allowed.exit).toBe(0)
  expect(allowed.text()).toContain('corp works')
  const fails = run('auth', 'test', 'lost')
  expect(await fails.exit).toBe(1)
  expect(fails.text()).toContain('there is no entry clientSecret in the Secret tenant-platform/lost')
})

it('tests a complete sign-in of a user, shows the resulting identity, and creates nothing', async () => {
  const signIn = async (change: (address: URL) => void = () => {}) => {
    const { exit, text } = run('auth', 'test', 'corp', '--sign-in')
    const address = await addressIn(text)
    change(address)
    const browser = stage.browser()
    const page = await browser.visit(address.href)
    expect(page.text).toContain('tests this sign-in')
    expect(page.text.match(/<li>/g)).toHaveLength(1)
    const href = (/href="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&#38;', '&')
    return { location: commandAddress(await browser.signIn(href)), exit, text }
  }
  const claims = { sub: 'new-1', preferred_username: 'newcomer', email: 'new@example.com', groups: ['dev', 'ops'] }
  stage.issuer.script = { claims }
  const works = await signIn()
  await (await request(works.location)).body.dump()
  expect(await works.exit, works.text()).toBe(0)
  for (const told of [
    'with the id new-1 there',
    'newcomer',
    'new@example.com, which is not verified',
    'dev, ops',
    'is let in',
    'the provider is asked again',
  ]) {
    expect(works.text()).toContain(told)
  }
  expect((await stage.platform.ask('GET', `${management}/users/newcomer`)).status).toBe(404)
  stage.issuer.script = { tokenAnswer: { status: 401, body: { error: 'invalid_client' } } }
  const refused = await signIn()
  await (await request(refused.location)).body.dump()
  expect(await refused.exit).toBe(1)
  expect(refused.text()).toContain('corp does not work: ')
  expect(refused.text()).toContain('invalid_client')
  stage.issuer.script = { claims }
  const stolen = await signIn((address) => address.searchParams.set('challenge', challengeOf(verifier)))
  const code = new URL(stolen.location).searchParams.get('code')
  for (const path of ['/auth/token', '/auth/session']) {
    expect((await stage.browser().post(path, { code, verifier })).status).toBe(401)
  }
  await (await request(stolen.location)).body.dump()
  expect(await stolen.exit).toBe(1)
  expect(stolen.text()).toContain('no such sign-in')
  stage.issuer.script = {}
})
