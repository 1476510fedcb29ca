import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, visit } from '../console/support/browser.ts'
import { keysPath } from '../platform/platform.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'
import { eventually } from '../support/eventually.ts'
import { challenge, challengeOf, verifier } from './support/browser.ts'
import { confirmed, devicesOf } from './support/devices.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

beforeAll(async () => {
  stage = await openStage()
  await stage.connect('corp', { displayName: 'Corporate login' })
}, 240_000)
afterAll(() => stage.stop())

const { begin, poll, atCodePage, letIn } = devicesOf(() => stage)

describe('a machine without a browser', () => {
  it('is confirmed by its user, who sees which machine asks', async () => {
    const { userCode, expiresInSeconds, pollSeconds } = await begin()
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect({ expiresInSeconds, pollSeconds }).toEqual({ expiresInSeconds: 600, pollSeconds: 5 })
    expect(await poll(userCode)).toMatchObject({ status: 202, body: { state: 'pending' } })
    expect((await stage.browser().visit('/auth/device')).text).toContain('close this page')
    const { browser, page } = await atCodePage()
    expect(page.text).toContain('close this page')
    const machine = await browser.submit(page, { code: userCode.toLowerCase().replace('-', ' ') })
    expect(machine.text).toContain('Is this your machine?')
    expect(machine.text).toContain('jane on builder')
    expect(machine.text).toContain('127.0.0.1')
    expect(machine.text).toContain('sign it in as jane')
    expect((await poll(userCode)).status).toBe(202)
    const done = await browser.submit(machine, confirmed)
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('You have signed in as jane') })
    const { status, body } = await poll(userCode)
    expect({ status, key: body.accessKey }).toEqual({ status: 200, key: expect.stringMatching(/^tpk_/) })
    expect((await poll(userCode)).status).toBe(401)
    const { spec } = await stage.platform.must('GET', `${keysPath}/${body.keyName}`)
    expect(spec.displayName).toBe('Command line, jane on builder, from 127.0.0.1')
  })

  it('is shown on the page without invisible characters', async () => {
    const { userCode } = await begin('<script>alert(1)</script>\u202eevil')
    const { browser, page } = await atCodePage()
    const { text } = await browser.submit(page, { code: userCode })
    expect(text).not.toContain('<script>')
    expect(text).toContain('&#60;script&#62;alert(1)')
    expect(text).not.toContain('\u202e')
  })

  it('is not confirmed by a sign-in that another browser started: the user has no code', async () => {
    const { userCode } = await begin('the machine of an attacker')
    const attacker = stage.browser()
    const sent = await attacker.visit(`/auth/login?connector=corp&device=${userCode}`, sameOrigin)
    const victim = stage.browser()
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    const back = await victim.visit(sent.location)
    const { text } = await victim.visit(back.location, { 'sec-fetch-site': 'cross-site' })
    expect(text).toContain('Type the code')
    expect(text).not.toContain('the machine of an attacker')
    expect((await poll(userCode)).status).toBe(202)
  })
})

