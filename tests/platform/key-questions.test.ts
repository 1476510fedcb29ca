import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { platformReviews } from '../../src/platform/reviews/reviews.ts'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let directory = ''
let platform: TestPlatform
let [ann, bob] = ['', '']

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'questions-'))
  platform = await startPlatform({
    platform: { domain: 'platform.internal', audit: { file: join(directory, 'audit.log') } },
  })
  for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
  ;[ann, bob] = [await platform.keyOf('ann'), await platform.keyOf('bob')]
})

afterAll(async () => {
  await platform.stop()
  await rm(directory, { recursive: true })
})

const apiVersion = `${group}/v1`
const annsKey = 'key-1-ann'

function question(token: string, path: string, kind: string, spec: object = {}) {
  return platform.ask('POST', `${management}/${path}`, { token, body: { apiVersion, kind, spec } })
}

const aboutKey = (token: string, name: string, subresource: string, kind: string, spec?: object) =>
  question(token, `ownedaccesskeys/${name}/${subresource}`, kind, spec)

/** Sign-on is a separate part, with its own question. */
const ofSignOn = 'connectors/test'

it('the platform serves exactly the reviews of its table', async () => {
  const { resources } = await platform.must('GET', management)
  const served: readonly string[] = resources.map(({ name }: { readonly name: string }) => name)
  const stored = managementKinds('platform.internal').map(({ plural }) => plural)
  const asked = served.filter((name) => !stored.includes(name) && !name.endsWith('/status'))
  const listed = Object.keys(platformReviews).map((path) => path.replace('/NAME', ''))
  expect(asked.toSorted()).toEqual([...listed, ofSignOn].toSorted())
})

