import * as oidc from 'openid-client'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../platform/browser-client.ts'
import { keysPath, management } from '../../platform/platform.ts'
import { applicationSecret, applications, had, mergePatch, ofGrafana, type ProviderStage, redirectOf } from './stage.ts'

export function codes(stage: () => ProviderStage): void {
  describe('attacks on codes', () => {
    const fresh = async () => {
      const { url, verifier } = await stage().begin('grafana')
      const code = had((await stage().allowed(url)).searchParams.get('code'))
      return { code, code_verifier: verifier, redirect_uri: redirectOf('grafana') }
    }

    it('a code is valid once, and replaying it ends its tokens', async () => {
      const shown = await fresh()
      const first = await stage().exchange(shown)
      expect(first.status).toBe(200)
      expect(await stage().exchange(shown)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      const refresh = { grant_type: 'refresh_token', refresh_token: had(first.body.refresh_token) }
      expect(await stage().exchange(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    })

    it('a code that is shown again while it is exchanged gives nothing that stays', async () => {
      const held = async () => {
        const path = `${keysPath}?fieldSelector=spec.type=OIDCRefreshToken`
        return (await stage().platform.must('GET', path)).items.length
      }
      const before = await held()
      const shown = await fresh()
      let again: number | undefined
      stage().backing.beforeCreate = async (key) => {
        if (again !== undefined || !/\/oidc-[0-9a-f]{20}$/.test(key)) return
        again = 0
        again = (await stage().exchange(shown)).status
      }
      const first = await stage().exchange(shown)
      stage().backing.beforeCreate = undefined
      expect([first.status, again]).toEqual([400, 400])
      expect(await held()).toBe(before)
    })

    it('a code is refused under the name of another family, whose end would not end its tokens', async () => {
      const shown = await fresh()
      const code = shown.code.replace(/^[^.]+/, 'A'.repeat(22))
      expect((await stage().exchange({ ...shown, code })).status).toBe(400)
      expect((await stage().exchange(shown)).status).toBe(400)
    })

    it.each<readonly [string, Readonly<Record<string, string>>]>([
      ['another verifier', { code_verifier: 'w'.repeat(43) }],
      ['no verifier', { code_verifier: '' }],
      ['another address', { redirect_uri: 'https://grafana.example/' }],
      ['another client', { client_id: 'board' }],
      ['a client that is public', { client_id: 'argo-cd-cli', client_secret: '' }],
    ])('a code with %s is refused, and used up', async (_, changed) => {
      const shown = await fresh()
      const { status, body } = await stage().exchange({ ...shown, ...changed })
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
      expect((await stage().exchange(shown)).status).toBe(400)
    })

    it('PKCE cannot be omitted at the exchange, nor be added to a code without it', async () => {
      const { code_verifier: _, ...without } = await fresh()
      expect((await stage().exchange(without)).status).toBe(400)
      const config = await stage().applicationNamed('argo-cd')
      const uri = redirectOf('argo-cd')
      const url = oidc.buildAuthorizationUrl(config, { redirect_uri: uri, scope: 'openid', state: 's' })
      const code = had((await stage().allowed(url)).searchParams.get('code'))
      const asked = { client_id: 'argo-cd', code, redirect_uri: uri, code_verifier: 'v'.repeat(43) }
      expect((await stage().exchange(asked)).status).toBe(400)
    })

    it.each<readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
      ['another secret', { client_secret: 'wrong' }, {}],
      ['no secret', { client_secret: '' }, {}],
      ['a client that is not known', { client_id: 'none' }, {}],
      [
        'two ways at once',
        {},
        { authorization: `Basic ${Buffer.from(`grafana:${applicationSecret}`).toString('base64')}` },
      ],
    ])('a client with %s gets nothing', async (_, changed, headers) => {
      const shown = await fresh()
      const answer = await stage().form(
        '/token',
        { grant_type: 'authorization_code', ...ofGrafana, ...shown, ...changed },
        headers,
      )
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Basic')
      expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
    })

    it('a user who was locked meanwhile gets no tokens', async () => {
      const bob = await signIn(stage().send, await stage().platform.keyOf('bob'))
      const { url, verifier } = await stage().begin('grafana')
      const code = had((await stage().allowed(url, bob.headers)).searchParams.get('code'))
      const lock = (disabled: boolean) =>
        stage().platform.ask('PATCH', `${management}/users/bob`, { body: { spec: { disabled } }, type: mergePatch })
      await lock(true)
      expect(
        (await stage().exchange({ code, code_verifier: verifier, redirect_uri: redirectOf('grafana') })).status,
      ).toBe(400)
      await lock(false)
    })
  })

  describe('attacks after a change', () => {
    it('a code is refused when the session has ended, or the user has left the teams of the application', async () => {
      const session = await signIn(stage().send, await stage().platform.keyOf('ann'))
      const { url, verifier } = await stage().begin('grafana')
      const code = async () => had((await stage().allowed(url, session.headers)).searchParams.get('code'))
      const [first, second, third, fourth] = [await code(), await code(), await code(), await code()]
      const shown = { code_verifier: verifier, redirect_uri: redirectOf('grafana') }
      expect((await stage().exchange({ ...shown, code: first })).status).toBe(200)
      const limit = (allowedTeams: readonly string[] | null) =>
        stage().platform.ask('PATCH', `${management}/oidcclients/grafana`, {
          body: { spec: { allowedTeams } },
          type: mergePatch,
        })
      await limit(['crew'])
      expect((await stage().exchange({ ...shown, code: second })).status).toBe(400)
      await limit(null)
      await stage().platform.must('DELETE', `${keysPath}/${session.keyName}`)
      expect((await stage().exchange({ ...shown, code: third })).status).toBe(400)
      const another = { metadata: { name: session.keyName }, spec: { displayName: 'Another', user: 'ann' } }
      await stage().platform.must('POST', keysPath, another)
      expect((await stage().exchange({ ...shown, code: fourth })).status).toBe(400)
    })

    it('an application with the name of another gets none of its tokens', async () => {
      const { tokens } = await stage().signedIn('grafana')
      await stage().platform.must('DELETE', `${management}/oidcclients/grafana`)
      const anew = { metadata: { name: 'grafana' }, spec: applications.grafana }
      await stage().platform.must('POST', `${management}/oidcclients`, anew)
      const refresh = { grant_type: 'refresh_token', refresh_token: had(tokens.refresh_token) }
      expect(await stage().exchange(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    })

    it('a Secret of blanks authenticates no application', async () => {
      const blank = { metadata: { name: 'blank' }, stringData: { clientSecret: ' \n' } }
      await stage().platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', blank)
      const spec = { clientSecretRef: { name: 'blank' }, redirectUris: ['https://blank.example/'] }
      await stage().platform.must('POST', `${management}/oidcclients`, { metadata: { name: 'blank' }, spec })
      const authorization = `Basic ${Buffer.from('blank:').toString('base64')}`
      expect((await stage().form('/introspect', { token: 'x' }, { authorization })).status).toBe(401)
    })
  })
}
