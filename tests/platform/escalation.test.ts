import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

/**
 * An administrator's key that is limited to ConfigMaps of one namespace and to access keys. It must not reach its
 * owner's other rights.
 */
const scope = {
  rules: [
    { resources: [{ group: '', resources: ['configmaps'] }], namespaces: ['inside'], nonResourceURLs: ['/none'] },
    {
      resources: [{ group, resources: ['ownedaccesskeys', 'ownedaccesskeys/*'] }],
      nonResourceURLs: ['/none'],
    },
    {
      verbs: ['impersonate'],
      resources: [{ group: '', resources: ['users', 'groups'] }],
      nonResourceURLs: ['/none'],
    },
  ],
}
const [first, second, third] = scope.rules
const narrower = { rules: [{ ...first, verbs: ['get'] }] }
const wider = { rules: [{ ...first, namespaces: ['inside', 'outside'] }, second, third] }

let platform: TestPlatform
let token: string

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['inside', 'outside']) await platform.must('POST', '/api/v1/namespaces', { metadata: { name } })
  for (const namespace of ['inside', 'outside']) {
    await platform.must('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'c' } })
    await platform.must('POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 's' } })
  }
  await platform.must('POST', `${management}/users`, userNamed('boss', { groups: ['system:masters'] }))
  await platform.must('POST', `${management}/users`, userNamed('ann'))
  const made = await platform.must('POST', keysPath, { metadata: { name: 'limited' }, spec: { user: 'boss', scope } })
  token = made.spec.key
  await platform.must('POST', keysPath, { metadata: { name: 'unlimited' }, spec: { user: 'boss' } })
  await platform.must('POST', keysPath, { metadata: { name: 'narrow' }, spec: { user: 'boss', scope: narrower } })
})

afterAll(() => platform.stop())

const ask = (method: string, path: string, body?: unknown, type?: string, headers: object = {}) =>
  platform.ask(method, path, { token, body, headers: { ...headers }, ...(type === undefined ? {} : { type }) })
const merge = 'application/merge-patch+json'
const json = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'
const object = (name: string, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: 'OwnedAccessKey',
  metadata: { name },
  spec,
})

