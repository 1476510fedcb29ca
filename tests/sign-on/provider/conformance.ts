import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  type FetchImplementation,
  jwtVerify,
} from 'jose'
import * as oidc from 'openid-client'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../platform/browser-client.ts'
import { applicationSecret, had, type ProviderStage, redirectOf, sealedIn } from './stage.ts'

/**
 * The modules of the plans "Basic OP" and "Config OP" of the OpenID Foundation's conformance suite, by their names and
 * in their order, with the requirements of each. Missing optional features are refused, or left out, as the plans
 * define.
 */
export function conformance(stage: () => ProviderStage): void {
  type Fields = Readonly<Record<string, string>>
  const argoCd = { client_id: 'argo-cd', client_secret: applicationSecret }
  const basic = { authorization: `Basic ${Buffer.from(`argo-cd:${applicationSecret}`).toString('base64')}` }
  const redirectUri = redirectOf('argo-cd')

  /** Sign-ins without PKCE and without consent, as in the suite. */
  const requested = (more: Fields = {}) => {
    const usual = { client_id: 'argo-cd', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' }
    return new URLSearchParams({ ...usual, state: 'state', nonce: 'nonce', ...more })
  }
  const answerTo = async (more: Fields = {}, headers = stage().ann.headers) =>
    (await stage().allowed(`${stage().issuer}/authorize?${requested(more)}`, headers)).searchParams
  const exchanged = async (code: string | null, headers: Fields = basic, fields: Fields = {}) => {
    const asked = { grant_type: 'authorization_code', redirect_uri: redirectUri, code: had(code), ...fields }
    const answer = await stage().form('/token', asked, headers)
    return { status: answer.status, body: (await answer.json()) as Fields }
  }
  /** The claims of the ID token, and the rest of the answer. */
  const signedIn = async (more: Fields = {}, headers = stage().ann.headers) => {
    const { body } = await exchanged((await answerTo(more, headers)).get('code'))
    return { body, claims: decodeJwt(had(body.id_token)) }
  }
  const userinfo = async (scope: string) => {
    const { body } = await signedIn({ scope })
    const headers = { authorization: `Bearer ${body.access_token}` }
    return (await (await stage().ownFetch(`${stage().issuer}/userinfo`, { headers })).json()) as object
  }
  const errorOf = async (query: URLSearchParams) => {
    const { location } = await stage().visit(`${stage().issuer}/authorize?${query}`)
    return new URL(location).searchParams.get('error')
  }
  const uidOfAnn = async () => String((await signedIn()).claims.sub)

  describe('Basic OP', () => {
    it('oidcc-server: a code leads to an ID token with iss, aud, exp, iat, sub, nonce and auth_time', async () => {
      const answer = await answerTo()
      expect(answer.get('state')).toBe('state')
      const { status, body } = await exchanged(answer.get('code'))
      expect(status).toBe(200)
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'openid' })
      const now = Date.now() / 1000
      const { iat = 0, exp = 0, ...claims } = decodeJwt(had(body.id_token))
      expect(claims).toMatchObject({ iss: stage().issuer, aud: 'argo-cd', sub: expect.any(String), nonce: 'nonce' })
      expect([Math.abs(iat - now) < 10, exp - iat]).toEqual([true, 600])
      expect(claims.auth_time).toBeLessThanOrEqual(iat)
    })

    it('oidcc-response-type-missing: is an error', async () => {
      const query = requested()
      query.delete('response_type')
      expect(await errorOf(query)).toBe('unsupported_response_type')
    })

    it('oidcc-idtoken-signature: is by a published key, which the header names', async () => {
      const { body } = await signedIn()
      const ownFetch = stage().ownFetch.bind(stage()) as unknown as FetchImplementation
      const keys = createRemoteJWKSet(new URL(`${stage().issuer}/keys`), { [customFetch]: ownFetch })
      const { protectedHeader } = await jwtVerify(had(body.id_token), keys, { issuer: stage().issuer })
      expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) })
    })

    it('oidcc-idtoken-unsigned: is not offered', async () => {
      const { body } = await signedIn()
      expect(decodeProtectedHeader(had(body.id_token)).alg).toBe('RS256')
    })

    it('oidcc-userinfo-get, -post-header and -post-body: return the same claims', async () => {
      const { body, claims } = await signedIn()
      const token = had(body.access_token)
      const bearer = { authorization: `Bearer ${token}` }
      const path = `${stage().issuer}/userinfo`
      const answers = await Promise.all([
        stage().ownFetch(path, { headers: bearer }),
        stage().ownFetch(path, { method: 'POST', headers: bearer }),
        stage().form('/userinfo', {}, bearer),
        stage().form('/userinfo', { access_token: token }),
      ])
      for (const answer of answers) expect(await answer.json()).toEqual({ sub: claims.sub })
      expect((await stage().form('/userinfo', { access_token: token }, bearer)).status).toBe(400)
      expect((await stage().form('/userinfo', { access_token: `${token}x` })).status).toBe(401)
      expect((await stage().ownFetch(`${path}?access_token=${token}`, {})).status).toBe(401)
    })

    it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
      expect((await signedIn({ nonce: '' })).claims).not.toHaveProperty('nonce')
    })

    it.each([
      ['oidcc-scope-profile', 'openid profile', { name: 'Ann', preferred_username: 'ann' }],
      ['oidcc-scope-email', 'openid email', { email: 'ann@example.com', email_verified: false }],
      ['oidcc-scope-address: is left out', 'openid address', {}],
      ['oidcc-scope-phone: is left out', 'openid phone', {}],
      [
        'oidcc-scope-all',
        'openid profile email address phone',
        { name: 'Ann', preferred_username: 'ann', email: 'ann@example.com', email_verified: false },
      ],
      ['oidcc-ensure-other-scope-order-succeeds', 'email openid', { email: 'ann@example.com', email_verified: false }],
    ])('%s', async (_, scope, claims) => {
      expect(await userinfo(scope)).toEqual({ sub: await uidOfAnn(), ...claims })
    })

    it('oidcc-prompt-login: takes a new sign-in, and auth_time says when', async () => {
      const begun = await stage().visit(`${stage().issuer}/authorize?${requested({ prompt: 'login' })}`)
      const request = sealedIn(begun.location)
      expect(await stage().decide(request, 'allow')).toMatchObject({ signInAgain: true })
      const again = await signIn(stage().send, await stage().platform.keyOf('ann'))
      const { location } = await stage().decide(request, 'allow', again.headers)
      const { body } = await exchanged(new URL(location).searchParams.get('code'))
      const before = Number((await signedIn()).claims.auth_time)
      expect(Number(decodeJwt(had(body.id_token)).auth_time)).toBeGreaterThanOrEqual(before)
    })

    it('oidcc-prompt-none-not-logged-in: is reported to the application', async () => {
      const { location } = await stage().visit(`${stage().issuer}/authorize?${requested({ prompt: 'none' })}`)
      expect(location).toMatch(/^\/authorize\?prompt=none#/)
      // This is what the page of the console does if no user is signed in; tests/console/authorize.test.ts tests it in
      // a browser.
      const refused = new URLSearchParams({ request: sealedIn(location) })
      const answer = await stage().visit(`${stage().issuer}/not-signed-in?${refused}`)
      const told = Object.fromEntries(new URL(answer.location).searchParams)
      expect(told).toEqual({ error: 'login_required', state: 'state', iss: stage().issuer })
    })

    it('oidcc-prompt-none-logged-in and oidcc-id-token-hint: the same user without a page', async () => {
      const first = await signedIn()
      const hint = { id_token_hint: had(first.body.id_token) }
      for (const more of [{ prompt: 'none' }, { prompt: 'none', ...hint }, hint]) {
        const { claims } = await signedIn(more)
        expect(claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims.auth_time })
      }
    })

    it('oidcc-max-age-1: takes a new sign-in when the last one is older', async () => {
      const { claims } = await signedIn()
      await new Promise((resolve) => setTimeout(resolve, Number(claims.auth_time) * 1000 + 2_100 - Date.now()))
      const { location } = await stage().visit(`${stage().issuer}/authorize?${requested({ max_age: '1' })}`)
      expect(await stage().decide(sealedIn(location), 'allow')).toMatchObject({ signInAgain: true })
    })

    it('oidcc-max-age-10000: takes none, and auth_time stays', async () => {
      const [{ claims: first }, { claims: second }] = [await signedIn(), await signedIn({ max_age: '10000' })]
      expect(second.auth_time).toBe(first.auth_time)
    })

    it.each([
      ['oidcc-display-page', { display: 'page' }],
      ['oidcc-display-popup', { display: 'popup' }],
      ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
      ['oidcc-login-hint', { login_hint: 'ann@example.com' }],
      ['oidcc-ui-locales', { ui_locales: 'se' }],
      ['oidcc-claims-locales', { claims_locales: 'se' }],
      ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
      ['oidcc-claims-essential: is left out', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
    ])('%s', async (_, more) => {
      expect((await signedIn(more)).claims).toMatchObject({ sub: expect.any(String), nonce: 'nonce' })
    })

    it('oidcc-codereuse and oidcc-codereuse-30seconds: a code is good once, and its tokens end with the second use', async () => {
      const { url, verifier } = await stage().begin('grafana')
      const code = had((await stage().allowed(url)).searchParams.get('code'))
      const shown = { code, code_verifier: verifier, redirect_uri: redirectOf('grafana') }
      const { access_token: token } = (await stage().exchange(shown)).body
      const headers = { authorization: `Bearer ${token}` }
      const status = async () => (await stage().ownFetch(`${stage().issuer}/userinfo`, { headers })).status
      expect(await status()).toBe(200)
      expect(await stage().exchange(shown)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await status()).toBe(401)
    })

    it('oidcc-ensure-registered-redirect-uri: users are sent nowhere else', async () => {
      const query = requested({ redirect_uri: 'https://argocd.example/auth/callback/other' })
      expect(await stage().visit(`${stage().issuer}/authorize?${query}`)).toEqual({ status: 400, location: '' })
      query.delete('redirect_uri')
      expect(await stage().visit(`${stage().issuer}/authorize?${query}`)).toEqual({ status: 400, location: '' })
    })

    it('oidcc-ensure-post-request-succeeds: the question may come in a form', async () => {
      const asked = await stage().form('/authorize', Object.fromEntries(requested()))
      const { location } = await stage().decide(sealedIn(had(asked.headers.get('location'))), 'allow')
      expect((await exchanged(new URL(location).searchParams.get('code'))).status).toBe(200)
    })

    it('oidcc-server-client-secret-post: the secret may come in the form', async () => {
      expect((await exchanged((await answerTo()).get('code'), {}, argoCd)).status).toBe(200)
    })

    it.each([
      [
        'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
        'request_uri',
        'https://a.example/r',
      ],
      [
        'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
        'request',
        'eyJhbGciOiJub25lIn0.e30.',
      ],
      ['oidcc-ensure-request-object-with-redirect-uri', 'request', 'eyJhbGciOiJub25lIn0.e30.'],
    ])('%s: is reported', async (_, name, value) => {
      expect(await errorOf(requested({ [name]: value }))).toBe(`${name}_not_supported`)
    })

    it('oidcc-refresh-token: the refreshed ID token is of the same user, issuer and application', async () => {
      const { config, tokens } = await stage().signedIn('grafana')
      const renewed = await oidc.refreshTokenGrant(config, had(tokens.refresh_token))
      const { iss, sub, aud } = tokens.claims() ?? {}
      expect(renewed.claims()).toMatchObject({ iss, sub, aud })
      expect(renewed.claims()).not.toHaveProperty('nonce')
    })

    it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
      const basicAuth = await stage().applicationNamed('grafana', oidc.ClientSecretBasic(applicationSecret))
      const begun = { ...(await stage().begin('grafana')), config: basicAuth }
      const { tokens } = await stage().finish(begun, await stage().allowed(begun.url))
      expect(tokens.claims()).toMatchObject({ aud: 'grafana' })
    })
  })

  describe('Config OP: oidcc-discovery-endpoint-verification', () => {
    const discovered = async () => {
      const answer = await stage().ownFetch(`${stage().issuer}/.well-known/openid-configuration`, {})
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      return (await answer.json()) as Readonly<Record<string, unknown>>
    }

    it('names the issuer to the letter, and endpoints by HTTPS below it', async () => {
      const told = await discovered()
      expect(told.issuer).toBe(stage().issuer)
      const addresses = Object.entries(told).filter(([name]) => name === 'jwks_uri' || name.endsWith('_endpoint'))
      expect(addresses).toHaveLength(7)
      for (const [, address] of addresses) expect(String(address).startsWith(`${stage().issuer}/`)).toBe(true)
    })

    it('says what is supported, in lists, and what is not', async () => {
      expect(await discovered()).toMatchObject({
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'profile', 'email', 'groups', 'offline_access'],
        response_modes_supported: ['query'],
        claims_parameter_supported: false,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
      })
    })

    it('names every claim that an ID token and userinfo have', async () => {
      const { claims_supported: named } = await discovered()
      const { tokens } = await stage().signedIn('grafana')
      for (const claim of Object.keys(tokens.claims() ?? {})) expect(named).toContain(claim)
    })

    it('publishes keys that can be used, without their private parts', async () => {
      const { jwks_uri: address } = await discovered()
      const { keys } = (await (await stage().ownFetch(String(address), {})).json()) as { keys: readonly object[] }
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    })
  })
}
