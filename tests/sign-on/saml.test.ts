import type { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { keysPath, management } from '../platform/platform.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { commandAddress, TestBrowser, type Visited, verifier } from './support/browser.ts'
import {
  answerTo,
  attributeOf,
  encoded,
  makeSigningPair,
  requestIn,
  type SigningPair,
  samlIssuer,
  ssoUrl,
  type Told,
} from './support/saml-issuer.ts'
import { codeOf, loginPath, openStage, type Stage } from './support/stage.ts'

let stage: Stage
let own: SigningPair
let next: SigningPair
let agent: Agent
let laterMs = 0
const clock = { now: () => systemClock.now() + laterMs }

beforeAll(async () => {
  stage = await openStage({}, { clock })
  own = makeSigningPair()
  next = makeSigningPair()
  agent = patientAgent({ ca: [stage.platform.server.authority] })
  await stage.platform.must('POST', `${management}/connectors`, {
    metadata: { name: 'corp' },
    spec: { type: 'saml', displayName: 'Corporate', saml: settings() },
  })
  await stage.platform.must('POST', `${management}/teams`, {
    metadata: { name: 'builders' },
    spec: { groups: ['dev'] },
  })
}, 240_000)
afterAll(async () => {
  await agent.close()
  await stage.stop()
})

const settings = () => ({
  issuer: samlIssuer,
  ssoUrl,
  certificates: [own.certificate],
  redirectUri: stage.platform.server.url + callback,
})
const browser = () => new TestBrowser(stage.platform.server.url, agent)
const callback = '/auth/callback/corp'
const fromElsewhere = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }

/** The browser is redirected to the provider. Returns the request that arrives there. */
async function sent(visitor: TestBrowser) {
  const { location, setCookie } = await visitor.visit(loginPath('corp'), { 'sec-fetch-site': 'same-origin' })
  return { ...requestIn(location), setCookie }
}

function bring(visitor: TestBrowser, xml: string): Promise<Visited> {
  return visitor.form(callback, { SAMLResponse: encoded(xml), RelayState: '' }, fromElsewhere)
}

let assertions = 0
const nextId = () => {
  assertions += 1
  return `_a${assertions}`
}

async function signedIn(attributes = '', pair = own, more: Partial<Told> = {}) {
  const visitor = browser()
  const request = await sent(visitor)
  const answer = await bring(
    visitor,
    answerTo({ ...request, attributes, assertionId: nextId(), nowMs: clock.now(), ...more }, pair),
  )
  const session = await visitor.post('/auth/session', { code: codeOf(answer), verifier })
  return { visitor, answer, session }
}