describe('a limited key of an administrator', () => {
  it('reaches what its scope names', async () => {
    expect((await ask('GET', '/api/v1/namespaces/inside/configmaps/c')).status).toBe(200)
    expect((await ask('GET', `${keysPath}/narrow`)).status).toBe(200)
  })

  it.each([
    ['/api/v1/namespaces/outside/configmaps/c'],
    ['/api/v1/namespaces/inside/secrets/s'],
    ['/api/v1/configmaps'],
    ['/api/v1/configmaps?watch=true'],
    ['/api/v1/watch/configmaps'],
    ['/api/v1/watch/namespaces/outside/configmaps/c'],
    ['/api/v1/configmaps?fieldSelector=metadata.namespace=inside'],
    ['/api/v1/namespaces/outside/configmaps?fieldSelector=metadata.name=c'],
    ['/api/v1/namespaces/outside/configmaps?labelSelector='],
    ['/api/v1/namespaces/inside'],
    ['/api/v1/namespaces'],
    [`${management}/users`],
    [`${management}/users/boss`],
    [`${management}/users/boss/accesskeys`],
    [`/kubernetes/management${management}/users`],
    ['/kubernetes/management/api/v1/namespaces/outside/configmaps/c'],
    ['/metrics'],
    ['/logs'],
  ])('does not read %s', async (path) => {
    expect((await ask('GET', path)).status).toBe(403)
  })

  it.each([
    ['/api/v1/namespaces/inside/../outside/configmaps/c'],
    ['/api/v1/namespaces/inside/%2e%2e/outside/configmaps/c'],
    ['/api/v1/namespaces/inside/configmaps/%2e%2e/%2e%2e/outside/configmaps/c'],
    ['/api/v1/namespaces/inside%2f..%2foutside/configmaps/c'],
    ['/api/v1/namespaces/inside%00/configmaps/c'],
    ['//api/v1/namespaces/outside/configmaps/c'],
    ['/api//v1/namespaces//outside/configmaps/c'],
    ['/api/v1/namespaces/outside/configmaps/c/'],
    ['/api/v1/namespaces/outside/configmaps/c?x=/api/v1/namespaces/inside/configmaps/c'],
    ['/api/v1/namespaces/outside/configmaps/c#/namespaces/inside'],
    ['/api/v1/namespaces/OUTSIDE/configmaps/c'],
    ['/API/v1/namespaces/outside/configmaps/c'],
    ['/api/v1/namespaces/outside/ConfigMaps/c'],
    ['/api/v1/namespaces/%6futside/configmaps/c'],
    ['/api/v1/namespaces/%256futside/configmaps/c'],
    ['/api/v1/namespaces/inside;/outside/configmaps/c'],
    [`/api/v1/namespaces/outside/configmaps/${'c'.repeat(4000)}`],
    [`/${'a/'.repeat(1000)}`],
    ['/kubernetes/management/kubernetes/management/api/v1/namespaces/outside/configmaps/c'],
    ['/api/v1/namespaces/inside\\..\\outside/configmaps/c'],
  ])('does not escape with the odd path %s', async (path) => {
    const { status, text } = await ask('GET', path)
    expect([400, 403, 404]).toContain(status)
    expect(text).not.toContain('"kind":"ConfigMap"')
  })

  it.each([
    ['x-http-method-override', 'DELETE'],
    ['x-method-override', 'DELETE'],
    ['x-original-url', '/api/v1/namespaces/outside/configmaps/c'],
    ['x-rewrite-url', '/api/v1/namespaces/outside/configmaps/c'],
    ['x-forwarded-prefix', '/api/v1/namespaces/outside'],
    ['x-remote-user', 'admin'],
    ['x-remote-group', 'system:masters'],
    ['x-forwarded-user', 'admin'],
    ['cookie', 'token=admin-token'],
    ['x-access-key', 'admin-token'],
  ])('gains nothing with the header %s', async (name, value) => {
    expect(
      (await ask('GET', '/api/v1/namespaces/outside/configmaps/c', undefined, undefined, { [name]: value })).status,
    ).toBe(403)
    await ask('GET', '/api/v1/namespaces/inside/configmaps/c', undefined, undefined, { [name]: value })
    await platform.must('GET', '/api/v1/namespaces/inside/configmaps/c')
  })

  it.each([
    ['a user', { 'impersonate-user': 'admin' }],
    ['an administrator', { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }],
    ['the platform itself', { 'impersonate-user': 'system:platform', 'impersonate-group': 'system:masters' }],
  ])('keeps its scope when it impersonates %s', async (_, headers) => {
    expect((await ask('GET', '/api/v1/namespaces/outside/configmaps/c', undefined, undefined, headers)).status).toBe(
      403,
    )
    const spec = { user: 'boss' }
    expect((await ask('POST', keysPath, object('sneaked', spec), undefined, headers)).status).toBe(403)
    expect((await ask('POST', keysPath, object('sneaked', { scope: wider }), undefined, headers)).status).toBe(403)
  })

  it.each([
    ['without a scope', {}],
    ['with an empty scope', { scope: {} }],
    ['with a wider scope', { scope: wider }],
    ['with all projects', { scope: { projects: [{ project: '*' }] } }],
    ['with a role', { scope: { roles: [{ role: 'tenant' }] } }],
    ['with groups', { scope: narrower, groups: ['system:masters'] }],
    ['for another user', { scope: narrower, user: 'ann' }],
    ['for a subject', { scope: narrower, subject: 'system:admin' }],
    ['for a team', { scope: narrower, team: 't' }],
    ['of a type of the platform', { scope: narrower, type: 'Login' }],
    ['with an identity', { scope: narrower, identity: { userId: 'x' } }],
  ])('cannot create a key %s', async (_, spec) => {
    for (const query of ['', '?dryRun=All']) {
      const { status } = await ask('POST', `${keysPath}${query}`, object('new', spec))
      expect([403, 422]).toContain(status)
    }
    const applied = await ask('PATCH', `${keysPath}/new?fieldManager=x&force=true`, object('new', spec), apply)
    expect([403, 422]).toContain(applied.status)
    expect((await platform.ask('GET', `${keysPath}/new`)).status).toBe(404)
  })

  it('makes narrower keys, which reach no more than they say', async () => {
    const { status, body } = await ask('POST', keysPath, object('narrower', { scope: narrower }))
    expect(status).toBe(201)
    const child = body.spec.key
    const path = '/api/v1/namespaces/inside/configmaps'
    expect((await platform.ask('GET', `${path}/c`, { token: child })).status).toBe(200)
    expect((await platform.ask('DELETE', `${path}/c`, { token: child })).status).toBe(403)
    expect((await platform.ask('GET', keysPath, { token: child })).status).toBe(403)
  })

  it.each([
    ['no scope', { scope: null }],
    ['an empty scope', { scope: {} }],
    ['a wider scope', { scope: wider }],
    ['groups', { groups: ['system:masters'] }],
    ['another owner', { user: 'ann' }],
  ])('cannot give any key, not even itself, %s, with any kind of change', async (_, change) => {
    for (const name of ['limited', 'narrow']) {
      const path = `${keysPath}/${name}`
      const { spec } = await platform.must('GET', path)
      const operations = Object.entries(change).map(([field, value]) =>
        value === null ? { op: 'remove', path: `/spec/${field}` } : { op: 'add', path: `/spec/${field}`, value },
      )
      for (const query of ['fieldManager=x', 'fieldManager=x&dryRun=All']) {
        const { metadata } = await platform.must('GET', path)
        const answers = [
          await ask('PUT', `${path}?${query}`, { metadata, spec: { ...spec, ...change } }),
          await ask('PATCH', `${path}?${query}`, { spec: change }, merge),
          await ask('PATCH', `${path}?${query}`, operations, json),
          await ask('PATCH', `${path}?${query}&force=true`, object(name, change), apply),
        ]
        for (const { status, body } of answers) if (status < 300) expect(body.spec).toEqual(spec)
        expect(answers[0]?.status).toBe(403)
      }
      expect((await platform.must('GET', path)).spec).toEqual(spec)
    }
  })

  it('neither sees, changes, rotates nor deletes a key that reaches further', async () => {
    const path = `${keysPath}/unlimited`
    expect((await ask('GET', path)).status).toBe(404)
    expect((await ask('PATCH', path, { spec: { scope } }, merge)).status).toBe(404)
    expect((await ask('PATCH', path, { spec: { key: 'k'.repeat(40) } }, merge)).status).toBe(404)
    expect((await ask('POST', `${path}/rotate`, {})).status).toBe(404)
    expect((await ask('DELETE', path)).status).toBe(404)
    const { body } = await ask('GET', keysPath)
    const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    expect(names).toContain('narrow')
    expect(names).not.toContain('unlimited')
    for (const query of ['?fieldSelector=metadata.name=unlimited', '?fieldSelector=spec.user=boss&limit=1']) {
      const selected = await ask('GET', `${keysPath}${query}`)
      expect(selected.text).not.toContain('"unlimited"')
    }
    await ask('DELETE', keysPath)
    expect((await platform.ask('GET', path)).status).toBe(200)
  })
})

