import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'

const merge = 'application/merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const apiVersion = `${group}/v1`
const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`

let platform: TestPlatform
let made = 0

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
  await platform.must('POST', `${management}/teams`, { apiVersion, kind: 'Team', metadata: { name: 'crew' } })
  for (const name of ['a', 'b']) {
    await platform.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await platform.must('POST', configMaps(name), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } })
  }
})

afterAll(() => platform?.stop())

const freshName = () => `audit-${++made}`
const keyOf = (metadata: object, spec: object = {}) => ({ apiVersion, kind: 'OwnedAccessKey', metadata, spec })
const make = (metadata: object = { name: freshName() }, spec: object = { user: 'ann' }) =>
  platform.must('POST', keysPath, keyOf(metadata, spec))
const read = (name: string) => platform.must('GET', `${keysPath}/${name}`)
const statusOf = async (method: string, path: string, asked: Parameters<TestPlatform['ask']>[2] = {}) =>
  (await platform.ask(method, path, asked)).status

/** Writes the object back as it was read, with changes to its metadata. */
async function put(name: string, change: object) {
  const { metadata, ...rest } = await read(name)
  return platform.must('PUT', `${keysPath}/${name}`, { ...rest, metadata: { ...metadata, ...change } })
}

describe('metadata', () => {
  test('[2.1 apiVersion] and [2.1 kind] and [2.1 parts]', async () => {
    const key = await make()
    expect(key).toMatchObject({ apiVersion, kind: 'OwnedAccessKey' })
    for (const part of ['metadata', 'spec', 'status']) expect(key).toHaveProperty(part)
  })

  test('[2.1 metadata.name]', async () => {
    const { metadata } = await make()
    expect(await statusOf('POST', keysPath, { body: keyOf({ name: metadata.name }) })).toBe(409)
  })

  test('[2.1 metadata.name needed]', async () => {
    expect(await statusOf('POST', keysPath, { body: keyOf({}) })).toBe(422)
  })

  test('[2.1 metadata.generateName]', async () => {
    const { metadata } = await make({ generateName: 'made-' })
    expect(metadata.name).toMatch(/^made-.+$/)
  })

  test('[2.1 metadata.generateName unused]', async () => {
    const name = freshName()
    expect((await make({ name, generateName: 'unused-' })).metadata.name).toBe(name)
  })

  test('[2.1 metadata.generateName truncated] and [8 generateName]', async () => {
    const { metadata } = await make({ generateName: 'p'.repeat(250) })
    expect(metadata.name).toMatch(/^p+[^p]/)
    expect(metadata.name.length).toBeLessThan(250)
  })

  test('[2.1 metadata.namespace]', async () => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'No.Label' } }
    expect(await statusOf('POST', '/api/v1/namespaces', { body })).toBe(422)
  })

  test('[2.1 metadata.namespace empty]', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: freshName(), namespace: '' } }
    expect((await platform.must('POST', configMaps('default'), body)).metadata.namespace).toBe('default')
  })

  test('[2.1 metadata.namespace stays]', async () => {
    const { metadata, ...rest } = await platform.must('GET', `${configMaps('a')}/one`)
    const body = { ...rest, metadata: { ...metadata, namespace: 'b' } }
    expect(await statusOf('PUT', `${configMaps('a')}/one`, { body })).toBeGreaterThanOrEqual(400)
  })

  test('[2.1 metadata.namespace none]', async () => {
    expect((await make()).metadata).not.toHaveProperty('namespace')
  })

  test('[2.1 metadata.uid]', async () => {
    const { metadata } = await make({ name: freshName(), uid: 'chosen' })
    expect(metadata.uid).not.toBe('chosen')
    expect((await put(metadata.name, { labels: { a: 'b' } })).metadata.uid).toBe(metadata.uid)
  })

  test('[2.1 metadata.generation]', async () => {
    const { metadata } = await make({ name: freshName(), generation: 7 })
    expect(metadata.generation).toBe(1)
    expect((await put(metadata.name, { labels: { a: 'b' }, generation: 9 })).metadata.generation).toBe(1)
    const body = { spec: { description: 'changed' } }
    const { body: changed } = await platform.ask('PATCH', `${keysPath}/${metadata.name}`, { body, type: merge })
    expect(changed.metadata.generation).toBe(2)
  })

  test('[2.1 metadata.creationTimestamp]', async () => {
    const { metadata } = await make({ name: freshName(), creationTimestamp: '2001-01-01T00:00:00Z' })
    expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z')
  })

  test('[2.1 metadata.creationTimestamp of lists]', async () => {
    expect((await platform.must('GET', keysPath)).metadata.creationTimestamp ?? null).toBe(null)
  })

  test('[2.1 metadata.deletionTimestamp] and [2.1 metadata.deletionGracePeriodSeconds]', async () => {
    const { metadata } = await make({ name: freshName(), finalizers: ['example.com/a'] })
    await platform.must('DELETE', `${keysPath}/${metadata.name}`)
    const { metadata: marked } = await read(metadata.name)
    expect(Date.parse(marked.deletionTimestamp)).not.toBeNaN()
    expect(marked.deletionGracePeriodSeconds).toBe(0)
    await put(metadata.name, { finalizers: [] })
    expect(await statusOf('GET', `${keysPath}/${metadata.name}`)).toBe(404)
  })

  test('[2.1 metadata.deletionTimestamp read-only]', async () => {
    const set = { deletionTimestamp: '2099-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }
    const { metadata } = await make({ name: freshName(), ...set })
    expect(metadata).not.toHaveProperty('deletionTimestamp')
    expect(metadata).not.toHaveProperty('deletionGracePeriodSeconds')
    await expect(put(metadata.name, set)).rejects.toThrow('metadata.deletionTimestamp: Invalid value')
  })

  test('[2.1 metadata.labels]', async () => {
    const { metadata } = await make({ name: freshName(), labels: { audited: `n${++made}` } })
    const { items } = await platform.must('GET', `${keysPath}?labelSelector=audited%3D${metadata.labels.audited}`)
    expect(items.map((item: { readonly metadata: { readonly name: string } }) => item.metadata.name)).toEqual([
      metadata.name,
    ])
  })

  test('[2.1 metadata.annotations]', async () => {
    const { metadata } = await make({ name: freshName(), annotations: { 'example.com/note': 'kept' } })
    const changed = await put(metadata.name, { labels: { a: 'b' } })
    expect(changed.metadata.annotations).toMatchObject({ 'example.com/note': 'kept' })
  })

  test('[2.1 metadata.annotations unselectable]', async () => {
    const path = `${keysPath}?fieldSelector=metadata.annotations.note%3Dkept`
    expect(await statusOf('GET', path)).toBe(400)
  })

  test('[2.1 metadata.ownerReferences] and [2.1 metadata.ownerReferences.blockOwnerDeletion]', async () => {
    const owner = await make()
    const reference = { apiVersion, kind: 'OwnedAccessKey', name: owner.metadata.name, uid: owner.metadata.uid }
    const full = { ...reference, controller: true, blockOwnerDeletion: true }
    const { metadata } = await make({ name: freshName(), ownerReferences: [full] })
    expect(metadata.ownerReferences).toEqual([full])
    const { metadata: plain } = await make({ name: freshName(), ownerReferences: [reference] })
    expect(plain.ownerReferences[0].blockOwnerDeletion ?? false).toBe(false)
  })

  test('[2.1 metadata.ownerReferences.controller] and [8 controller]', async () => {
    const reference = (uid: string) => ({ apiVersion, kind: 'User', name: uid, uid, controller: true })
    const body = keyOf({ name: freshName(), ownerReferences: [reference('u-1'), reference('u-2')] })
    expect(await statusOf('POST', keysPath, { body })).toBe(422)
  })

  test('[2.1 metadata.finalizers unordered]', async () => {
    const { metadata } = await make({ name: freshName(), finalizers: ['example.com/a', 'example.com/b'] })
    await platform.must('DELETE', `${keysPath}/${metadata.name}`)
    await put(metadata.name, { finalizers: ['example.com/b'] })
    await put(metadata.name, { finalizers: [] })
    expect(await statusOf('GET', `${keysPath}/${metadata.name}`)).toBe(404)
  })

  test('[2.1 metadata.managedFields] and [2.1 metadata.managedFields.operation]', async () => {
    const { metadata } = await make()
    const path = `${keysPath}/${metadata.name}?fieldManager=applier`
    const body = keyOf({ name: metadata.name, labels: { applied: 'yes' } }, {})
    const { body: applied } = await platform.ask('PATCH', path, { body, type: 'application/apply-patch+yaml' })
    const entries: readonly Record<string, unknown>[] = applied.metadata.managedFields
    expect(new Set(entries.map(({ operation }) => operation))).toEqual(new Set(['Apply', 'Update']))
    for (const entry of entries) {
      expect(entry).toMatchObject({ apiVersion, fieldsType: 'FieldsV1', fieldsV1: expect.any(Object) })
      expect([typeof entry.manager, typeof entry.time]).toEqual(['string', 'string'])
    }
  })

  test('[2.1 metadata.managedFields.subresource]', async () => {
    const path = '/api/v1/namespaces/a'
    await platform.ask('PATCH', `${path}/status`, { body: { status: { conditions: [noted] } }, type: merge })
    const { metadata } = await platform.must('GET', path)
    const entries: readonly { readonly subresource?: string }[] = metadata.managedFields
    expect(entries.map(({ subresource = '' }) => subresource)).toContain('status')
  })
})

const noted = {
  type: 'Noted',
  status: 'True',
  lastTransitionTime: '2030-01-01T00:00:00Z',
  reason: 'Audit',
  message: '',
}

describe('spec', () => {
  test('[2.1 spec.description] and [2.1 spec.type default]', async () => {
    const { metadata } = await make({ name: freshName() }, { user: 'ann', description: 'what it is for' })
    expect((await read(metadata.name)).spec).toMatchObject({ description: 'what it is for', type: 'User' })
  })

  test.each([
    ['[2.1 spec.team]', { team: 'crew' }],
    ['[2.1 spec.subject]', { subject: 'robot' }],
  ])('%s', async (_, owner) => {
    const { spec } = await make({ name: freshName() }, owner)
    const { body } = await platform.ask('POST', `${management}/selves`, {
      token: spec.key,
      body: { apiVersion, kind: 'Self' },
    })
    expect(body.status).toMatchObject(owner)
  })
})

type Request = readonly [method: string, path: string]

interface ScopeCase {
  readonly id: string
  readonly scope: object
  readonly allowed: readonly Request[]
  readonly refused: readonly Request[]
}

const get = (path: string): Request => ['GET', path]
const rule = (entry: object) => ({ rules: [entry] })
const users = { group, resources: ['users'] }
const [ann, bob, teams] = [`${management}/users/ann`, `${management}/users/bob`, `${management}/teams`]

const scopeCases: readonly ScopeCase[] = [
  {
    id: '[2.1 scope.projects all]',
    scope: { projects: [{ project: '*' }] },
    allowed: [get(`${management}/projects`)],
    refused: [get(`${management}/users`)],
  },
  {
    id: '[2.1 scope.rules.verbs]',
    scope: rule({ verbs: ['get'], resources: [users] }),
    allowed: [get(ann)],
    refused: [get(`${management}/users`), ['DELETE', ann]],
  },
  {
    id: '[2.1 scope.rules.verbs empty]',
    scope: rule({ resources: [users] }),
    allowed: [get(ann), get(`${management}/users`), ['DELETE', `${management}/users/none`]],
    refused: [get(teams)],
  },
  {
    id: '[2.1 scope.rules.resources.group]',
    scope: rule({ resources: [{ group: '', resources: ['configmaps'] }] }),
    allowed: [get(configMaps('a'))],
    refused: [get(ann)],
  },
  {
    id: '[2.1 scope.rules.resources.resources]',
    scope: rule({ resources: [users] }),
    allowed: [get(ann)],
    refused: [get(teams), get(configMaps('a'))],
  },
  {
    id: '[2.1 scope.rules.resources.resources empty]',
    scope: rule({ verbs: ['get', 'list'], resources: [{ group }] }),
    allowed: [get(ann), get(teams)],
    refused: [get(configMaps('a'))],
  },
  {
    id: '[2.1 scope.rules.resources.resourceNames]',
    scope: rule({ resources: [{ ...users, resourceNames: ['ann'] }] }),
    allowed: [get(ann)],
    refused: [get(bob)],
  },
  {
    id: '[2.1 scope.rules.resources empty]',
    scope: rule({ verbs: ['get', 'list'] }),
    allowed: [get(ann), get(teams), get(configMaps('a'))],
    refused: [['DELETE', ann]],
  },
  {
    id: '[2.1 scope.rules.namespaces]',
    scope: rule({ namespaces: ['a'], resources: [{ group: '', resources: ['configmaps'] }] }),
    allowed: [get(configMaps('a'))],
    refused: [get(configMaps('b'))],
  },
  {
    id: '[2.1 scope.rules.namespaces none]',
    scope: rule({ verbs: ['get', 'list'], namespaces: [''] }),
    allowed: [get(ann)],
    refused: [get(configMaps('a'))],
  },
  {
    id: '[2.1 scope.rules.namespaces empty]',
    scope: rule({ namespaces: [], resources: [{ group: '', resources: ['configmaps'] }] }),
    allowed: [get(configMaps('a')), get(configMaps('b'))],
    refused: [get(ann)],
  },
  {
    id: '[2.1 scope.rules.nonResourceURLs]',
    scope: rule({ verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*'], resources: [users] }),
    allowed: [get('/metrics')],
    refused: [get('/logs/any')],
  },
  {
    id: '[2.1 scope.rules.requestTargets]',
    scope: rule({ verbs: ['get'], requestTargets: ['ProjectVirtualCluster'], resources: [users] }),
    allowed: [],
    refused: [get(ann)],
  },
  {
    id: '[2.1 scope.rules.cluster]',
    scope: rule({ verbs: ['get'], cluster: 'host', resources: [users] }),
    allowed: [],
    refused: [get(ann)],
  },
]

describe('scope', () => {
  test.each(scopeCases.map((each) => [each.id, each] as const))('%s', async (_, { scope, allowed, refused }) => {
    const { spec } = await make({ name: freshName() }, { user: 'admin', scope })
    for (const [method, path] of allowed) {
      const { status, text } = await platform.ask(method, path, { token: spec.key })
      expect([status, text.slice(0, 200)].join(' ')).not.toMatch(/^(401|403) /)
    }
    for (const [method, path] of refused) expect(await statusOf(method, path, { token: spec.key })).toBe(403)
  })

  const refusedScope = async (scope: object) =>
    statusOf('POST', keysPath, { body: keyOf({ name: freshName() }, { user: 'ann', scope }) })

  test('[2.1 scope.roles.role]', async () => {
    expect(await refusedScope({ roles: [{ role: 'no-such-role' }] })).toBe(422)
  })

  test('[2.1 scope.rules.resources.resourceNames need]', async () => {
    expect(await refusedScope(rule({ resources: [{ group, resourceNames: ['ann'] }] }))).toBe(422)
  })

  test('[2.1 scope.rules.nonResourceURLs wildcard]', async () => {
    expect(await refusedScope(rule({ nonResourceURLs: ['/met*'] }))).toBe(422)
    expect(await refusedScope(rule({ nonResourceURLs: ['/a/*/b'] }))).toBe(422)
  })

  test.each([
    ['[2.1 scope.allowPlatformCli]', { allowPlatformCli: true, rules: [{ verbs: ['get'], resources: [users] }] }],
    ['[2.1 scope.roles platformCLI]', { roles: [{ role: 'platformCLI' }] }],
  ])('%s', async (_, scope) => {
    const { spec } = await make({ name: freshName() }, { user: 'admin', scope })
    expect(await statusOf('GET', `${management}/projects`, { token: spec.key })).toBe(200)
    expect(await statusOf('DELETE', ann, { token: spec.key })).toBe(403)
  })

  test.each([
    ['[9 scope.rules]', rule({ resources: [users] })],
    ['[9 scope.allowPlatformCli]', { allowPlatformCli: true }],
  ])('%s', async (_, scope) => {
    const body = keyOf({ name: freshName() }, { user: 'ann', scope })
    const { warnings } = await platform.ask('POST', keysPath, { body })
    expect(warnings.join('\n')).toMatch(/deprecated/)
  })
})

test('[4 patch]', async () => {
  const { metadata } = await make({ name: freshName(), annotations: { 'example.com/a': '1' } })
  const body = [{ op: 'add', path: '/metadata/annotations/example.com~1b', value: '2' }]
  const { body: patched } = await platform.ask('PATCH', `${keysPath}/${metadata.name}`, { body, type: jsonPatch })
  expect(patched.metadata.annotations).toMatchObject({ 'example.com/a': '1', 'example.com/b': '2' })
})

test('[9 unknown]', async () => {
  const body = { ...keyOf({ name: freshName() }), apiVersion: `${group}/v9` }
  expect(await statusOf('POST', keysPath, { body })).toBe(400)
})