describe('questions about a key', () => {
  const questions = [
    ['usage', 'AccessKeyUsage'],
    ['advise', 'AccessKeyAdvice'],
    ['audit', 'AccessKeyAudit'],
    ['holders', 'AccessKeyHolders'],
  ] as const

  it.each(questions)(
    '%s is answered for the owner of the key, and is a 404 for other users',
    async (subresource, kind) => {
      expect((await aboutKey(ann, annsKey, subresource, kind)).status).toBe(201)
      expect((await aboutKey(bob, annsKey, subresource, kind)).status).toBe(404)
      expect((await aboutKey('', annsKey, subresource, kind)).status).toBe(403)
      expect((await aboutKey(ann, 'missing', subresource, kind)).status).toBe(404)
    },
  )

  it('usage counts allowed and refused requests, and reports their origin', async () => {
    const headers = { 'user-agent': 'builder/7' }
    for (let count = 0; count < 3; count++) await platform.ask('GET', keysPath, { token: ann, headers })
    await platform.ask('GET', `${management}/connectors`, { token: ann, headers })
    const { status } = (await aboutKey(ann, annsKey, 'usage', 'AccessKeyUsage', { windowSeconds: 3600 })).body
    const sum = (member: 'allowed' | 'refused') =>
      status.buckets.reduce((total: number, bucket: Record<string, number>) => total + (bucket[member] ?? 0), 0)
    expect(status.buckets).toHaveLength(48)
    expect(status.complete).toBe(true)
    expect(sum('refused')).toBe(1)
    expect(sum('allowed')).toBeGreaterThanOrEqual(3)
    expect(status.sources).toContainEqual(expect.objectContaining({ userAgent: 'builder/7', requests: 4 }))
    expect(status.uses).toContainEqual(expect.objectContaining({ verb: 'list', resource: 'ownedaccesskeys' }))
  })

  it.each([1, 59, 1e9, 'x'])('usage refuses a window of %j', async (windowSeconds) => {
    expect((await aboutKey(ann, annsKey, 'usage', 'AccessKeyUsage', { windowSeconds })).status).toBe(400)
  })

  it('audit lists every request of that key and no other, newest first', async () => {
    await platform.ask('GET', `${management}/connectors`, { token: bob })
    await platform.ask('GET', `${management}/connectors`, { token: ann })
    const { status } = (await aboutKey(ann, annsKey, 'audit', 'AccessKeyAudit', { decision: 'deny', limit: 1 })).body
    expect(status.entries).toHaveLength(1)
    expect(status.entries[0]).toMatchObject({ key: annsKey, verb: 'list', path: `${management}/connectors`, code: 403 })
    expect(status.continue).toMatch(/^\d+-\d+$/)
    const wrong = { continue: status.entries[0].auditId }
    expect((await aboutKey(ann, annsKey, 'audit', 'AccessKeyAudit', wrong)).status).toBe(400)
  })

  it('audit continues page by page, even if clients gave all their requests one id', async () => {
    const headers = { 'audit-id': 'same', 'user-agent': 'pager' }
    for (let count = 0; count < 5; count++) await platform.ask('GET', `${keysPath}/n${count}`, { token: ann, headers })
    const names: string[] = []
    for (let after: object = {}; names.length < 5; ) {
      const asked = { verb: 'get', limit: 2, ...after }
      const { entries, continue: next } = (await aboutKey(ann, annsKey, 'audit', 'AccessKeyAudit', asked)).body.status
      names.push(...entries.map(({ object }: { object: { name: string } }) => object.name))
      after = { continue: next }
    }
    expect(names.slice(0, 5)).toEqual(['n4', 'n3', 'n2', 'n1', 'n0'])
  })

  it.each<readonly [string, object, object, string]>([
    ['a wider key', { projects: [{ project: 'p' }] }, {}, 'scope'],
    ['a key of another user', {}, { user: 'bob' }, 'rbac'],
    ['a key with groups', {}, { groups: ['system:masters'] }, 'rbac'],
  ])('audit reports that creating %s was refused, and by what', async (_, scope, spec, layer) => {
    const rules = [{ resources: [{ group, resources: ['ownedaccesskeys'] }], nonResourceURLs: ['/none'] }]
    const limited = Object.keys(scope).length === 0 ? {} : { scope: { ...scope, rules } }
    const name = `trying-${layer}-${Object.keys(spec).join('')}x`
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann', ...limited } })
    const body = { metadata: { name: 'never' }, spec }
    expect((await platform.ask('POST', keysPath, { token: made.spec.key, body })).status).toBe(403)
    const { status } = (await aboutKey('admin-token', name, 'audit', 'AccessKeyAudit', { decision: 'deny' })).body
    expect(status.entries).toEqual([expect.objectContaining({ verb: 'create', code: 403, decision: 'deny', layer })])
    expect(status.entries[0].reason).toMatch(/scope|impersonate/)
    const usage = (await aboutKey('admin-token', name, 'usage', 'AccessKeyUsage')).body.status
    expect(usage.uses).toEqual([])
  })

  it('audit lists refusals for other reasons than rights', async () => {
    const { status: code } = await platform.ask('DELETE', '/api/v1/namespaces/default')
    expect(code).toBe(403)
    const spec = { user: 'admin', decision: 'deny', limit: 1 }
    const { entries } = (await question('admin-token', 'auditqueries', 'AuditQuery', spec)).body.status
    expect(entries).toEqual([expect.objectContaining({ verb: 'delete', layer: 'admission' })])
  })

  it('audit lists attempts with a key that is disabled, expired, or of a locked user', async () => {
    const merge = 'application/merge-patch+json'
    await platform.must('POST', `${management}/users`, userNamed('cat'))
    const make = async (name: string, spec: object = {}) =>
      (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'cat', ...spec } })).spec.key
    const keys = { off: await make('off', { disabled: true }), ended: await make('ended', { ttl: 10 }) }
    platform.clock.advance(11_000)
    const locked = await make('locked')
    await platform.ask('PATCH', `${management}/users/cat`, { body: { spec: { disabled: true } }, type: merge })
    for (const [name, token] of Object.entries({ ...keys, locked })) {
      expect((await platform.ask('GET', keysPath, { token })).status).toBe(401)
      const { entries } = (await aboutKey('admin-token', name, 'audit', 'AccessKeyAudit')).body.status
      const expected = { key: name, keyId: token.slice(4, 16), code: 401, decision: 'unauthenticated', layer: 'key' }
      expect(entries).toEqual([expect.objectContaining({ ...expected, source: '127.0.0.1' })])
    }
  })

  it('holders finds Secrets by the value that they hold, and names only those that the caller may read', async () => {
    const secret = (name: string, stringData: object) =>
      platform.must('POST', '/api/v1/namespaces/default/secrets', { metadata: { name }, stringData })
    await secret('holds-it', { anything: `${ann}\n` })
    await secret('holds-another', { accessKey: bob })
    const asked = async (token: string) => (await aboutKey(token, annsKey, 'holders', 'AccessKeyHolders')).body.status
    expect(await asked(ann)).toMatchObject({ secrets: [], hiddenSecrets: 1 })
    expect(await asked('admin-token')).toMatchObject({
      secrets: [{ namespace: 'default', name: 'holds-it', entry: 'anything', value: 'current' }],
      hiddenSecrets: 0,
    })
  })
})

