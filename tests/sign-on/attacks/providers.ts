import { describe, expect, it } from 'vitest'
import { longestKeptToken } from '../../../src/sign-on/kept-token.ts'
import { keysPath } from '../../platform/platform.ts'
import { challengeOf, verifier } from '../support/browser.ts'
import type { Script } from '../support/scripted-issuer.ts'
import { loginPath, type Stage } from '../support/stage.ts'
import { untrusted } from './refusals.ts'

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

export function hostileProviders(stage: () => Stage): void {
  describe('a hostile provider', () => {
    const away = { status: 503, text: expect.stringContaining('does not answer') }
    const tooLarge = { status: 502, text: expect.stringContaining('is too large') }
    const unusable = { status: 500, text: expect.stringContaining('not set up correctly') }

    it.each<[string, Script, object]>([
      ['calls itself otherwise', { metadata: { issuer: 'https://evil.example' } }, untrusted],
      ['sends people to plain HTTP', { metadata: { authorization_endpoint: 'http://evil.example/' } }, unusable],
      ['sends people to a program', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, unusable],
      ['sends people to no address', { metadata: { authorization_endpoint: 7 } }, untrusted],
      ['sends people nowhere', { metadata: { authorization_endpoint: undefined } }, untrusted],
      [
        'sends people to an address without an end',
        { metadata: { authorization_endpoint: `https://evil.example/${'a'.repeat(500_000)}` } },
        untrusted,
      ],
      ['takes passwords of programs in no way', { metadata: { token_endpoint_auth_methods_supported: 7 } }, untrusted],
      ['says what is nested 1,000 deep', { metadata: { deep: nested(1_000) } }, tooLarge],
      ['says a hundred thousand things', { metadata: { many: Array.from({ length: 100_000 }, () => 1) } }, tooLarge],
    ])('that %s signs no user in', async (_name, script, expected) => {
      const name = `hostile-${Buffer.from(_name).toString('hex').slice(-20)}`
      await stage().connect(name)
      stage().issuer.script = script
      const answer = await stage().browser().visit(loginPath(name))
      expect(answer.location).toBe('')
      expect(answer).toMatchObject(expected)
    })

    it.each<[string, Script]>([
      ['answers with megabytes', { tokenAnswer: { status: 200, body: { access_token: 'x'.repeat(2_000_000) } } }],
      ['says that the user is in a hundred thousand groups', { claims: { groups: Array(100_000).fill('a') } }],
      [
        'hides what is nested 1,000 deep in a token',
        { idToken: (right, issuer) => issuer.sign({ ...right, deep: nested(1_000) }) },
      ],
      [
        'hides what is nested 1,000 deep in the header of a token',
        { idToken: async (right, issuer) => issuer.sign(right, { deep: nested(1_000) }) },
      ],
      [
        'hides a hundred thousand things among claims',
        { idToken: (right, issuer) => issuer.sign({ ...right, many: Array.from({ length: 100_000 }, () => 1) }) },
      ],
      [
        'hides what is nested 1,000 deep in a token, and gives out tokens and keys at one address',
        {
          keysAtTokenEndpoint: true,
          idToken: (right, issuer) => issuer.sign({ ...right, deep: nested(1_000) }),
        },
      ],
    ])('that %s is not read', async (_name, script) => {
      const name = `too-large-${Buffer.from(_name).toString('hex').slice(-20)}`
      await stage().connect(name)
      stage().issuer.script = script
      expect((await stage().signIn(name)).callback).toMatchObject(tooLarge)
    })

    it.each<[string, Script]>([
      ['sends too many informational answers (1xx)', { announcements: 1_000 }],
      ['answers with an error of its own', { tokenAnswer: { status: 500, body: {} } }],
      ['names an address of this network', { metadata: { token_endpoint: 'https://10.0.0.1/token' } }],
      ['names the address of a metadata service', { metadata: { token_endpoint: 'https://169.254.169.254/token' } }],
      ['names a loopback address that is not its own', { metadata: { token_endpoint: 'https://[::1]/token' } }],
    ])('that %s is aborted', async (_name, script) => {
      const name = `given-up-${Buffer.from(_name).toString('hex').slice(-20)}`
      await stage().connect(name)
      stage().issuer.script = script
      expect((await stage().signIn(name)).callback).toMatchObject(away)
    })

    it('that sends a refresh token too long to be kept with each session signs no user in', async () => {
      stage().issuer.script = { refreshToken: 'r'.repeat(longestKeptToken + 1) }
      const { callback, session } = await stage().signIn('corp')
      expect(callback).toMatchObject(untrusted)
      expect(session.status).toBe(401)
      stage().issuer.script = { refreshToken: 'r'.repeat(longestKeptToken) }
      expect((await stage().signIn('corp')).session.status).toBe(200)
    })

    it('does not get the verifier of another, nor a request without one', async () => {
      stage().issuer.codes.clear()
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('corp'))
      await browser.visit(sent.location)
      const [asked] = stage().issuer.codes.values()
      expect(asked?.challenge).toMatch(/^[\w-]{43}$/)
      expect(asked?.challenge).not.toBe(challengeOf(verifier))
      expect(new URL(sent.location).searchParams.get('code_challenge_method')).toBe('S256')
    })
  })

  it('no credentials of a provider are in the objects that the platform shows', async () => {
    await stage().signIn('corp')
    const { text } = await stage().platform.ask('GET', keysPath)
    expect(text).toContain('"identity"')
    expect(text).not.toContain('"connectorData"')
  })

  /** Last: after it, no sign-in from this network works for a while. */
  it('sign-ins from one network are limited', async () => {
    const browser = stage().browser()
    let answer = await browser.visit('/auth/callback/none')
    for (let asked = 1; asked < 3_000 && answer.status !== 429; asked += 1) {
      answer = await browser.visit('/auth/callback/none')
    }
    expect(answer).toMatchObject({ status: 429, text: expect.stringContaining('Too many sign-ins from here') })
  }, 240_000)
}