describe('a limited key', () => {
  it('cannot watch a key with a wider scope, whatever happens to it', async () => {
    const made = await platform.must('POST', keysPath, {
      metadata: { name: 'watching' },
      spec: { user: 'boss', scope },
    })
    const watch = await platform.watch(`${keysPath}?watch=true`, made.spec.key)
    await platform.must('POST', keysPath, { metadata: { name: 'unseen' }, spec: { user: 'boss' } })
    await platform.must('POST', keysPath, { metadata: { name: 'seen' }, spec: { user: 'boss', scope: narrower } })
    await expect.poll(watch.text).toContain('"seen"')
    expect(watch.text()).not.toContain('"unseen"')
    watch.stop()
  })

  it('gets correct reviews of its rights', async () => {
    const made = await platform.must('POST', keysPath, { metadata: { name: 'asking' }, spec: { user: 'boss', scope } })
    const review = async (namespace: string, resource: string) => {
      const spec = { resourceAttributes: { verb: 'get', resource, namespace } }
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      return (await platform.ask('POST', path, { token: made.spec.key, body: { spec } })).body.status.allowed
    }
    expect(await review('inside', 'configmaps')).toBe(true)
    expect(await review('outside', 'configmaps')).toBe(false)
    expect(await review('inside', 'secrets')).toBe(false)
  })
})

describe('a limited key that may read the keys of users', () => {
  it('sees those of them that reach no further than itself', async () => {
    const reading = {
      verbs: ['get'],
      resources: [{ group, resources: ['users/accesskeys'] }],
      nonResourceURLs: ['/none'],
    }
    const made = { metadata: { name: 'reading' }, spec: { user: 'boss', scope: { rules: [reading] } } }
    const { spec } = await platform.must('POST', keysPath, made)
    const { status, body } = await platform.ask('GET', `${management}/users/boss/accesskeys`, { token: spec.key })
    expect(status).toBe(200)
    expect(body.accessKeys.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['reading'])
  })
})

