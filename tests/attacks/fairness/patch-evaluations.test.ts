import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clusters } from '../../../src/cluster/clusters.ts'
import { patchEvaluations } from '../../../src/platform/reviews/patch-evaluation.ts'
import type { PlatformReviewParts } from '../../../src/platform/reviews/reviews.ts'
import { grant, management } from '../../platform/platform.ts'
import { protocols } from '../support/raw-ask.ts'
import { floodOver } from './support/flood.ts'
import { type FairWorld, startFairWorld } from './support/world.ts'

const evaluations = `${management}/patchevaluations`
const reviews = `${management}/tenantconfigreviews`

/** Minutes of work for the sandbox: each value takes a part of the budget of one evaluation. */
const slow = 'Array.from({ length: 30000 }, (_, index) => index * value).length'
const endless = evaluationOf(slow, `[${'1,'.repeat(20_000)}1]`)
const quick = evaluationOf('value + 1', '[1]')

function evaluationOf(expression: string, list: string): string {
  const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"list":${list}}`
  return bodyOf('PatchEvaluation', { resource: 'configMaps', object, patches: [{ path: 'list[*]', expression }] })
}

function bodyOf(kind: string, spec: object): string {
  return JSON.stringify({ apiVersion: 'management.platform.internal/v1', kind, spec })
}

let world: FairWorld
beforeAll(async () => {
  // No evaluation ends by itself: a test ends it by closing its connection.
  const tables = await clusters.platform.management()
  const patchevaluations = ({ keyParts }: PlatformReviewParts) => patchEvaluations(keyParts.kind, 600_000)
  const patient = async () => ({ ...tables, reviews: { ...tables.reviews, patchevaluations } })
  world = await startFairWorld({}, { cluster: { ...clusters.platform, management: patient } })
  const rule = { apiGroups: ['management.platform.internal'], verbs: ['create'] }
  for (const user of ['mallory', 'bob']) {
    await grant(world.platform, user, [{ ...rule, resources: ['patchevaluations', 'tenantconfigreviews'] }])
  }
})
afterAll(() => world.stop())

const post = (path: string, token: string, body: string) => world.platform.ask('POST', path, { token, body })

const begun = 'apiserver_flowcontrol_dispatched_requests_total{priority_level="callers"}'
const working = 'apiserver_flowcontrol_current_executing_requests{priority_level="callers"}'

describe.each(protocols)('trial evaluations of patches over %s', (protocol) => {
  const send = (count: number, token: string, body: string) => {
    const flood = floodOver(protocol, world.port)
    return { flood, sent: flood.send(count, { method: 'POST', path: evaluations, token, body }) }
  }
  afterEach(() => world.until(working, 0))

  test('do not delay other callers after their client disconnects', async () => {
    const before = await world.metric(begun)
    const { flood } = send(4, world.mallory, endless)
    await world.untilAtLeast(begun, before + 4)
    flood.close()
    const answer = await post(evaluations, world.bob, quick)
    expect(answer.body.status.toHost.state).toBe('applied')
  })

  test('of one user wait for each other, and a second user gets the next turn', async () => {
    const before = await world.metric(begun)
    const first = send(1, world.mallory, endless)
    await world.untilAtLeast(begun, before + 1)
    const others = send(4, world.mallory, endless)
    await world.untilAtLeast(begun, before + 5)
    const bobs = send(1, world.bob, quick)
    await world.untilAtLeast(begun, before + 6)
    first.flood.close()
    expect(await bobs.sent[0]?.status).toBe(201)
    expect(others.sent.filter((each) => each.isAnswered())).toEqual([])
    for (const { flood } of [others, bobs]) flood.close()
  })

  test('of one user are refused when there are too many', async () => {
    const before = await world.metric(begun)
    const first = send(1, world.mallory, endless)
    await world.untilAtLeast(begun, before + 1)
    const others = send(20, world.mallory, endless)
    expect(await Promise.race(others.sent.map(({ status }) => status))).toBe(429)
    first.flood.close()
    expect((await post(evaluations, world.bob, quick)).status).toBe(201)
    others.flood.close()
  })
})

test('patches that take too long time out, with an answer that says so', async () => {
  const { spec } = JSON.parse(endless)
  const { review } = patchEvaluations({ group: 'management.platform.internal', version: 'v1' })
  const asker = { user: { name: 'mallory', groups: [] }, owner: 'mallory', signal: new AbortController().signal }
  const context = { ...asker, namespace: '', name: '', dryRun: false, warn: () => {} }
  await expect(review({ apiVersion: '', kind: '', metadata: {}, spec }, context)).rejects.toMatchObject({
    status: { code: 504, message: expect.stringContaining('it took longer than 5 s and was given up') },
  })
})

test('expressions of 60 KB are refused before they are parsed', async () => {
  const answer = await post(evaluations, world.mallory, evaluationOf(`value + ${'1 + '.repeat(15_000)}1`, '[1]'))
  expect(answer.body.status.problems).toEqual([
    { field: 'patches', message: 'no more than 32768 characters of them can be tried out together' },
  ])
})

test('a thousand patches are refused before they are parsed', async () => {
  const patches = Array.from({ length: 1_000 }, () => ({ path: 'a', expression: '1 '.repeat(100) }))
  const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'
  const answer = await post(evaluations, world.mallory, bodyOf('PatchEvaluation', { resource: 'a', object, patches }))
  expect(answer.body.status.problems[0].field).toBe('patches')
})

test('a tenant.yaml of 300 KB is refused before it is parsed', async () => {
  const config = `sync: [${'[],'.repeat(100_000)}1]`
  const answer = await post(reviews, world.mallory, bodyOf('TenantConfigReview', { config }))
  expect(answer.status).toBe(413)
  const nested = bodyOf('PatchEvaluation', { resource: 'a', object: '{}', patches: [{ path: 'a' }], config })
  expect((await post(evaluations, world.mallory, nested)).body.status.problems).toContainEqual({
    field: 'config',
    message: 'must be text of at most 32768 characters',
  })
})

test('configurations that take long to check time out, and others are checked meanwhile', async () => {
  const pair = `          - path: data["a"]\n            expression: ${JSON.stringify(slow)}\n            reverseExpression: ${JSON.stringify(slow)}\n`
  const config = `sync:\n  toHost:\n    configMaps:\n      enabled: true\n      patches:\n${pair.replaceAll('          ', '        ')}`
  const waiting = post(reviews, world.mallory, bodyOf('TenantConfigReview', { config, checkRoundTrips: true }))
  const answer = await post(reviews, world.bob, bodyOf('TenantConfigReview', { config: '' }))
  expect(answer.body.status.valid).toBe(true)
  expect([201, 504]).toContain((await waiting).status)
})
