import { hash } from 'node:crypto'
import { type Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overHttp1, type SignedIn, signIn } from '../platform/browser-client.ts'
import { group, management, userNamed } from '../platform/platform.ts'
import { type Replica, type Replicas, startReplicas } from '../support/clusters/replicas.ts'
import { eventually } from '../support/eventually.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { missingEtcd } from '../support/stores/etcd.ts'

const missing = missingEtcd()
const issuer = 'https://platform.example/oidc'
const callback = 'https://app.example/callback'
const verifier = 'v'.repeat(43)

/** Behind a load balancer, each step of a sign-in may reach another replica. */
describe.skipIf(missing !== undefined)('two replicas are one identity provider', () => {
  let replicas: Replicas
  let [one, other]: Replica[] = []
  let ann: SignedIn
  const agents = new Map<Replica | undefined, Agent>()

  beforeAll(async () => {
    replicas = await startReplicas()
    const platform = { domain: 'platform.internal', oidcIssuer: issuer }
    one = await replicas.start({ platform })
    other = await replicas.start({ platform })
    for (const each of [one, other]) agents.set(each, patientAgent({ ca: each.server.authority }))
    await one.must('POST', `${management}/users`, userNamed('ann'))
    await one.must('POST', `${management}/oidcclients`, {
      metadata: { name: 'app' },
      spec: { redirectUris: [callback] },
    })
    await eventually(async () => expect((await other?.ask('GET', `${management}/oidcclients/app`))?.status).toBe(200))
    ann = await signIn(
      overHttp1(() => served(one)),
      await one.keyOf('ann'),
    )
    await eventually(async () => {
      const origin = { origin: served(other).url, 'sec-fetch-site': 'same-origin' }
      const self = { apiVersion: `${group}/v1`, kind: 'Self' }
      const send = overHttp1(() => served(other))
      expect((await send('POST', `${management}/selves`, { ...origin, ...ann.headers }, self)).status).toBe(201)
    })
  }, 240_000)
  afterAll(async () => {
    for (const agent of agents.values()) await agent.close()
    await replicas?.remove()
  })

  const served = (replica: Replica | undefined) => {
    if (replica === undefined) throw new Error('the replica was not started')
    return replica.server
  }

  async function asked(replica: Replica | undefined, path: string, init: object = {}) {
    const dispatcher = agents.get(replica)
    if (dispatcher === undefined) throw new Error('the replica was not started')
    return fetch(served(replica).url + path, { redirect: 'manual', dispatcher, ...init })
  }

  async function form(replica: Replica | undefined, path: string, fields: Readonly<Record<string, string>>) {
    const body = new URLSearchParams({ client_id: 'app', ...fields }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await asked(replica, `/oidc${path}`, { method: 'POST', headers, body })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> }
  }

  /** One replica checks the request, and the other answers it and creates the code. */
  async function codeMadeAt(replica: Replica | undefined, askedAt: Replica | undefined): Promise<string> {
    const query = new URLSearchParams({
      client_id: 'app',
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid profile offline_access',
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
    })
    const { headers } = await asked(askedAt, `/oidc/authorize?${query}`)
    const request = (headers.get('location') ?? '').replace(/^\/authorize#/, '')
    const send = overHttp1(() => served(replica))
    const origin = { origin: served(replica).url, 'sec-fetch-site': 'same-origin' }
    const { status, text } = await send(
      'POST',
      `${management}/clientauthorizations`,
      { ...origin, ...ann.headers },
      { apiVersion: `${group}/v1`, kind: 'ClientAuthorization', spec: { request, decision: 'allow' } },
    )
    expect(status, text).toBe(201)
    return new URL(JSON.parse(text).status.location).searchParams.get('code') ?? ''
  }

  const exchange = (replica: Replica | undefined, code: string) =>
    form(replica, '/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    })
  const refresh = (replica: Replica | undefined, token: string | undefined) =>
    form(replica, '/token', { grant_type: 'refresh_token', refresh_token: token ?? '' })

  it('a code of one is exchanged at the other, and its tokens are valid at both', async () => {
    const { status, body } = await exchange(other, await codeMadeAt(one, other))
    expect(status, JSON.stringify(body)).toBe(200)
    for (const replica of [one, other]) {
      const headers = { authorization: `Bearer ${body.access_token}` }
      const answer = await asked(replica, '/oidc/userinfo', { headers })
      expect(await answer.json()).toMatchObject({ preferred_username: 'ann' })
    }
  })

  it('both publish one set of keys', async () => {
    const [first, second] = await Promise.all(
      [one, other].map(async (each) => (await asked(each, '/oidc/keys')).json()),
    )
    expect(first).toEqual(second)
  })

  it('a code is valid once at either of them, and of two concurrent exchanges none keeps tokens', async () => {
    for (let count = 0; count < 10; count += 1) {
      const code = await codeMadeAt(other, one)
      const both = await Promise.all([exchange(one, code), exchange(other, code)])
      expect(both.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(1)
      for (const { body } of both) expect((await refresh(one, body.refresh_token)).status).toBe(400)
    }
    const used = await codeMadeAt(one, one)
    const { body } = await exchange(one, used)
    expect((await exchange(other, used)).status).toBe(400)
    expect((await refresh(one, body.refresh_token)).status).toBe(400)
  })

  it('a refresh token of one is used at the other, and a reuse anywhere ends all of them', async () => {
    const first = (await exchange(one, await codeMadeAt(one, one))).body.refresh_token
    const second = await refresh(other, first)
    expect(second.status).toBe(200)
    expect((await refresh(one, first)).status).toBe(400)
    expect((await refresh(other, second.body.refresh_token)).status).toBe(400)
  })

  it("revoking a refresh token that a thief has used ends the thief's tokens", async () => {
    const { refresh_token: token = '' } = (await exchange(one, await codeMadeAt(one, one))).body
    const stolen = await refresh(other, token)
    expect(stolen.status).toBe(200)
    await form(one, '/revoke', { token })
    expect((await refresh(other, stolen.body.refresh_token)).status).toBe(400)
  })

  it('a token that is revoked at one is refused at the other at once', async () => {
    const { refresh_token: token = '' } = (await exchange(other, await codeMadeAt(other, other))).body
    await form(one, '/revoke', { token })
    expect((await refresh(other, token)).status).toBe(400)
  })
})
