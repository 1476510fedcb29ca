import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { effectiveConfig } from '../../../src/api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../src/api/tenant-config/types.ts'
import { silentLog } from '../../../src/base/log.ts'
import { limitOfMachine } from '../../../src/cluster/virtual-cluster/content-limit.ts'
import { startControlPlane } from '../../../src/cluster/virtual-cluster/control-plane.ts'
import { clientOf, keysPath, management } from '../../platform/platform.ts'
import { had, mergePatch, type ProviderStage, redirectOf } from './stage.ts'

interface Kept {
  readonly spec: { readonly type: string; readonly oidcProvider?: { readonly nonce: string } }
}

export function signingIn(stage: () => ProviderStage): void {
  describe('applications sign users in', () => {
    it('Argo CD, configured as in its manual', async () => {
      const config = await stage().applicationNamed('argo-cd')
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
      const scope = 'openid profile email groups'
      const url = oidc.buildAuthorizationUrl(config, { redirect_uri: redirectOf('argo-cd'), scope, state, nonce })
      const checks = { expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await oidc.authorizationCodeGrant(config, await stage().allowed(url), checks)
      expect(tokens.claims()).toMatchObject({
        iss: stage().issuer,
        aud: 'argo-cd',
        name: 'Ann',
        preferred_username: 'ann',
        email: 'ann@example.com',
        groups: ['ops'],
      })
      expect(tokens.refresh_token).toBeUndefined()
    })

    it('the CLI of Argo CD, a public client with PKCE on a localhost port', async () => {
      const { tokens } = await stage().signedIn('argo-cd-cli')
      expect(tokens.claims()).toMatchObject({ aud: 'argo-cd-cli', groups: ['ops'] })
      expect(tokens.claims()).not.toHaveProperty('email')
      expect(tokens.scope).toBe('openid profile groups')
    })

    it('Grafana, configured as in its manual: userinfo, groups, refresh tokens', async () => {
      const { config, tokens } = await stage().signedIn('grafana')
      const { sub = '' } = tokens.claims() ?? {}
      expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
        sub,
        name: 'Ann',
        email: 'ann@example.com',
        email_verified: false,
        groups: ['ops'],
      })
      const renewed = await oidc.refreshTokenGrant(config, had(tokens.refresh_token))
      expect(renewed.claims()).toMatchObject({ sub, aud: 'grafana' })
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    })

    it('and refresh tokens are access keys without other rights', async () => {
      const { tokens, nonce } = await stage().signedIn('grafana')
      const items: readonly Kept[] = (await stage().platform.must('GET', keysPath)).items
      const kept = items.find(({ spec }) => spec.type === 'OIDCRefreshToken' && spec.oidcProvider?.nonce === nonce)
      expect(kept?.spec).toMatchObject({
        user: 'ann',
        parent: stage().ann.keyName,
        oidcProvider: {
          clientId: 'grafana',
          nonce,
          redirectUri: redirectOf('grafana'),
          scopes: 'openid profile email groups offline_access',
        },
      })
      const token = had(tokens.refresh_token)
      for (const bearer of [token, tokens.access_token, had(tokens.id_token)]) {
        expect((await stage().platform.ask('GET', `${management}/projects`, { token: bearer })).status).toBe(401)
      }
      expect(
        (await stage().send('GET', '/apis', { cookie: had(stage().ann.headers.cookie), 'tenant-session': token }))
          .status,
      ).toBe(401)
      expect(JSON.stringify(kept)).not.toContain(token)
    })
  })

  it('a refresh token survives a rename and a temporary disabling by the user', async () => {
    const { config, tokens } = await stage().signedIn('grafana')
    const items: readonly { readonly metadata: { readonly name: string }; readonly spec: { readonly type: string } }[] =
      (await stage().platform.must('GET', keysPath)).items
    const kept = items.filter(({ spec }) => spec.type === 'OIDCRefreshToken').map(({ metadata }) => metadata.name)
    for (const name of kept) {
      for (const spec of [{ displayName: 'Dashboards' }, { disabled: true }, { disabled: false }]) {
        const { status } = await stage().platform.ask('PATCH', `${keysPath}/${name}`, {
          body: { spec },
          type: mergePatch,
        })
        expect(status).toBe(200)
      }
    }
    const renewed = await oidc.refreshTokenGrant(config, had(tokens.refresh_token))
    expect(renewed.claims()).toMatchObject({ aud: 'grafana' })
  })

  describe('a virtual cluster accepts ID tokens', () => {
    it('of its issuer and client, and binds roles to users and teams by name', async () => {
      const { client } = await startVirtualCluster({
        issuer: stage().issuer,
        clientId: 'argo-cd-cli',
        caBundle: stage().platform.server.authority,
      })
      const status = async (token = '') => (await client.ask('GET', '/api/v1/namespaces', { token })).status
      const { tokens } = await stage().signedIn('argo-cd-cli')
      expect(await status(tokens.id_token)).toBe(403)
      const rbac = '/apis/rbac.authorization.k8s.io/v1'
      const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }]
      await client.ask('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'ops' }, rules } })
      await client.ask('POST', `${rbac}/clusterrolebindings`, {
        body: {
          metadata: { name: 'ops' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ops' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'oidc:ops' }],
        },
      })
      expect(await status(tokens.id_token)).toBe(200)
      const { tokens: others } = await stage().signedIn('grafana')
      const [head, body] = had(tokens.id_token).split('.')
      for (const token of [tokens.access_token, others.id_token, `${head}.${body}.AAAA`, had(others.refresh_token)]) {
        expect(await status(token)).toBe(401)
      }
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: tokens.id_token } }
      const reviewed = await client.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: review })
      expect(reviewed.body.status.user).toMatchObject({
        username: 'oidc:ann',
        groups: ['oidc:ops', 'system:authenticated'],
      })
    })
  })
}

/** The API of a virtual cluster whose tenant.yaml names an issuer of ID tokens. */
async function startVirtualCluster(oidc: NonNullable<NonNullable<TenantConfig['controlPlane']>['oidc']>) {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-virtual-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { controlPlane } = effectiveConfig({ controlPlane: { oidc } })
  const { url, kubeconfigAt, stop } = await startControlPlane({
    identity: { tenant: 'demo', hostNamespace: 'tenant-demo' },
    directory: join(directory, 'data'),
    host: '127.0.0.1',
    port: 0,
    contentLimit: limitOfMachine({ objects: 10_000, bytes: 100_000_000 }),
    config: () => effectiveConfig({}),
    clusterDomain: 'cluster.local',
    server: {},
    oidc: controlPlane.oidc,
    addressOfCopy: () => undefined,
    log: silentLog,
  })
  onTestFinished(stop)
  const { clusters, users } = parse(kubeconfigAt(url))
  const authority = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString()
  const client = clientOf(url, authority, users[0].user.token)
  onTestFinished(() => client.close())
  return { client }
}