describe('a limited key with an expiry', () => {
  const end = 1000
  const minted = async (parent: string, spec: object) =>
    platform.ask('POST', keysPath, { token: parent, body: { metadata: { generateName: 'child-' }, spec } })
  const parentWith = async (name: string, spec: object) =>
    (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'boss', scope, ...spec } })).spec.key
  const sliding = { ttlAfterLastActivity: true }

  it.each<readonly [string, object, object, number]>([
    ['no end', { ttl: end }, {}, 403],
    ['a later end', { ttl: end }, { ttl: end + 60 }, 403],
    ['an expiry that every use extends', { ttl: end }, { ttl: 60, ...sliding }, 403],
    ['an earlier expiry', { ttl: end }, { ttl: end - 60 }, 201],
    ['no expiry, if use extends its own', { ttl: end, ...sliding }, {}, 403],
    ['an expiry that use extends by less than its own', { ttl: end, ...sliding }, { ttl: end - 60, ...sliding }, 201],
    ['no expiry, if it has none', {}, {}, 201],
  ])('can create a key with %s', async (name, parent, child, status) => {
    const token = await parentWith(name.toLowerCase().replace(/[^a-z]+/g, '-'), parent)
    const answer = await minted(token, { scope: narrower, ...child })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.message).toContain('outlive')
  })

  it('cannot extend any expiry, not even its own, with any kind of change', async () => {
    const token = await parentWith('mortal', { ttl: end })
    for (const name of ['mortal', 'child']) {
      const path = `${keysPath}/${name}`
      if (name === 'child')
        await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'boss', scope: narrower, ttl: 10 } })
      const patch = (spec: object, type = merge) => platform.ask('PATCH', path, { token, body: { spec }, type })
      for (const spec of [{ ttl: null }, { ttl: end + 1 }, { ttl: 10, ...sliding }]) {
        expect((await patch(spec)).status).toBe(403)
      }
      const applied = object(name, { scope: name === 'child' ? narrower : scope, ttl: end * 2 })
      const query = '?fieldManager=x&force=true'
      expect((await platform.ask('PATCH', `${path}${query}`, { token, body: applied, type: apply })).status).toBe(403)
      expect((await patch({ displayName: 'still', ttl: 9 })).status).toBe(200)
    }
  })

  it('does not affect other keys: a key that lives longer is unchanged', async () => {
    const token = await parentWith('brief', { ttl: end })
    const lasting = { metadata: { name: 'lasting' }, spec: { user: 'boss', scope: narrower } }
    await platform.must('POST', keysPath, lasting)
    const patched = await platform.ask('PATCH', `${keysPath}/lasting`, {
      token,
      body: { spec: { displayName: 'x' } },
      type: merge,
    })
    expect(patched.status).toBe(200)
  })
})

describe('a user without a scope', () => {
  it('cannot make a user an administrator with the right to write users', async () => {
    await platform.must('POST', `${management}/users`, userNamed('clerk'))
    await grant(platform, 'clerk', [{ apiGroups: [group], resources: ['users'], verbs: ['*'] }])
    const clerk = await platform.keyOf('clerk')
    const create = (name: string, spec: object) =>
      platform.ask('POST', `${management}/users`, { token: clerk, body: userNamed(name, spec) })
    expect((await create('plain', { displayName: 'Plain' })).status).toBe(201)
    expect((await create('developer', { groups: ['dev'] })).status).toBe(403)
    expect((await create('master', { groups: ['system:masters'] })).status).toBe(403)
    expect((await create('double', { subject: 'admin' })).status).toBe(403)
    const body = { spec: { groups: ['system:masters'] } }
    const patched = await platform.ask('PATCH', `${management}/users/clerk`, { token: clerk, body, type: merge })
    expect(patched.status).toBe(403)
  })

  it('cannot take over a key of others by rotating it, with any rights on keys', async () => {
    await platform.must('POST', `${management}/users`, userNamed('keeper'))
    await grant(platform, 'keeper', [{ apiGroups: [group], resources: ['users/accesskeys'], verbs: ['*'] }])
    const keeper = await platform.keyOf('keeper')
    await platform.must('POST', keysPath, { metadata: { name: 'anns' }, spec: { user: 'ann' } })
    const as = { token: keeper }
    const patch = (spec: object) => platform.ask('PATCH', `${keysPath}/anns`, { ...as, body: { spec }, type: merge })
    expect((await patch({ disabled: true })).status).toBe(200)
    expect((await patch({ key: 'k'.repeat(40) })).status).toBe(403)
    expect((await patch({ user: 'keeper' })).status).toBe(200)
    expect((await platform.ask('POST', `${keysPath}/unlimited/rotate`, { ...as, body: {} })).status).toBe(403)
  })
})
