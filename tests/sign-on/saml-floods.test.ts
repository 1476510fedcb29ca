import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import { parseQuery } from '../../src/server/request/query.ts'
import { SamlProvider } from '../../src/sign-on/saml/connector.ts'
import { SignatureChecks } from '../../src/sign-on/saml/signature-checks.ts'
import { whileCountingTurns } from '../attacks/hostile-servers/support/turns.ts'
import {
  answerTo,
  encoded,
  makeSigningPair,
  responseAround,
  type SigningPair,
  samlIssuer,
  signedAssertion,
  ssoUrl,
} from './support/saml-issuer.ts'

const redirectUri = 'https://platform.example.com/auth/callback/corp'
const told = { id: '_request-1', recipient: redirectUri, audience: 'https://platform.example.com/auth/saml/corp' }
const stranger = '192.0.2.66'
const office = '192.0.2.1'
/** As many bodies as a stranger may send at the same time. */
const atOnce = 16

const checks = new SignatureChecks()
let own: SigningPair
let costly: string
let provider: SamlProvider

beforeAll(() => {
  own = makeSigningPair()
  const filled = signedAssertion(told, makeSigningPair()).replace(
    '</saml:Subject>',
    `</saml:Subject>${'<a/>'.repeat(200)}`,
  )
  costly = responseAround(told, filled)
  const saml = { issuer: samlIssuer, ssoUrl, certificates: [own.certificate], redirectUri }
  const used = { take: async () => true }
  const spec = { type: 'saml' as const, saml }
  provider = new SamlProvider({ name: 'corp', spec, used, checks, clock: systemClock, random: systemRandom })
})
afterAll(() => checks.close())

function bring(xml: string, network: string, signal = new AbortController().signal): Promise<string> {
  const form = parseQuery(`SAMLResponse=${encodeURIComponent(encoded(xml))}`)
  const expected = { state: told.id, nonce: '', codeVerifier: '', redirectUri }
  return provider.finish({ url: new URL(redirectUri), expected, form, network }, signal).then(
    ({ userId }) => userId,
    ({ code }) => code,
  )
}

const costlyOnes = (count: number) => Array.from({ length: count }, () => bring(costly, stranger))

describe('forged responses of a stranger', () => {
  it('are checked without blocking the event loop', async () => {
    expect(await bring(costly, stranger)).toBe('untrusted')
    const { outcome, count } = await whileCountingTurns(() => Promise.all(costlyOnes(atOnce)))
    expect(outcome).toEqual(new Array(atOnce).fill('untrusted'))
    // On the event loop, each would take one turn.
    expect(count).toBeGreaterThan(5 * atOnce)
  })

  it('do not delay users of other networks, and are refused if too many wait', async () => {
    const done: string[] = []
    const flood = costlyOnes(2 * atOnce).map((each) => each.then((outcome) => done.push(outcome)))
    const user = bring(answerTo(told, own), office).then((userId) => done.push(userId))
    await Promise.all([...flood, user])
    expect(done.filter((each) => each === 'too-many').length).toBeGreaterThan(0)
    const checked = done.filter((each) => each !== 'too-many')
    expect(checked.indexOf('ann-4711')).toBeLessThan(3)
  })

  it('are not checked after their browsers disconnect', async () => {
    const first = bring(costly, stranger)
    const browsers = Array.from({ length: atOnce }, () => new AbortController())
    const left = browsers.map(({ signal }) => bring(costly, stranger, signal))
    for (const browser of browsers) browser.abort()
    const user = bring(answerTo({ ...told, assertionId: '_a2' }, own), stranger)
    expect(await Promise.all(left)).toEqual(new Array(atOnce).fill('unavailable'))
    expect(await first).toBe('untrusted')
    expect(await user).toBe('ann-4711')
  })
})
