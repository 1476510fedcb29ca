import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SamlConnector } from '../../src/api/types/management.ts'
import { systemRandom } from '../../src/base/random.ts'
import { parseQuery } from '../../src/server/request/query.ts'
import type { ProviderIdentity } from '../../src/sign-on/contract.ts'
import { SignOnFailure } from '../../src/sign-on/failure.ts'
import { SamlProvider } from '../../src/sign-on/saml/connector.ts'
import { SignatureChecks } from '../../src/sign-on/saml/signature-checks.ts'
import { testClock } from '../support/registry.ts'
import { samlForgeries, sha1 } from './support/saml-forgeries.ts'
import {
  answerTo,
  attributeOf,
  encoded,
  makeSigningPair,
  requestIn,
  responseAround,
  type SigningPair,
  samlIssuer,
  signed,
  signedAssertion,
  ssoUrl,
  type Told,
} from './support/saml-issuer.ts'

const redirectUri = 'https://platform.example.com/auth/callback/corp'
const audience = 'https://platform.example.com/auth/saml/corp'
const clock = testClock()
const network = '192.0.2.1'
const { signal } = new AbortController()
const usual: Told & { readonly nowMs: number } = {
  id: '_request-1',
  recipient: redirectUri,
  audience,
  nowMs: clock.now(),
}

const checks = new SignatureChecks()
let own: SigningPair
let other: SigningPair
beforeAll(() => {
  own = makeSigningPair()
  other = makeSigningPair()
})
afterAll(() => checks.close())

function providerWith(saml: Partial<SamlConnector> = {}, spec: object = {}): SamlProvider {
  const taken = new Set<string>()
  const used = {
    take: async (text: string) => {
      const isNew = !taken.has(text)
      taken.add(text)
      return isNew
    },
  }
  const settings = { issuer: samlIssuer, ssoUrl, certificates: [own.certificate], redirectUri, ...saml }
  return new SamlProvider({
    name: 'corp',
    spec: { type: 'saml', saml: settings, ...spec },
    used,
    checks,
    clock,
    random: systemRandom,
  })
}

function finish(xml: string, provider = providerWith(), id = usual.id): Promise<ProviderIdentity> {
  return finishWith(`SAMLResponse=${encodeURIComponent(encoded(xml))}`, provider, id)
}

function finishWith(body: string, provider = providerWith(), id = usual.id): Promise<ProviderIdentity> {
  const expected = { state: id, nonce: '', codeVerifier: '', redirectUri }
  return provider.finish({ url: new URL(redirectUri), expected, form: parseQuery(body), network }, signal)
}

async function refusal(finished: Promise<unknown>): Promise<string> {
  const error = await finished.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return 'taken'
  if (error instanceof SignOnFailure) return `${error.code}: ${error.message}`
  throw error
}

describe('a SAML provider', () => {
  it('gets a request with the entity ID of this platform and its callback', async () => {
    const { url, expected } = await providerWith().begin(redirectUri)
    const request = requestIn(url.href)
    expect(url.href.startsWith(`${ssoUrl}?SAMLRequest=`)).toBe(true)
    expect(request).toMatchObject({ id: expected.state, recipient: redirectUri, audience })
    expect(request.xml).toContain('nameid-format:persistent')
  })

  it('returns the user, the display name and the groups', async () => {
    const attributes = [
      attributeOf('displayName', 'Ann Smith'),
      attributeOf('mail', 'ann@example.com'),
      attributeOf('groups', 'dev', 'ops', 'system:masters'),
      attributeOf('department', 'R&amp;D'),
    ].join('')
    const provider = providerWith({ emailVerified: true }, { extraClaims: ['department'] })
    expect(await finish(answerTo({ ...usual, attributes }, own), provider)).toEqual({
      userId: 'ann-4711',
      username: 'ann-4711',
      preferredUsername: 'Ann Smith',
      email: 'ann@example.com',
      emailVerified: true,
      groups: ['dev', 'ops'],
      extraClaims: { department: 'R&D' },
    })
  })

  it('may also sign the response', async () => {
    const response = signed(answerTo(usual, own), 'Response', own)
    expect((await finish(response)).userId).toBe('ann-4711')
  })

  it('may change its key while both certificates are configured', async () => {
    const provider = providerWith({ certificates: [own.certificate, other.certificate] })
    expect((await finish(answerTo(usual, own), provider)).userId).toBe('ann-4711')
    expect((await finish(answerTo({ ...usual, assertionId: '_a2' }, other), provider)).userId).toBe('ann-4711')
  })

  it('may have a clock that is five minutes off, to either side', async () => {
    for (const offMs of [5 * 60_000, -8 * 60_000]) {
      const answer = answerTo({ ...usual, nowMs: clock.now() + offMs }, own)
      expect((await finish(answer)).userId).toBe('ann-4711')
    }
  })

  it('may wrap the lines of its response', async () => {
    const lines = encoded(answerTo(usual, own)).replace(/.{76}/g, '$&\r\n')
    const body = `SAMLResponse=${encodeURIComponent(`${lines}\r\n`)}`
    expect((await finishWith(body)).userId).toBe('ann-4711')
  })

  it('may sign with SHA-1 where that is allowed', async () => {
    const response = answerTo(usual, { ...own, ...sha1 })
    expect(await refusal(finish(response))).toBe('untrusted: the provider signs with SHA-1: see spec.saml.allowSha1')
    expect((await finish(response, providerWith({ allowSha1: true }))).userId).toBe('ann-4711')
  })

  it('publishes its entity ID and its address', () => {
    const metadata = providerWith().metadata(redirectUri)
    expect(metadata).toContain(`entityID="${audience}"`)
    expect(metadata).toContain(`Location="${redirectUri}"`)
    expect(metadata).toContain('WantAssertionsSigned="true"')
  })
})

