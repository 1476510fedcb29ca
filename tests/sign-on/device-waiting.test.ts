import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keysPath, management } from '../platform/platform.ts'
import { confirmed, devicesOf } from './support/devices.ts'
import { openStage, type Stage } from './support/stage.ts'

// A machine that was let in may take its time to fetch its key.

let stage: Stage
const { begin, poll, atCodePage, letIn } = devicesOf(() => stage)
const ofJane = `${keysPath}?fieldSelector=${encodeURIComponent('spec.type=Login,spec.user=jane')}`
/** As the console does. */
const signOutEverywhere = () => stage.platform.must('DELETE', ofJane)

async function listed(): Promise<readonly string[]> {
  const { items } = await stage.platform.must('GET', ofJane)
  return (items as readonly { spec: { displayName: string } }[]).map(({ spec }) => spec.displayName)
}

beforeAll(async () => {
  stage = await openStage()
  await stage.connect('corp')
}, 240_000)
afterAll(() => stage.stop())
beforeEach(signOutEverywhere)

it('is listed in the sessions of its user, and gets no key after a sign-out everywhere', async () => {
  const { userCode } = await begin('the machine of an attacker')
  await letIn(userCode)
  expect(await listed()).toEqual(['Command line, the machine of an attacker, from 127.0.0.1 (waiting)'])
  await signOutEverywhere()
  expect((await poll(userCode)).status).toBe(401)
  expect((await poll(userCode)).status).toBe(401)
  expect(await listed()).toEqual([])
})

it('gets no key when the user signs out at the provider', async () => {
  const { userCode } = await begin()
  await letIn(userCode)
  const seconds = Math.floor(Date.now() / 1000)
  const claims = {
    iss: stage.issuer.url,
    aud: 'platform',
    sub: 'subject-1',
    iat: seconds,
    exp: seconds + 120,
    jti: '1',
  }
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const token = await stage.issuer.sign({ ...claims, events }, { typ: 'logout+jwt' })
  const sent = { 'content-type': 'application/x-www-form-urlencoded' }
  const told = await stage.browser().form('/auth/backchannel-logout/corp', { logout_token: token }, sent)
  expect(told.status).toBe(200)
  expect((await poll(userCode)).status).toBe(401)
  expect(await listed()).toEqual([])
})

it.each([
  ['locked', { disabled: true }],
  ['no longer known to the provider', { identities: [] }],
])('gets no key if the user is %s, even later', async (_, change) => {
  const { userCode } = await begin()
  await letIn(userCode)
  const path = `${management}/users/jane`
  const { spec } = await stage.platform.must('GET', path)
  const set = (body: object) => stage.platform.ask('PATCH', path, { body, type: 'application/merge-patch+json' })
  await set({ spec: change })
  expect((await poll(userCode)).status).toBe(401)
  await set({ spec: { disabled: false, identities: spec.identities } })
  expect((await poll(userCode)).status).toBe(401)
})

it('is confirmed by one of several concurrent users, and the others leave nothing', async () => {
  const { userCode } = await begin('builder')
  const asked = await Promise.all([atCodePage(), atCodePage(), atCodePage()])
  const told = await Promise.all(
    asked.map(async ({ browser, page }) => ({ browser, machine: await browser.submit(page, { code: userCode }) })),
  )
  const answers = await Promise.all(told.map(({ browser, machine }) => browser.submit(machine, confirmed)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ text }) => text.includes('This sign-in is over'))).toHaveLength(2)
  expect(await listed()).toEqual(['Command line, builder, from 127.0.0.1 (waiting)'])
  expect((await poll(userCode)).status).toBe(200)
  expect(await listed()).toEqual(['Command line, builder, from 127.0.0.1'])
})

it('gets one key, however often it polls', async () => {
  const { userCode } = await begin('builder')
  const early = await Promise.all(Array.from({ length: 100 }, () => poll(userCode)))
  expect(new Set(early.map(({ status }) => status))).toEqual(new Set([202]))
  await letIn(userCode)
  const late = await Promise.all(Array.from({ length: 20 }, () => poll(userCode)))
  expect(late.filter(({ status }) => status === 200)).toHaveLength(1)
  // Refusals are counted, so that the last ones may get a 429.
  expect(late.filter(({ status }) => status === 401 || status === 429)).toHaveLength(19)
  expect(await listed()).toEqual(['Command line, builder, from 127.0.0.1'])
})