describe('questions about all users', () => {
  it('need a right of their own', async () => {
    expect((await question(ann, 'auditqueries', 'AuditQuery')).status).toBe(403)
    await grant(platform, 'bob', [{ apiGroups: [group], resources: ['auditqueries'], verbs: ['create'] }])
    const { status, body } = await question(bob, 'auditqueries', 'AuditQuery', { user: 'ann', limit: 5 })
    expect(status).toBe(201)
    expect(new Set(body.status.entries.map(({ user }: { user: string }) => user))).toEqual(new Set(['ann']))
  })
})

describe('trying out patches', () => {
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {x: "1"}\n'
  const tried = async (spec: object, token = ann) =>
    (await question(token, 'patchevaluations', 'PatchEvaluation', spec)).body.status

  it('reports their effect in both directions, and whether they cancel out', async () => {
    const patch = { path: 'data.x', expression: 'value + "!"', reverseExpression: 'value.slice(0, -1)' }
    const status = await tried({ resource: 'configMaps', object, patches: [patch] })
    expect(status.toHost.after.data).toEqual({ x: '1!' })
    expect(status.toHost.patches[0]).toMatchObject({ matched: 1, changed: 1, matches: ['data.x'] })
    expect(status.toVirtual.after.data).toEqual({ x: '1' })
    expect(status.roundTrip[0].verdict).toBe('cancels')
  })

  it.each([
    ['no object', { object: 'nonsense', patches: [{ path: 'data.x', expression: '1' }] }, 'object'],
    ['broken YAML', { object: '{', patches: [{ path: 'data.x', expression: '1' }] }, 'object'],
    ['too long an object', { object: 'x'.repeat(300_000), patches: [{ path: 'data.x', expression: '1' }] }, 'object'],
    ['no patch', { object, patches: [] }, 'patches'],
    [
      'too many patches',
      { object, patches: Array.from({ length: 51 }, (_, index) => ({ path: `data.x${index}`, expression: '1' })) },
      'patches',
    ],
    ['a bad path', { object, patches: [{ path: 'data[', expression: '1' }] }, 'patches[0].path'],
    ['a bad expression', { object, patches: [{ path: 'data.x', expression: 'value +' }] }, 'patches[0].expression'],
    ['what patches cannot reach', { object, patches: [{ path: 'metadata.name', expression: '1' }] }, 'patches[0].path'],
    ['a bad configuration', { object, config: 'sync: 7', patches: [{ path: 'data.x', expression: '1' }] }, 'config'],
  ])('reports the error in %s', async (_, spec, field) => {
    const { problems, toHost } = await tried(spec)
    expect(toHost).toBeUndefined()
    expect(problems.map((problem: { field: string }) => problem.field)).toContain(field)
  })

  it('ends what would never end, and serves the next', async () => {
    const endless = { object, patches: [{ path: 'data.x', expression: '(() => { for (;;); })()' }] }
    const [first, second] = await Promise.all([
      tried(endless),
      tried({ object, patches: [{ path: 'data.x', expression: '"2"' }] }, bob),
    ])
    expect(first.toHost.failure.message).toContain('50 ms')
    expect(second.toHost.after.data.x).toBe('2')
  })
})

describe('trying out a configuration', () => {
  it('reports problems with their positions, and the effective configuration', async () => {
    const ask = async (config: string) =>
      (await question(ann, 'tenantconfigreviews', 'TenantConfigReview', { config })).body.status
    expect(await ask('sync:\n  toHost:\n    endpoint: {}\n')).toMatchObject({
      valid: false,
      problems: [{ severity: 'error', line: 3, column: 5, field: 'sync.toHost.endpoint' }],
    })
    expect((await ask('')).config.sync.toHost.endpoints.enabled).toBe(true)
  })
})