describe('is refused', () => {
  const honest = () => answerTo(usual, own)

  it.each(samlForgeries({ own: () => own, other: () => other, usual }))('%s', async (_, forged, reason) => {
    expect(await refusal(finish(forged()))).toContain(reason)
  })

  it.each([
    ['nothing', '', 'the form holds no response'],
    ['two responses', 'SAMLResponse=YQ&SAMLResponse=YQ', 'the form holds no response'],
    ['what is not in base64', 'SAMLResponse=%3Cxml%3E', 'not in base64'],
    // A pattern that tries each end of a line would take a minute for it, and exceed the time limit of the test.
    ['lines without end', `SAMLResponse=${'\n'.repeat(262_143)}!`, 'not in base64'],
    [
      'what is not in UTF-8',
      `SAMLResponse=${encodeURIComponent(Buffer.from([0xff, 0xfe, 0x3c]).toString('base64'))}`,
      'not in UTF-8',
    ],
  ])('%s', async (_, body, reason) => {
    expect(await refusal(finishWith(body))).toContain(reason)
  })

  it('compressed data, however large it would become', async () => {
    const { deflateRawSync } = await import('node:zlib')
    const bomb = deflateRawSync(Buffer.alloc(50 * 1024 * 1024, 'a'))
    expect(await refusal(finishWith(`SAMLResponse=${encodeURIComponent(bomb.toString('base64'))}`))).toContain(
      'untrusted',
    )
  })

  it('a certificate with a weak key, with another type of key, or none', async () => {
    const weak = providerWith({ certificates: [makeSigningPair(1024).certificate] })
    expect(await refusal(finish(honest(), weak))).toContain(
      'misconfigured: spec.saml.certificates[0] is of less than 2048',
    )
    const none = providerWith({ certificates: [own.certificate, 'no certificate'] })
    expect(await refusal(finish(honest(), none))).toContain('spec.saml.certificates[1] is not a certificate')
  })

  it('an assertion for another service, whatever host started the sign-in', async () => {
    const elsewhere = 'https://dev.example.com/auth/callback/corp'
    const foreign = { ...usual, recipient: elsewhere, audience: 'https://dev.example.com/auth/saml/corp' }
    const expected = { state: usual.id, nonce: '', codeVerifier: '', redirectUri: elsewhere }
    const form = parseQuery(`SAMLResponse=${encodeURIComponent(encoded(answerTo(foreign, own)))}`)
    for (const saml of [{}, { redirectUri: '', entityId: audience }]) {
      const provider = providerWith(saml)
      expect(requestIn((await provider.begin(elsewhere)).url.href)).toMatchObject({ audience })
      expect(await refusal(provider.finish({ url: new URL(elsewhere), expected, form, network }, signal))).toContain(
        'for another audience',
      )
    }
  })

  it('a connector whose entity ID would depend on the Host header', async () => {
    const nameless = providerWith({ redirectUri: '' })
    const reason = 'misconfigured: the connector has neither spec.saml.redirectUri nor spec.saml.entityId: set one'
    expect(await refusal(nameless.begin(redirectUri))).toBe(reason)
    expect(await refusal(finish(honest(), nameless))).toBe(reason)
    expect(() => nameless.metadata(redirectUri)).toThrow(SignOnFailure)
  })

  it('a response that was used before', async () => {
    const provider = providerWith()
    const response = signedAssertion(usual, own)
    expect(await refusal(finish(responseAround(usual, response), provider))).toBe('taken')
    expect(await refusal(finish(responseAround(usual, response), provider))).toBe(
      'expired: the assertion was used before',
    )
  })
})
