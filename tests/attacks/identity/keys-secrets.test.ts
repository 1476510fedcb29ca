import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLinkPlatform } from '../../link/support.ts'
import {
  type clientOf,
  grant,
  group,
  keysPath,
  management,
  type TestPlatform,
  userNamed,
} from '../../platform/platform.ts'
import { encoded, registerHost, secretsPath } from '../../platform/registered-host.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const merge = 'application/merge-patch+json'

describe.each(stores)('a thief of a value does not get the next one, with the %s store', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let host: TestServer
  let onHost: ReturnType<typeof clientOf>
  let thief = ''
  let made = 0

  beforeAll(async () => {
    store = await startStore(kind)
    ;[platform, host] = await Promise.all([startLinkPlatform(store.options), startTestServer()])
    onHost = await registerHost(platform, host)
    for (const name of ['thief', 'victim']) await platform.must('POST', `${management}/users`, userNamed(name))
    thief = await platform.keyOf('thief')
    // The thief has rights on Secrets, on the platform and in the cluster, and no others.
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'], resourceNames: ['mine', 'mine-etcd'] }]
    await grant(platform, 'thief', [...rules, { apiGroups: [group], resources: ['clusters'], verbs: ['use'] }])
  })

  afterAll(async () => {
    await onHost.close()
    await Promise.all([platform.stop(), host.stop()])
    await store.remove()
  })

  const newKey = async (spec: object = { user: 'admin' }) => {
    made += 1
    const name = `key-${kind}-${made}`
    const { spec: shown } = await platform.must('POST', keysPath, { metadata: { name }, spec })
    return { name, value: String(shown.key) }
  }
  const newSecret = async (value: string, where: 'platform' | 'host', labels = {}) => {
    made += 1
    const name = `secret-${kind}-${made}`
    const body = { metadata: { name, labels }, data: { accessKey: encoded(value) } }
    const client = where === 'host' ? onHost : platform
    expect((await client.ask('POST', secretsPath, { body })).status).toBe(201)
    return { namespace: 'default', name, ...(where === 'host' ? { cluster: 'host' } : {}) }
  }
  const add = (name: string, managedSecrets: readonly object[], token = 'admin-token') =>
    platform.ask('PATCH', `${keysPath}/${name}`, { body: { spec: { managedSecrets } }, type: merge, token })
  const rotate = (name: string, token = 'admin-token') =>
    platform.ask('POST', `${keysPath}/${name}/rotate`, {
      body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' },
      token,
    })
  const held = async ({ name, cluster = '' }: { readonly name: string; readonly cluster?: string }) => {
    const client = cluster === '' ? platform : onHost
    const { data } = (await client.ask('GET', `${secretsPath}/${name}`)).body
    return Buffer.from(data.accessKey, 'base64').toString()
  }
  const rotated = async (name: string): Promise<string> => (await rotate(name)).body.spec.key

  test.each(['platform', 'host'] as const)(
    'a labeled Secret on the %s that holds the value is left alone',
    async (where) => {
      const { name, value } = await newKey()
      const parked = await newSecret(value, where, { 'tenant.internal/access-key': name })
      await rotated(name)
      expect(await held(parked)).toBe(value)
    },
  )

  test.each(['platform', 'host'] as const)('a Secret that replaces another on the %s is left alone', async (where) => {
    const { name, value } = await newKey()
    const place = await newSecret(value, where)
    expect((await add(name, [place])).status).toBe(200)
    const client = where === 'host' ? onHost : platform
    await client.ask('DELETE', `${secretsPath}/${place.name}`)
    await client.ask('POST', secretsPath, {
      body: { metadata: { name: place.name }, data: { accessKey: encoded(value) } },
    })
    const { warnings } = await rotate(name)
    expect(warnings.join()).toContain('must be added again')
    expect(await held(place)).toBe(value)
  })

  test('a Secret with a changed value is left alone', async () => {
    const { name, value } = await newKey()
    const place = await newSecret(value, 'host')
    await add(name, [place])
    const other = 'x'.repeat(40)
    await onHost.ask('PATCH', `${secretsPath}/${place.name}`, {
      body: { data: { accessKey: encoded(other) } },
      type: merge,
    })
    expect((await rotate(name)).warnings.join()).toContain('it holds another value')
    expect(await held(place)).toBe(other)
  })

  test.each([
    ['a role', { roles: [{ role: 'tenant', projects: ['*'] }] }],
    ['rules for everything', { rules: [{ verbs: ['*'] }] }],
    ['all projects and clusters', { projects: [{ project: '*' }], clusters: [{ cluster: '*' }] }],
  ])('a key with a scope of %s cannot add a Secret, not even to itself', async (_, scope) => {
    const { name, value } = await newKey({ user: 'admin', scope })
    const place = await newSecret(value, 'platform')
    const answer = await add(name, [place], value)
    expect([403, 404]).toContain(answer.status)
    expect((await platform.must('GET', `${keysPath}/${name}`)).status.managedSecrets).toBeUndefined()
    await rotated(name)
    expect(await held(place)).toBe(value)
  })

  test('a key with a scope cannot create a key with a Secret', async () => {
    const { value } = await newKey({ user: 'admin', scope: { rules: [{ verbs: ['*'] }] } })
    const place = await newSecret(value, 'platform')
    const spec = { scope: { rules: [{ verbs: ['*'] }] }, managedSecrets: [place] }
    const body = { metadata: { name: `child-${kind}` }, spec }
    expect((await platform.ask('POST', keysPath, { body, token: value })).status).toBe(403)
  })

  test('another user cannot add a Secret to a key, whatever Secrets they own', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const mine = kind === 'etcd' ? 'mine-etcd' : 'mine'
    await platform.ask('POST', secretsPath, { body: { metadata: { name: mine }, data: { accessKey: encoded(value) } } })
    expect((await add(name, [{ namespace: 'default', name: mine }], thief)).status).toBe(404)
  })

  test('a user who may only update keys of others cannot add a Secret to them', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const place = await newSecret(value, 'platform')
    await platform.ask('POST', `${management}/users`, { body: userNamed('clerk') })
    await grant(platform, 'clerk', [
      { apiGroups: [group], resources: ['users/accesskeys', 'teams/accesskeys'], verbs: ['get', 'update'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['*'] },
    ]).catch(() => {})
    const clerk = await platform.keyOf('clerk')
    const body = { spec: { description: 'changed' } }
    expect((await platform.ask('PATCH', `${keysPath}/${name}`, { body, type: merge, token: clerk })).status).toBe(200)
    expect((await add(name, [place], clerk)).status).toBe(403)
  })

  test('an owner cannot add a Secret of the platform without the right to update it', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const place = await newSecret(value, 'platform')
    expect((await add(name, [place], value)).status).toBe(403)
  })

  test('an owner cannot add a Secret of a cluster without the right to use the cluster', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const place = await newSecret(value, 'host')
    expect((await add(name, [place], value)).status).toBe(403)
  })

  test('an owner cannot add a Secret that the cluster does not let them update', async () => {
    const { name, value } = await newKey({ user: 'thief' })
    const place = await newSecret(value, 'host')
    const answer = await add(name, [place], value)
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('in cluster host') } })
  })

  test('adding does not reveal whether a Secret exists that the caller may not update', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const place = await newSecret(value, 'platform')
    const answers = [await add(name, [place], value), await add(name, [{ ...place, name: 'nowhere' }], value)]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
  })

  test('a status written by a client adds nothing', async () => {
    const { name, value } = await newKey()
    const place = await newSecret(value, 'platform')
    const { metadata } = await platform.must('GET', `${secretsPath}/${place.name}`)
    const managedSecrets = [{ ...place, uid: metadata.uid, addedBy: 'admin' }]
    for (const path of [`${keysPath}/${name}`, `${keysPath}/${name}/status`]) {
      await platform.ask('PATCH', path, { body: { status: { managedSecrets } }, type: merge })
    }
    await rotated(name)
    expect(await held(place)).toBe(value)
  })

  test('a key given to another user keeps only the Secrets that the giver may update', async () => {
    const { name, value } = await newKey({ user: 'victim' })
    const place = await newSecret(value, 'platform')
    await add(name, [place])
    const rules = [{ apiGroups: [group], resources: ['users/accesskeys'], verbs: ['*'] }]
    const giver = `giver-${kind}`
    await platform.must('POST', `${management}/users`, userNamed(giver))
    await grant(platform, giver, [...rules, { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }])
    const token = await platform.keyOf(giver)
    const moved = { body: { spec: { user: 'thief', managedSecrets: [place] } }, type: merge, token }
    expect((await platform.ask('PATCH', `${keysPath}/${name}`, moved)).status).toBe(403)
  })

  describe.each(protocols)('over %s', (protocol) => {
    test('a Secret added between the query and the rotation gets no value', async () => {
      const { name, value } = await newKey()
      const [seen, late] = [await newSecret(value, 'platform'), await newSecret(value, 'host')]
      await add(name, [seen])
      const ask = (query: string, body: object) =>
        rawAsk(protocol, platform.server.port, {
          method: 'POST',
          url: `${keysPath}/${name}/rotate${query}`,
          headers: [['Content-Type', 'application/json']],
          body: JSON.stringify({ apiVersion: `${group}/v1`, kind: 'AccessKeyRotation', ...body }),
        })
      expect((await ask('?dryRun=All', {})).text).toContain(seen.name)
      await add(name, [seen, late])
      expect((await ask('', { managedSecrets: [seen] })).status).toBe(409)
      expect([await held(seen), await held(late)]).toEqual([value, value])
      expect((await ask('', { managedSecrets: [seen, late] })).status).toBe(201)
      await eventually(async () => expect(await held(late)).not.toBe(value))
    })
  })
})
