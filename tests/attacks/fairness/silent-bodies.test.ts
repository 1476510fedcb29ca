import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'
import { type Flood, firstAnswers, floodOver } from './support/flood.ts'
import { type FairWorld, startFairWorld } from './support/world.ts'

const session = { method: 'POST', path: '/auth/session', body: 'silent' }
const review = { method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body: 'silent' }
const question = '{"spec":{"nonResourceAttributes":{"path":"/","verb":"get"}}}'
const json = [['Content-Type', 'application/json']] as const
const keys = '/apis/management.platform.internal/v1/ownedaccesskeys'

describe.each(protocols)('bodies that never arrive, over %s', (protocol) => {
  let world: FairWorld
  let flood: Flood
  beforeAll(async () => {
    world = await startFairWorld({ maxRequestsInFlight: 60, maxBodiesPerCaller: 70, bodyTimeoutMs: 300_000 })
  })
  beforeEach(() => {
    flood = floodOver(protocol, world.port)
  })
  afterEach(async () => {
    flood.close()
    await world.until('tenant_request_bodies', 0)
  })
  afterAll(() => world.stop())
  const statusOf = async (url: string, token = '') => (await rawAsk(protocol, world.port, { url, token })).status

  test('of strangers who sign in do not block the administrator, a user or a probe', async () => {
    flood.send(90, session)
    await flood.arrived()
    expect(await statusOf('/livez')).toBe(200)
    expect(await statusOf('/readyz')).toBe(200)
    expect(await statusOf('/api/v1/namespaces', 'admin-token')).toBe(200)
    expect(await statusOf(keys, world.bob)).toBe(200)
  })

  test('of the weakest user do not block the administrator, another user or a probe', async () => {
    flood.send(90, { ...review, token: world.mallory })
    await flood.arrived()
    expect(await statusOf('/livez')).toBe(200)
    expect(await statusOf('/api/v1/namespaces', 'admin-token')).toBe(200)
    expect(await statusOf(keys, world.bob)).toBe(200)
    const asked = { method: 'POST', url: review.path, token: world.bob, headers: json, body: question }
    expect((await rawAsk(protocol, world.port, asked)).status).toBe(201)
  })

  test('have a limit for each user', async () => {
    const sent = flood.send(80, { ...review, token: world.mallory })
    // The connection ends with the first refusal, so the remaining HTTP/2 requests may get no answer.
    for (const status of await firstAnswers(sent, 10)) expect([429, 0]).toContain(status)
    expect(await world.metric('tenant_request_bodies')).toBe(70)
  })

  test('have a lower limit for each stranger', async () => {
    const [refused] = await firstAnswers(flood.send(40, session), 1)
    expect(refused).toBe(429)
    expect(await world.metric('tenant_request_bodies')).toBeLessThanOrEqual(16)
  })

  test('release everything when their clients disconnect', async () => {
    flood.send(60, { ...review, token: world.mallory })
    await world.until('tenant_request_bodies', 60)
    flood.close()
    await world.until('tenant_request_bodies', 0)
    expect(await world.metric('tenant_request_body_bytes')).toBe(0)
    expect(await world.metric('apiserver_flowcontrol_current_executing_requests{priority_level="callers"}')).toBe(0)
  })

  test('from one address do not block sign-ins from another address', async () => {
    flood.send(80, session)
    await flood.arrived()
    const other = floodOver(protocol, world.port, '127.0.0.2')
    const [answer] = other.send(1, { ...session, body: JSON.stringify({ accessKey: world.bob }) })
    expect(await answer?.status).toBe(200)
    other.close()
  })
})

test.each(protocols)('bodies that never arrive over %s time out with an answer', async (protocol) => {
  // Nothing else is sent to this server: any body may be late on a busy machine.
  const server = await startTestServer({ server: { limits: { bodyTimeoutMs: 100 } } })
  const flood = floodOver(protocol, server.port)
  const sent = flood.send(20, { ...review, token: 'admin-token' })
  expect(new Set(await Promise.all(sent.map(({ status }) => status)))).toEqual(new Set([504]))
  await eventually(async () => {
    const { text } = await rawAsk(protocol, server.port, { url: '/metrics' })
    expect(text).toMatch(/^tenant_request_bodies 0$/m)
  })
  flood.close()
  await server.stop()
})

test('900 streams without bodies, which any client can open, do not block other callers', async () => {
  const world = await startFairWorld()
  const flood = floodOver('HTTP/2', world.port)
  flood.send(900, session)
  await flood.arrived()
  for (const token of ['', 'admin-token', world.bob]) {
    const url = token === '' ? '/livez' : keys
    expect((await rawAsk('HTTP/2', world.port, { url, token })).status).toBe(200)
  }
  flood.close()
  await world.stop()
})