describe('signing in by SAML', () => {
  it('creates a user, a session and memberships in teams', async () => {
    const attributes = attributeOf('groups', 'dev') + attributeOf('displayName', 'Ann')
    const { answer, session } = await signedIn(attributes)
    expect(answer).toMatchObject({ status: 302, location: expect.stringMatching(/^\/#sign-on=/) })
    const { keyName, user } = JSON.parse(session.text)
    expect(user).toBe('ann-4711')
    const { spec } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
    expect(spec.identity).toMatchObject({
      connector: 'corp',
      userId: 'ann-4711',
      groups: ['dev'],
      emailVerified: false,
    })
    const { status } = await stage.platform.must('GET', `${management}/users/ann-4711`)
    expect(status.signOn).toMatchObject([{ connector: 'corp', groups: ['dev'] }])
  })

  it('is listed as a connector, and accepts a cookie with a cross-site form of the provider', async () => {
    const { text } = await browser().visit('/auth/connectors')
    expect(JSON.parse(text).connectors).toContainEqual({ name: 'corp', displayName: 'Corporate' })
    const { setCookie } = await sent(browser())
    expect(setCookie.join()).toMatch(/^__Host-tenant-sign-on=.*; HttpOnly; Secure; SameSite=None$/)
  })

  it('publishes metadata for the provider, without a sign-in', async () => {
    const { status, text } = await browser().visit('/auth/saml/corp')
    expect(status).toBe(200)
    const { url } = stage.platform.server
    expect(text).toContain(`entityID="${url}/auth/saml/corp"`)
    expect(text).toContain(`Location="${url}${callback}"`)
    expect((await browser().visit('/auth/saml/none')).status).toBe(404)
  })

  it('is tested by the connector test', async () => {
    const { status } = await stage.platform.must('POST', `${management}/connectors/corp/test`, {})
    expect(status).toMatchObject({ works: true })
    expect(status.steps.join('\n')).toContain('checked with 1 certificate')
  })

  it('continues during a key change of the provider, once both certificates are configured', async () => {
    expect((await signedIn('', next)).answer.status).toBe(400)
    const saml = { certificates: [own.certificate, next.certificate] }
    await stage.platform.ask('PATCH', `${management}/connectors/corp`, {
      body: { spec: { saml } },
      type: 'application/merge-patch+json',
    })
    expect((await signedIn('', next)).session.status).toBe(200)
    expect((await signedIn('', own)).session.status).toBe(200)
  })
})

describe('a provider without a refresh', () => {
  const hourMs = 3_600_000
  const change = (spec: object) =>
    stage.platform.ask('PATCH', `${management}/connectors/corp`, {
      body: { spec },
      type: 'application/merge-patch+json',
    })
  /** The lifetime of a new session, in hours. */
  async function lifeOf(more: Partial<Told> = {}): Promise<number> {
    const { session } = await signedIn('', own, more)
    const { keyName } = JSON.parse(session.text)
    const { metadata, status } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
    return (Date.parse(status.session.latestEnd) - Date.parse(metadata.creationTimestamp)) / hourMs
  }

  it('is called by the browser once a day, unless its connector says otherwise', async () => {
    expect(await lifeOf()).toBeCloseTo(12, 2)
    await change({ sessionSeconds: 900 })
    expect(await lifeOf()).toBeCloseTo(0.25, 2)
    await change({ sessionSeconds: 7 * 24 * 3600 })
    expect(await lifeOf()).toBeCloseTo(7 * 24, 2)
    await change({ sessionSeconds: null })
    for (const sessionSeconds of [0, 299, 2_592_001]) expect((await change({ sessionSeconds })).status).toBe(422)
  })

  it('may set the end of its session, which also ends the one here', async () => {
    const skewHours = 300 / 3600
    expect(await lifeOf({ sessionEndMs: clock.now() + hourMs })).toBeCloseTo(1 + skewHours, 1)
    expect(await lifeOf({ sessionEndMs: clock.now() + 20 * hourMs })).toBeCloseTo(12, 2)
    await change({ sessionSeconds: 900 })
    expect(await lifeOf({ sessionEndMs: clock.now() + hourMs })).toBeCloseTo(0.25, 2)
    await change({ sessionSeconds: null })
  })

  it("ends the user's open connections at that time, and updates the groups with the next sign-in", async () => {
    await change({ saml: { clockSkewSeconds: 0 } })
    const { visitor, session } = await signedIn(attributeOf('groups', 'dev'), own, {
      sessionEndMs: clock.now() + hourMs,
    })
    const { counterpart, user } = JSON.parse(session.text)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'tenant-session': counterpart, cookie }
    const watch = await stage.platform.watch(`${management}/teams?watch=true`, '', headers)
    expect(watch.status).toBe(200)
    laterMs += hourMs
    await watch.ended
    const self = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
    expect((await visitor.post(`${management}/selves`, self, { 'tenant-session': counterpart })).status).toBe(401)
    const again = await signedIn(attributeOf('groups', 'other'))
    expect(again.session.status).toBe(200)
    const { status } = await stage.platform.must('GET', `${management}/users/${user}`)
    expect(status.signOn).toMatchObject([{ connector: 'corp', groups: ['other'] }])
    await change({ saml: { clockSkewSeconds: null } })
  })

  it('also limits the key of a command, which cannot be extended', async () => {
    const visitor = browser()
    const { location } = await visitor.visit(loginPath('corp', `&port=40123&state=${'s'.repeat(20)}`), {
      'sec-fetch-site': 'same-origin',
    })
    const nowMs = clock.now()
    const told = { ...requestIn(location), assertionId: nextId(), nowMs, sessionEndMs: nowMs + hourMs }
    const answer = await bring(visitor, answerTo(told, own))
    const code = new URL(commandAddress(answer)).searchParams.get('code') ?? ''
    const { text } = await browser().post('/auth/token', { code, verifier })
    const { keyName } = JSON.parse(text)
    const { spec, metadata } = await stage.platform.must('GET', `${keysPath}/${keyName}`)
    expect(Math.abs(spec.ttl - 3900)).toBeLessThan(60)
    const longer = await stage.platform.ask('PATCH', `${keysPath}/${metadata.name}`, {
      body: { spec: { ttl: 100_000 } },
      type: 'application/merge-patch+json',
    })
    expect(longer.status).toBeGreaterThanOrEqual(400)
  })
})

describe('is refused', () => {
  const titleOf = ({ text }: Visited) => /<h1>([^<]*)/.exec(text)?.[1]
  const over = 'This sign-in is over'
  const untrusted = 'The answer of the identity provider cannot be trusted'

  it('a callback in a browser without a request', async () => {
    const answer = answerTo({ ...(await sent(browser())), assertionId: nextId(), nowMs: clock.now() }, own)
    expect(titleOf(await bring(browser(), answer))).toBe(over)
  })

  it('a callback of another browser, planted into this one', async () => {
    const [attacker, victim] = [browser(), browser()]
    const answer = answerTo({ ...(await sent(attacker)), assertionId: nextId(), nowMs: clock.now() }, own)
    await sent(victim)
    expect(titleOf(await bring(victim, answer))).toBe(over)
  })

  it('another host as the recipient', async () => {
    const visitor = browser()
    const { url } = stage.platform.server
    const headers = { 'sec-fetch-site': 'same-origin', host: new URL(url).host.replace('127.0.0.1', 'localhost') }
    const { recipient, audience } = requestIn((await visitor.visit(loginPath('corp'), headers)).location)
    expect({ recipient, audience }).toEqual({ recipient: url + callback, audience: `${url}/auth/saml/corp` })
  })

  it('a repeated callback, even with the original cookie', async () => {
    const visitor = browser()
    const answer = answerTo({ ...(await sent(visitor)), assertionId: nextId(), nowMs: clock.now() }, own)
    const kept = new Map(visitor.cookies)
    expect((await bring(visitor, answer)).status).toBe(302)
    expect(visitor.cookies.size).toBe(0)
    expect(titleOf(await bring(visitor, answer))).toBe(over)
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    expect(titleOf(await bring(visitor, answer))).toBe(over)
  })

  it('a callback in the URL, where it would be compressed', async () => {
    const visitor = browser()
    const answer = answerTo({ ...(await sent(visitor)), assertionId: nextId(), nowMs: clock.now() }, own)
    const address = `${callback}?SAMLResponse=${encodeURIComponent(encoded(answer).slice(0, 4_000))}`
    expect(titleOf(await visitor.visit(address))).toBe(untrusted)
  })

  it('a form for a connector without one', async () => {
    await stage.connect('oidc')
    const visitor = browser()
    await visitor.visit(loginPath('oidc'), { 'sec-fetch-site': 'same-origin' })
    const answer = await visitor.form('/auth/callback/oidc', { SAMLResponse: 'YQ' }, fromElsewhere)
    expect(answer.status).toBe(405)
  })

  it('an oversized response', async () => {
    const visitor = browser()
    await sent(visitor)
    const answer = await visitor.form(callback, { SAMLResponse: 'A'.repeat(600_000) }, fromElsewhere)
    expect(answer.status).toBe(413)
  })

  it('another issuer, or another kind of name, in place of the first', async () => {
    for (const saml of [{ issuer: 'https://other.example.com' }, { nameIdFormat: 'emailAddress' }]) {
      const body = { spec: { saml } }
      const type = 'application/merge-patch+json'
      expect((await stage.platform.ask('PATCH', `${management}/connectors/corp`, { body, type })).status).toBe(422)
    }
  })

  it.each([
    ['spec.saml.issuer', { issuer: '' }],
    ['spec.saml.ssoUrl', { ssoUrl: 'http://idp.example.com/sso' }],
    ['spec.saml.certificates', { certificates: [] }],
    ['spec.saml.certificates[0]', { certificates: ['no certificate'] }],
    ['spec.saml.clockSkewSeconds', { clockSkewSeconds: 601 }],
    ['spec.saml.redirectUri', { redirectUri: 'https://platform.example.com/elsewhere' }],
    ['spec.saml.redirectUri', { redirectUri: '' }],
  ])('a connector with a wrong %s', async (field, wrong) => {
    const body = { metadata: { name: 'wrong' }, spec: { type: 'saml', saml: { ...settings(), ...wrong } } }
    const { status, body: answer } = await stage.platform.ask('POST', `${management}/connectors`, { body })
    expect(status).toBe(422)
    expect(answer.details.causes.map((cause: { field: string }) => cause.field)).toEqual([field])
  })
})
