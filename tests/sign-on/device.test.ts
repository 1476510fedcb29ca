import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWatchedCli } from '../support/canary/watched-cli.ts'
import { eventually } from '../support/eventually.ts'
import { challenge, challengeOf, type TestBrowser, verifier } from './support/browser.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

beforeAll(async () => {
  stage = await openStage()
  await stage.connect('corp', { displayName: 'Corporate login' })
}, 60_000)
afterAll(() => stage.stop())

/** As a command asks. */
async function begin(machine = 'jane on builder', of = challenge) {
  const query = new URLSearchParams({ challenge: of, machine })
  const { status, text } = await stage.platform.ask('POST', `/auth/device?${query}`, { token: '' })
  expect(status, text).toBe(200)
  const begun: { userCode: string; expiresInSeconds: number; pollSeconds: number } = JSON.parse(text)
  return begun
}

const poll = (code: string, shown = verifier) =>
  stage.platform.ask('POST', '/auth/token', { token: '', body: { code, verifier: shown } })

const typed = (browser: TestBrowser, code: string, headers: Readonly<Record<string, string>> = sameOrigin) =>
  browser.visit(`/auth/device?code=${encodeURIComponent(code)}`, headers)

function linkIn(text: string): string {
  return (/href="(\/auth\/login[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&#38;', '&')
}

async function letIn(code: string) {
  const browser = stage.browser()
  const { text } = await typed(browser, code)
  return browser.signIn(linkIn(text))
}

describe('a machine without a browser', () => {
  it('is let in by its user, who is told which one asks', async () => {
    const { userCode, expiresInSeconds, pollSeconds } = await begin()
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect({ expiresInSeconds, pollSeconds }).toEqual({ expiresInSeconds: 600, pollSeconds: 5 })
    expect(await poll(userCode)).toMatchObject({ status: 202, body: { state: 'pending' } })
    const browser = stage.browser()
    expect((await browser.visit('/auth/device')).text).toContain('close this page')
    const page = await typed(browser, userCode.toLowerCase().replace('-', ' '))
    expect(page.text).toContain('Is this your machine?')
    expect(page.text).toContain('jane on builder')
    expect(page.text).toContain('127.0.0.1')
    expect((await poll(userCode)).status).toBe(202)
    const done = await browser.signIn(linkIn(page.text))
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('You have signed in as jane') })
    const { status, body } = await poll(userCode)
    expect({ status, key: body.accessKey }).toEqual({ status: 200, key: expect.stringMatching(/^tpk_/) })
    expect((await poll(userCode)).status).toBe(401)
  })

  it('is named on the page by what can be seen alone', async () => {
    const { userCode } = await begin('<script>alert(1)</script>\u202eevil')
    const { text } = await typed(stage.browser(), userCode)
    expect(text).not.toContain('<script>')
    expect(text).toContain('&#60;script&#62;alert(1)')
    expect(text).not.toContain('\u202e')
  })
})

describe('a code', () => {
  it('is worth nothing to one who has seen it, and stays for the machine', async () => {
    const { userCode } = await begin()
    await letIn(userCode)
    expect((await poll(userCode, 'w'.repeat(43))).status).toBe(401)
    expect(
      (await stage.platform.ask('POST', '/auth/session', { token: '', body: { code: userCode, verifier } })).status,
    ).toBe(401)
    expect((await poll(userCode)).status).toBe(200)
  })

  it.each([
    ['a link', {}],
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['a bookmark', { 'sec-fetch-site': 'none' }],
  ])('is not taken from %s: the user has to type it', async (_name, headers) => {
    const { userCode } = await begin()
    const { text } = await typed(stage.browser(), userCode, headers)
    expect(text).toContain('Sign in on another machine')
    expect(text).not.toContain('jane on builder')
    expect(linkIn(text)).toBe('')
    const login = `/auth/login?connector=corp&device=${userCode}`
    expect(await stage.browser().visit(login, headers)).toMatchObject({ status: 302, location: '/auth/device' })
    expect((await poll(userCode)).status).toBe(202)
  })

  it('lets in one machine once', async () => {
    const { userCode } = await begin()
    const browser = stage.browser()
    const link = linkIn((await typed(browser, userCode)).text)
    expect((await browser.signIn(link)).status).toBe(200)
    expect(await stage.browser().visit(link, sameOrigin)).toMatchObject({ status: 302, location: '/auth/device' })
    expect((await typed(stage.browser(), userCode)).text).toContain('No machine waits with this code')
    const all = await Promise.all(Array.from({ length: 5 }, () => poll(userCode)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401])
  })

  it.each(['', 'BCDF', 'BCDF-GHJ1', 'BCDFGHJKL', '../../etc'])('is not %j', async (code) => {
    expect((await typed(stage.browser(), code)).text).toContain('Sign in on another machine')
  })
})

it.each([
  ['without a challenge', '', {}],
  ['with a challenge that is none', `?challenge=${'a'.repeat(42)}`, {}],
  ['by a page', `?challenge=${challenge}`, sameOrigin],
])('nothing is begun %s', async (_name, query, headers) => {
  expect((await stage.platform.ask('POST', `/auth/device${query}`, { token: '', headers })).status).toBe(400)
})

it('tenant platform login --device waits for the user, and says as whom it has logged in', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tenant-device-'))
  const ca = join(home, 'ca.crt')
  await writeFile(ca, stage.platform.server.authority)
  const written: string[] = []
  const output = { write: (text: string) => written.push(text) }
  const args = ['platform', 'login', stage.platform.server.url, '--device', '--ca', ca]
  const exit = runWatchedCli(args, { stdout: output, stderr: output, env: { HOME: home } })
  const code = () => /type there: (\S+)/.exec(written.join(''))?.[1] ?? ''
  await eventually(() => expect(code()).not.toBe(''))
  await letIn(code())
  expect(await exit).toBe(0)
  expect(written.join('')).toContain('as jane')
  expect(written.join('')).not.toContain('tpk_')
  expect(await readFile(join(home, '.tenant', 'config.json'), 'utf8')).toContain('tpk_')
  await rm(home, { recursive: true })
}, 20_000)

it('typing codes from one network is slowed down, and so is asking for them', async () => {
  const browser = stage.browser()
  const answers: number[] = []
  for (let count = 0; count < 25; count += 1) answers.push((await typed(browser, 'BCDF-GHJK')).status)
  expect(answers.at(-1)).toBe(429)
  const query = `?challenge=${challengeOf('x')}`
  expect((await stage.platform.ask('POST', `/auth/device${query}`, { token: '' })).status).toBe(429)
})