describe('a code', () => {
  it('is useless to an onlooker, and stays valid for the machine', async () => {
    const { userCode } = await begin()
    await letIn(userCode)
    expect((await poll(userCode, 'w'.repeat(43))).status).toBe(401)
    expect(
      (await stage.platform.ask('POST', '/auth/session', { token: '', body: { code: userCode, verifier } })).status,
    ).toBe(401)
    expect((await poll(userCode)).status).toBe(200)
  })

  it.each([
    ['no known page', {}, 'This browser is too old'],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'This sign-in is over'],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, 'This sign-in is over'],
    ['no page', { 'sec-fetch-site': 'none' }, 'This sign-in is over'],
  ])('is not accepted from a form of %s', async (_name, headers, told) => {
    const { userCode } = await begin()
    const { browser, page } = await atCodePage()
    expect((await browser.submit(page, { code: userCode }, headers)).text).toContain(told)
    const machine = await browser.submit(page, { code: userCode })
    expect((await browser.submit(machine, confirmed, headers)).text).toContain(told)
    expect((await poll(userCode)).status).toBe(202)
  })

  it('is not accepted from a URL, and no page of another site can start the sign-in', async () => {
    const { userCode } = await begin()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      const browser = stage.browser()
      expect(await browser.visit(`/auth/device/confirm?code=${userCode}`, headers)).toMatchObject({
        status: 302,
        location: '/auth/device',
      })
      expect(await browser.visit(`/auth/login?connector=corp&device=1`, headers)).toMatchObject({
        status: 302,
        location: '/auth/device',
      })
    }
    expect((await poll(userCode)).status).toBe(202)
  })

  it('is not accepted from a user without a sign-in', async () => {
    const { userCode } = await begin()
    const { page } = await atCodePage()
    const forged = { text: page.text.replace(/name="ticket" value="[^"]+"/, 'name="ticket" value="made-up"') }
    for (const pressed of [{}, confirmed]) {
      const answer = await stage.browser().submit(forged, { code: userCode, challenge, ...pressed })
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This sign-in is over') })
    }
    expect((await poll(userCode)).status).toBe(202)
  })

  it('confirms one machine once, and so does a sign-in', async () => {
    const [{ userCode }, another] = [await begin(), await begin('another')]
    const { browser, page } = await atCodePage()
    const machine = await browser.submit(page, { code: userCode })
    const otherMachine = await browser.submit(page, { code: another.userCode })
    expect((await browser.submit(machine, confirmed)).status).toBe(200)
    expect((await browser.submit(machine, confirmed)).text).toContain('This sign-in is over')
    expect((await browser.submit(otherMachine, confirmed)).text).toContain('This sign-in is over')
    const next = await atCodePage()
    expect((await next.browser.submit(next.page, { code: userCode })).text).toContain('No machine waits with this code')
    expect((await poll(another.userCode)).status).toBe(202)
    const all = await Promise.all(Array.from({ length: 5 }, () => poll(userCode)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401])
  })

  it('is not any other text, which can be corrected', async () => {
    const { userCode } = await begin()
    const { browser, page } = await atCodePage()
    let shown = page
    for (const code of ['', 'BCDF', 'BCDF-GHJ1', 'BCDFGHJKL', '../../etc']) {
      shown = await browser.submit(shown, { code })
      expect(shown.text).toContain('No machine waits with this code')
    }
    expect((await browser.submit(shown, { code: userCode })).text).toContain('Is this your machine?')
  })
})

it.each([
  ['without a challenge', '', {}],
  ['with an invalid challenge', `?challenge=${'a'.repeat(42)}`, {}],
  ['by a page', `?challenge=${challenge}`, sameOrigin],
])('no sign-in begins %s', async (_name, query, headers) => {
  expect((await stage.platform.ask('POST', `/auth/device${query}`, { token: '', headers })).status).toBe(400)
})

it.skipIf(noBrowser !== undefined)(
  'of two browsers with one code, the first to confirm wins',
  async () => {
    const { userCode } = await begin()
    const browser = await openBrowser()
    const pages = [(await visit(browser)).page, (await visit(browser)).page]
    for (const page of pages) {
      await page.goto(`${stage.platform.server.url}/auth/device`)
      await page.getByRole('link', { name: 'Corporate login' }).click()
      await page.getByLabel('Code').fill(userCode)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Is this your machine?' }).waitFor()
    }
    const [first, second] = pages.map((page) => page.getByRole('button', { name: 'Yes, sign it in as jane' }))
    await first?.click()
    await pages[0]?.getByText('The machine is let in').waitFor()
    await second?.click()
    await pages[1]?.getByText('This sign-in is over').waitFor()
    expect((await poll(userCode)).status).toBe(200)
    await browser.close()
  },
  60_000,
)

it('tenant platform login --device waits for the user, and names the resulting user', async () => {
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
}, 240_000)

it('attempts at codes from one network are rate limited, and so are requests for them', async () => {
  const { browser, page } = await atCodePage()
  const answers: number[] = []
  for (let count = 0; count < 25; count += 1) {
    answers.push((await browser.submit(page, { code: 'BCDF-GHJK' })).status)
  }
  expect(answers.at(-1)).toBe(429)
  let last: unknown
  for (let count = 0; count < 25; count += 1) {
    const query = `?challenge=${challengeOf('x')}`
    last = await stage.platform.ask('POST', `/auth/device${query}`, { token: '' })
  }
  expect(last).toMatchObject({
    status: 429,
    body: { kind: 'Status', details: { retryAfterSeconds: expect.any(Number) } },
  })
})
