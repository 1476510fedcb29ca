import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oidc from 'openid-client'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../platform/browser-client.ts'
import { keysPath } from '../../platform/platform.ts'
import { had, ofGrafana, type ProviderStage, redirectOf, sealedIn } from './stage.ts'

export function tokens(stage: () => ProviderStage): void {
  describe('attacks on tokens', () => {
    const refreshed = (refresh_token: string, more = {}) =>
      stage().exchange({ grant_type: 'refresh_token', refresh_token, ...more })

    it('a refresh token that is used twice ends its whole family', async () => {
      const { tokens } = await stage().signedIn('grafana')
      const first = had(tokens.refresh_token)
      const second = had((await refreshed(first)).body.refresh_token)
      const third = had((await refreshed(second)).body.refresh_token)
      expect((await refreshed(first)).status).toBe(400)
      expect((await refreshed(third)).status).toBe(400)
    })

    it('of two concurrent uses of a refresh token, neither client keeps the new tokens', async () => {
      const { tokens } = await stage().signedIn('grafana')
      const both = await Promise.all([refreshed(had(tokens.refresh_token)), refreshed(had(tokens.refresh_token))])
      const given = both.flatMap(({ body }) => (body.refresh_token === undefined ? [] : [body.refresh_token]))
      expect(given).toHaveLength(1)
      for (const token of given) expect((await refreshed(token)).status).toBe(400)
    })

    it('an application that signs a user in again and again ends none of those of another application', async () => {
      const other = await stage().signedIn('argo-cd')
      const { url, verifier } = await stage().begin('grafana')
      const sealed = sealedIn((await stage().visit(url)).location)
      const shown = { code_verifier: verifier, redirect_uri: redirectOf('grafana') }
      const given: string[] = []
      for (let count = 0; count < 101; count += 1) {
        const { location } = await stage().decide(sealed, 'allow')
        const { body } = await stage().exchange({ ...shown, code: had(new URL(location).searchParams.get('code')) })
        given.push(had(body.refresh_token))
      }
      expect((await refreshed(had(given[0]))).status).toBe(400)
      expect((await refreshed(had(given.at(-1)))).status).toBe(200)
      expect((await oidc.refreshTokenGrant(other.config, had(other.tokens.refresh_token))).access_token).not.toBe('')
    })

    it('a refresh token used by another client is refused, and ends', async () => {
      const { tokens } = await stage().signedIn('grafana')
      const token = had(tokens.refresh_token)
      expect((await refreshed(token, { client_id: 'board' })).status).toBe(400)
      expect((await refreshed(token)).status).toBe(400)
    })

    it('a refresh token ends with the key of the sign-in, and survives a request with a wider scope', async () => {
      const session = await signIn(stage().send, await stage().platform.keyOf('ann'))
      const { url, verifier } = await stage().begin('grafana', { scope: 'openid offline_access' })
      const code = had((await stage().allowed(url, session.headers)).searchParams.get('code'))
      const { body } = await stage().exchange({ code, code_verifier: verifier, redirect_uri: redirectOf('grafana') })
      const wider = await refreshed(had(body.refresh_token), { scope: 'openid email' })
      expect(wider.body.error).toBe('invalid_scope')
      const given = await refreshed(had(body.refresh_token))
      expect(given).toMatchObject({ status: 200, body: { scope: 'openid offline_access' } })
      const { status } = await stage().platform.must('GET', `${keysPath}/${session.keyName}`)
      await stage().platform.must('DELETE', `${keysPath}/${status.session.startedWith}`)
      expect((await refreshed(had(given.body.refresh_token))).status).toBe(400)
    })

    it('another algorithm, key or type of token is not accepted as an access token', async () => {
      const { tokens } = await stage().signedIn('grafana')
      const userinfo = async (token: string) =>
        (await stage().ownFetch(`${stage().issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status
      expect(await userinfo(tokens.access_token)).toBe(200)
      expect(await userinfo(had(tokens.id_token))).toBe(401)
      const [header = '', payload = '', signature = ''] = tokens.access_token.split('.')
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
      const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
      expect(await userinfo(`${none}.${payload}.`)).toBe(401)
      expect(await userinfo(`${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`)).toBe(401)
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const keys = (await (await stage().ownFetch(`${stage().issuer}/keys`, {})).json()) as { keys: readonly object[] }
      const asSecret = new TextEncoder().encode(JSON.stringify(keys.keys[0]))
      const byHmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(asSecret)
      expect(await userinfo(byHmac)).toBe(401)
      const { privateKey, publicKey } = await generateKeyPair('RS256')
      const own = { alg: 'RS256', typ: 'at+jwt', kid, jwk: await exportJWK(publicKey) }
      expect(await userinfo(await new SignJWT(claims).setProtectedHeader(own).sign(privateKey))).toBe(401)
    })

    it('only public parts of keys are published', async () => {
      const keys = (await (await stage().ownFetch(`${stage().issuer}/keys`, {})).json()) as { keys: readonly object[] }
      expect(keys.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']])
    })

    it('an application can introspect and revoke only its own tokens', async () => {
      const { config, tokens } = await stage().signedIn('grafana')
      const [access, refresh] = [tokens.access_token, had(tokens.refresh_token)]
      expect(await oidc.tokenIntrospection(config, access)).toMatchObject({ active: true, client_id: 'grafana' })
      expect(await oidc.tokenIntrospection(config, refresh)).toMatchObject({ active: true, username: 'ann' })
      const others = await stage().applicationNamed('argo-cd')
      for (const token of [access, refresh]) {
        expect(await oidc.tokenIntrospection(others, token)).toEqual({ active: false })
        await oidc.tokenRevocation(others, token)
      }
      expect(await oidc.tokenIntrospection(config, refresh)).toMatchObject({ active: true })
      await oidc.tokenRevocation(config, refresh)
      expect(await oidc.tokenIntrospection(config, refresh)).toEqual({ active: false })
      expect(await oidc.tokenIntrospection(config, access)).toEqual({ active: false })
      const asked = await stage().form('/introspect', { client_id: 'argo-cd-cli', token: access })
      expect(asked.status).toBe(401)
    })

    it('tokens are neither confirmed nor reported as revoked by a replica without the store', async () => {
      const { config, tokens } = await stage().signedIn('grafana')
      const token = had(tokens.refresh_token)
      const bearer = { authorization: `Bearer ${tokens.access_token}` }
      const asked = () =>
        Promise.all([
          stage().form('/introspect', { ...ofGrafana, token }),
          stage().form('/introspect', { ...ofGrafana, token: tokens.access_token }),
          stage().form('/revoke', { ...ofGrafana, token }),
          stage().form('/userinfo', {}, bearer),
          stage().ownFetch(
            `${stage().issuer}/end-session?${new URLSearchParams({ id_token_hint: had(tokens.id_token) })}`,
            {},
          ),
        ])
      stage().backing.isCutOff = true
      const statuses = (
        await asked().finally(() => {
          stage().backing.isCutOff = false
        })
      ).map(({ status }) => status)
      expect(statuses).toEqual([503, 503, 503, 503, 503])
      expect(await oidc.tokenIntrospection(config, token)).toMatchObject({ active: true })
    })

    it('tokens of a sign-in end together: by a revocation, a sign-out, or a reuse', async () => {
      const ends: readonly ((given: Awaited<ReturnType<ProviderStage['signedIn']>>) => Promise<unknown>)[] = [
        ({ config, tokens }) => oidc.tokenRevocation(config, tokens.access_token),
        ({ config, tokens }) => oidc.tokenRevocation(config, had(tokens.refresh_token)),
        ({ tokens }) => {
          const query = new URLSearchParams({ id_token_hint: had(tokens.id_token) })
          return stage().visit(`${stage().issuer}/end-session?${query}`)
        },
        async ({ tokens }) => {
          await refreshed(had(tokens.refresh_token))
          await refreshed(had(tokens.refresh_token))
        },
      ]
      for (const end of ends) {
        const given = await stage().signedIn('grafana')
        const headers = { authorization: `Bearer ${given.tokens.access_token}` }
        const userinfo = async () => (await stage().ownFetch(`${stage().issuer}/userinfo`, { headers })).status
        expect(await userinfo()).toBe(200)
        await end(given)
        expect(await userinfo()).toBe(401)
        expect((await refreshed(had(given.tokens.refresh_token))).status).toBe(400)
      }
    })
  })
}
