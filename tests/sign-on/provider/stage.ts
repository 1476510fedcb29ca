import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { type Agent, type RequestInit, fetch as undiciFetch } from 'undici'
import { systemClock } from '../../../src/base/clock.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { overHttp1, type Send, type SignedIn, signIn } from '../../platform/browser-client.ts'
import { group, management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { broughtValue } from '../../support/canary/brought-value.ts'
import { freePort } from '../../support/network/free-port.ts'
import { patientAgent } from '../../support/network/patient-agent.ts'
import { type CutOffStore, cutOffStore } from '../support/cut-off-store.ts'

export const applicationSecret = broughtValue('client-secret-of-an-application')
export const mergePatch = 'application/merge-patch+json'
export const ofGrafana = { client_id: 'grafana', client_secret: applicationSecret }

type Fields = Readonly<Record<string, string>>

/** Fewer than a network may send at once. */
const requestsPerNetwork = 50

/** Applications, configured as in their manuals. */
export const applications = {
  'argo-cd': {
    displayName: 'Argo CD',
    consent: 'none',
    clientSecretRef: { name: 'argo-cd' },
    allowWithoutPkce: true,
    redirectUris: ['https://argocd.example/auth/callback'],
    postLogoutRedirectUris: ['https://argocd.example/'],
  },
  'argo-cd-cli': { redirectUris: ['http://localhost:8085/auth/callback'], scopes: ['profile', 'groups'] },
  grafana: {
    displayName: 'Grafana',
    clientSecretRef: { name: 'grafana' },
    redirectUris: ['https://grafana.example/login/generic_oauth'],
  },
  board: {
    clientSecretRef: { name: 'grafana' },
    redirectUris: ['https://board.example/callback'],
    allowedTeams: ['crew'],
  },
} as const
export type Application = keyof typeof applications
export const redirectOf = (id: Application): string => applications[id].redirectUris[0]

/** Ensures that an attack has a value: without one it would be refused for that reason. */
export function had(value: string | null | undefined): string {
  if (value === undefined || value === null || value === '') throw new Error('there is nothing to attack with')
  return value
}

/** A sign-in that an application has begun. */
export interface Begun {
  readonly config: oidc.Configuration
  readonly verifier: string
  readonly state: string
  readonly nonce: string
  readonly url: URL
}

/** The answer to a browser. */
export interface Visited {
  readonly status: number
  readonly location: string
}

export const sealedIn = (location: string): string => location.replace(/^\/authorize(\?prompt=none)?#/, '')

/** A platform with applications that its users sign in to. */
export class ProviderStage {
  readonly issuer: string
  readonly platform: TestPlatform
  /** The store of the platform. */
  readonly backing: CutOffStore
  readonly send: Send
  /** A user in a browser, who is in the team `ops`. */
  readonly ann: SignedIn
  readonly #agent: Agent
  readonly #directory: string
  #requests = 0

  private constructor(issuer: string, platform: TestPlatform, backing: CutOffStore, directory: string, ann: SignedIn) {
    this.issuer = issuer
    this.platform = platform
    this.backing = backing
    this.send = overHttp1(() => platform.server)
    this.ann = ann
    this.#agent = patientAgent({ ca: platform.server.authority })
    this.#directory = directory
  }

  static async open(): Promise<ProviderStage> {
    const port = await freePort()
    const issuer = `https://127.0.0.1:${port}/oidc`
    const settings = { domain: 'platform.internal', oidcIssuer: issuer }
    const directory = await mkdtemp(join(tmpdir(), 'tenant-provider-'))
    const backing = cutOffStore(await openLmdbStore({ directory: join(directory, 'store') }))
    const { store } = backing
    const proxies = { networks: ['127.0.0.1/32'], header: 'x-forwarded-for' } as const
    const platform = await startPlatform({
      clock: systemClock,
      port,
      platform: settings,
      store,
      directory,
      server: { proxies },
    })
    await prepare(platform)
    const ann = await signIn(
      overHttp1(() => platform.server),
      await platform.keyOf('ann'),
    )
    return new ProviderStage(issuer, platform, backing, directory, ann)
  }

  async stop(): Promise<void> {
    await this.#agent.close()
    await this.platform.stop()
    await this.backing.store.close()
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** A network may send only so many requests: the stage moves to another one before that. */
  ownFetch(url: string, init: Omit<RequestInit, 'headers'> & { readonly headers?: Fields }) {
    this.#requests += 1
    const network = Math.floor(this.#requests / requestsPerNetwork)
    const headers = { ...init.headers, 'x-forwarded-for': `198.18.${network % 256}.1` }
    return undiciFetch(url, { ...init, headers, dispatcher: this.#agent, redirect: 'manual' })
  }

  applicationNamed(id: Application, by?: oidc.ClientAuth): Promise<oidc.Configuration> {
    const isPublic = id === 'argo-cd-cli'
    const ownFetch = this.ownFetch.bind(this) as unknown as oidc.CustomFetch
    const secret = isPublic ? undefined : applicationSecret
    return oidc.discovery(new URL(this.issuer), id, secret, by ?? (isPublic ? oidc.None() : undefined), {
      [oidc.customFetch]: ownFetch,
    })
  }

  async begin(id: Application, more: Fields = {}): Promise<Begun> {
    const config = await this.applicationNamed(id)
    const verifier = oidc.randomPKCECodeVerifier()
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectOf(id),
      scope: 'openid profile email groups offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    })
    return { config, verifier, state, nonce, url }
  }

  /** The answer that the browser gets at the address of the provider. */
  async visit(url: URL | string, headers: Fields = {}): Promise<Visited> {
    const answer = await this.ownFetch(String(url), { headers: { accept: 'text/html', ...headers } })
    await answer.text()
    return { status: answer.status, location: answer.headers.get('location') ?? '' }
  }

  /** The request of the page of the console. */
  async decide(request: string, decision = '', headers: Fields = this.ann.headers) {
    const body = { apiVersion: `${group}/v1`, kind: 'ClientAuthorization', spec: { request, decision } }
    const origin = { origin: this.platform.server.url, 'sec-fetch-site': 'same-origin' }
    const path = `${management}/clientauthorizations`
    const { status, text } = await this.send('POST', path, { ...origin, ...headers }, body)
    return { code: status, ...(JSON.parse(text).status ?? {}), message: JSON.parse(text).message }
  }

  async allowed(url: URL | string, headers?: Fields): Promise<URL> {
    const { location } = await this.visit(url)
    return new URL((await this.decide(sealedIn(location), 'allow', headers)).location)
  }

  async signedIn(id: Application, more: Fields = {}) {
    const begun = await this.begin(id, more)
    return this.finish(begun, await this.allowed(begun.url))
  }

  /** The application receives the answer, and checks it with the library. */
  async finish({ config, verifier, state, nonce }: Begun, answer: URL) {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    return { config, tokens: await oidc.authorizationCodeGrant(config, answer, checks), nonce }
  }

  form(path: string, fields: Fields, headers: Fields = {}) {
    return this.ownFetch(`${this.issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  }

  async exchange(fields: Fields) {
    const answer = await this.form('/token', { grant_type: 'authorization_code', ...ofGrafana, ...fields })
    return { status: answer.status, body: (await answer.json()) as Fields }
  }
}

async function prepare(platform: TestPlatform): Promise<void> {
  await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'tenant-platform' } })
  for (const name of ['argo-cd', 'grafana']) {
    await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
      metadata: { name },
      stringData: { clientSecret: applicationSecret },
    })
  }
  for (const [name, spec] of Object.entries(applications)) {
    await platform.must('POST', `${management}/oidcclients`, { metadata: { name }, spec })
  }
  await platform.must('POST', `${management}/users`, userNamed('ann', { displayName: 'Ann', email: 'ann@example.com' }))
  await platform.must('POST', `${management}/users`, userNamed('bob'))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'ops' }, spec: { users: ['ann'] } })
}
