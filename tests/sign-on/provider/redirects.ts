import { describe, expect, it } from 'vitest'
import { had, type ProviderStage, redirectOf } from './stage.ts'

export function redirects(stage: () => ProviderStage): void {
  describe('attacks on redirects', () => {
    it.each([
      'https://grafana.example/login/generic_oauth/',
      'https://grafana.example/login/generic_oauth?x=1',
      'https://grafana.example/login/../login/generic_oauth',
      'https://grafana.example.evil.example/login/generic_oauth',
      'https://grafana.example@evil.example/login/generic_oauth',
      'https://GRAFANA.example/login/generic_oauth',
      'http://grafana.example/login/generic_oauth',
      '//grafana.example/login/generic_oauth',
      'javascript:alert(1)',
      '',
    ])('%s is not where Grafana sends users', async (redirectUri) => {
      const { url } = await stage().begin('grafana')
      url.searchParams.set('redirect_uri', redirectUri)
      expect(await stage().visit(url)).toEqual({ status: 400, location: '' })
    })

    it.each([
      'http://localhost:8086/auth/callback',
      'http://127.0.0.1:8085/auth/callback',
      'http://localhost.evil.example:8085/auth/callback',
    ])('%s is not accepted as localhost', async (redirectUri) => {
      const { url } = await stage().begin('argo-cd-cli')
      url.searchParams.set('redirect_uri', redirectUri)
      expect((await stage().visit(url)).status).toBe(400)
    })

    it('a duplicate address, or an unknown client, is not redirected', async () => {
      const { url } = await stage().begin('grafana')
      for (const again of [
        'redirect_uri=https%3A%2F%2Fevil.example',
        'prompt=none&prompt=login',
        'max_age=1&max_age=2',
      ]) {
        expect((await stage().visit(`${url}&${again}`)).status).toBe(400)
      }
      expect((await stage().visit(String(url).replace('client_id=grafana', 'client_id=none'))).status).toBe(400)
    })

    it.each([
      ['response_type', 'token', 'unsupported_response_type'],
      ['response_mode', 'fragment', 'invalid_request'],
      ['scope', 'profile', 'invalid_scope'],
      ['prompt', 'none login', 'invalid_request'],
      ['request', 'x', 'request_not_supported'],
      ['code_challenge_method', 'plain', 'invalid_request'],
      ['code_challenge', '', 'invalid_request'],
      ['max_age', '-1', 'invalid_request'],
    ])('%s=%s is reported to the application as %s', async (name, value, error) => {
      const { url, state } = await stage().begin('grafana')
      url.searchParams.set(name, value)
      const { location } = await stage().visit(url)
      const answer = Object.fromEntries(new URL(location).searchParams)
      expect(location.startsWith(`${redirectOf('grafana')}?`)).toBe(true)
      expect(answer).toMatchObject({ error, state, iss: stage().issuer })
    })

    it('after a sign-out, users are redirected only to addresses of the application of their ID token', async () => {
      const { tokens } = await stage().signedIn('argo-cd')
      const idToken = had(tokens.id_token)
      const end = (query: Readonly<Record<string, string>>) =>
        stage()
          .visit(`${stage().issuer}/end-session?${new URLSearchParams(query)}`)
          .then(({ location }) => location)
      const uri = 'https://argocd.example/'
      const hint = { id_token_hint: idToken }
      expect(await end({ ...hint, post_logout_redirect_uri: uri, state: 's' })).toBe(`${uri}?state=s`)
      expect(await end({ ...hint, post_logout_redirect_uri: 'https://evil.example/' })).toBe('/')
      expect(await end({ post_logout_redirect_uri: uri })).toBe('/')
      expect(await end({ id_token_hint: `${idToken.slice(0, -8)}AAAAAAAA`, post_logout_redirect_uri: uri })).toBe('/')
      expect(await end({ id_token_hint: tokens.access_token, post_logout_redirect_uri: uri })).toBe('/')
      const { tokens: others } = await stage().signedIn('grafana')
      expect(await end({ id_token_hint: had(others.id_token), post_logout_redirect_uri: uri })).toBe('/')
      expect((await stage().send('GET', '/apis', stage().ann.headers)).status).toBe(200)
    })
  })
}
