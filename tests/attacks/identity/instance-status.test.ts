import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerAs } from '../../link/claims.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import {
  embedded,
  inside,
  instances,
  keptInMemory,
  link,
  startLinkPlatform,
  type TestLink,
  tenantKey,
} from '../../link/support.ts'
import { grant, group, management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const merge = 'application/merge-patch+json'
const tenantOf = (...virtualClusters: readonly string[]) => ({
  roles: [{ role: 'tenant', projects: ['default'], virtualClusters }],
})
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]

describe.each(stores)('only the platform writes the status of a virtual cluster, on %s', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let virtual: TestServer
  let red: TestLink
  let blue: TestLink
  const keys = new Map<string, string>()
  const proofs = { red: keptInMemory(), blue: keptInMemory() }

  const linkAs = (name: 'red' | 'blue') => {
    const { url, authority } = platform.server
    const accessKey = keys.get(`the tenant ${name}`) ?? ''
    return link({ name, accessKey, url, authority, virtualApi: embedded(virtual), proofs: proofs[name] })
  }

  beforeAll(async () => {
    ;[store, virtual] = await Promise.all([startStore(kind), startTestServer()])
    platform = await startLinkPlatform(store.options)
    for (const name of ['boss', 'worker', 'operator'])
      await platform.must('POST', `${management}/users`, userNamed(name))
    const members = [
      { kind: 'User', name: 'boss', role: 'admin' },
      { kind: 'User', name: 'worker', role: 'user' },
    ]
    await platform.ask('PATCH', `${management}/projects/default`, { body: { spec: { members } }, type: merge })
    await grant(platform, 'operator', everything)
    keys.set('the tenant red', await tenantKey(platform, 'red', tenantOf('red')))
    keys.set('the tenant blue', await tenantKey(platform, 'blue', tenantOf('blue')))
    keys.set('a tenant with a shared key', await tenantKey(platform, 'shared'))
    keys.set('a key for all that is in red', await platform.keyOf('boss', scoped({ virtualClusters: [redOf] })))
    keys.set('a key for the project', await platform.keyOf('boss', scoped({ projects: [{ project: 'default' }] })))
    keys.set('an admin of the project', await platform.keyOf('boss'))
    keys.set('a user of the project', await platform.keyOf('worker'))
    keys.set('an operator who may do everything', await platform.keyOf('operator'))
    keys.set('the administrator', 'admin-token')
    ;[red, blue] = [linkAs('red'), linkAs('blue')]
    await Promise.all([red.linked(), blue.linked()])
  })

  afterAll(async () => {
    await Promise.all([red?.stop(), blue?.stop()])
    await platform?.stop()
    await Promise.all([store?.remove(), virtual?.stop()])
  })

  const stored = async (name: string) => (await platform.must('GET', `${instances()}/${name}`)).status
  const ask = (who: string, method: string, path: string, body: unknown, type = merge) =>
    platform.ask(method, path, { token: keys.get(who) ?? '', body, type })

  describe.each([
    'the tenant red',
    'a tenant with a shared key',
    'a key for all that is in red',
    'a key for the project',
    'an admin of the project',
    'a user of the project',
    'an operator who may do everything',
    'the administrator',
  ])('%s', (who) => {
    test.each<[string, object]>([
      ['takes the identity of another', { serviceUid: 'uid-of-blue' }],
      ['says where it is linked', { link: { replica: 'mine', accessKey: 'red', process: 'tenant-0' } }],
      ['says that it has proven who it is', { conditions: [provenNow] }],
      ['says that it is offline', { online: false, phase: 'Offline' }],
    ])('a write that %s has no effect', async (_, status) => {
      const { lastHeartbeat: __, ...before } = await stored('red')
      expect((await ask(who, 'PATCH', `${instances()}/red/status`, { status })).status).toBe(403)
      expect(await stored('red')).toMatchObject(before)
      expect(red.state.state).toBe('linked')
    })
  })

  test.each<[string, () => Promise<{ readonly status: number }>]>([
    ['a PUT', async () => ask('the administrator', 'PUT', `${instances()}/red/status`, await withUid('uid-of-blue'))],
    [
      'a PUT of the whole object',
      async () => ask('the administrator', 'PUT', `${instances()}/red`, await withUid('uid-of-blue')),
    ],
    [
      'a JSON patch',
      () => ask('the administrator', 'PATCH', `${instances()}/red/status`, replaceUid, 'application/json-patch+json'),
    ],
    [
      'an apply',
      () =>
        ask(
          'the administrator',
          'PATCH',
          `${instances()}/red/status?fieldManager=x&force=true`,
          applied,
          'application/apply-patch+yaml',
        ),
    ],
    [
      'a patch of the whole object',
      () => ask('the administrator', 'PATCH', `${instances()}/red`, { status: { serviceUid: 'uid-of-blue' } }),
    ],
    [
      'a patch by the other path',
      () =>
        ask('the administrator', 'PATCH', `/kubernetes/management${instances()}/red/status`, {
          status: { serviceUid: 'uid-of-blue' },
        }),
    ],
    [
      'a patch that removes it',
      () => ask('the administrator', 'PATCH', `${instances()}/red/status`, { status: { serviceUid: null } }),
    ],
    [
      'a patch that removes all',
      () => ask('the administrator', 'PATCH', `${instances()}/red/status`, { status: null }),
    ],
    [
      'a trial',
      () =>
        ask('the administrator', 'PATCH', `${instances()}/red/status?dryRun=All`, {
          status: { serviceUid: 'uid-of-blue' },
        }),
    ],
  ])('%s changes nothing of it', async (_, attack) => {
    await attack()
    expect(await stored('red')).toMatchObject({ serviceUid: 'uid-of-red', online: true })
    expect(red.state.state).toBe('linked')
  })

  const withUid = async (serviceUid: string) => {
    const object = await platform.must('GET', `${instances()}/red`)
    return { ...object, status: { ...object.status, serviceUid } }
  }
  const replaceUid = [{ op: 'replace', path: '/status/serviceUid', value: 'uid-of-blue' }]
  const applied = {
    apiVersion: `${group}/v1`,
    kind: 'VirtualClusterInstance',
    metadata: { name: 'red' },
    status: { serviceUid: 'uid-of-blue' },
  }

  test('a new object does not get the status that its creator sends', async () => {
    const status = { serviceUid: 'uid-of-blue', online: true, link: { replica: 'mine' } }
    await platform.must('POST', instances(), { metadata: { name: 'green' }, status })
    expect(await stored('green')).toBeUndefined()
  })

  test('the stored part of the proof is in no response, in any format', async () => {
    const forms = [
      'application/json',
      'application/yaml',
      'application/json;as=Table;g=meta.k8s.io;v=v1;includeObject=Object',
    ]
    for (const accept of forms) {
      for (const path of [instances(), `${instances()}/red`, `${instances()}/red/status`]) {
        const { text } = await platform.ask('GET', path, { headers: { accept } })
        expect(text).not.toMatch(/offers|openUntilMs|"proof"|tpi_/)
      }
    }
    const watch = await platform.watch(`${instances()}?watch=true`, 'admin-token')
    await expect.poll(watch.text).toContain('"red"')
    watch.stop()
    expect(watch.text()).not.toMatch(/offers|openUntilMs|"proof"|tpi_/)
  })

  /**
   * The attack: red writes the uid of blue into its status, and blue comes back and is linked as red. One API server
   * stands for both: what matters is which name leads to which link.
   */
  test('a key for red never reaches the Secrets of blue', async () => {
    const secret = { metadata: { name: 'of-blue' }, stringData: { plan: 'x' } }
    await platform.ask('POST', `${inside('blue')}/api/v1/namespaces/default/secrets`, { body: secret })
    await ask('the tenant red', 'PATCH', `${instances()}/red/status`, { status: { serviceUid: 'uid-of-blue' } })
    await red.stop()
    await blue.stop()
    blue = linkAs('blue')
    expect(await blue.linked()).toMatchObject({ name: 'blue' })
    const { status } = await ask('a key for all that is in red', 'GET', `${inside('red')}/api/v1/secrets`, undefined)
    expect(status).toBe(503)
    red = linkAs('red')
    expect(await red.linked()).toMatchObject({ name: 'red' })
  })

  test('registering with the uid of another gains neither its name nor its link', async () => {
    const token = keys.get('a tenant with a shared key') ?? ''
    const { body } = await registerAs(platform, { token, name: 'yellow', serviceUid: 'uid-of-blue' })
    expect(body.status.name).toBe('yellow')
    const proof = keptInMemory({ project: 'default', name: 'yellow', proof: body.status.proof })
    const { url, authority } = platform.server
    const options = { name: 'yellow', serviceUid: 'uid-of-blue', accessKey: token, url, authority, proofs: proof }
    const yellow = stopsWithTest(link({ ...options, virtualApi: embedded(virtual) }))
    expect(await yellow.linked()).toMatchObject({ name: 'yellow' })
    expect(blue.state.state).toBe('linked')
  })
})

const provenNow = {
  type: 'Proven',
  status: 'True',
  reason: 'Mine',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
}
const redOf = { project: 'default', virtualCluster: 'red' }
const scoped = (scope: object) => ({ scope })
