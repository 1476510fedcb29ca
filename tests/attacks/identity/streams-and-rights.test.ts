import { type ClientHttp2Session, connect } from 'node:http2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { upgradeHeader } from '../../../src/api/link.ts'
import { inside, instances, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import { management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { eventually } from '../../support/eventually.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const project = `${management}/projects/shop`
const instance = `${instances('shop')}/dev`
let platform: TestPlatform
let linked: TestLink
let session: ClientHttp2Session
let clients: RawClient[] = []
let store: TestStore
let made = 0

const newUser = async () => {
  made += 1
  const name = `user-${made}`
  await platform.must('POST', `${management}/users`, userNamed(name))
  return { name, key: await platform.keyOf(name) }
}

async function change(path: string, spec: object): Promise<void> {
  const { status, text } = await platform.ask('PATCH', path, { body: { spec }, type: 'application/merge-patch+json' })
  expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()])
}

interface Stream {
  readonly isEnded: () => boolean
}

/** A watch over HTTP/2 and a command over HTTP/1.1, both of which have begun. */
async function open(key: string): Promise<readonly Stream[]> {
  const path = `${inside('dev', 'shop')}/api/v1/namespaces/a/pods`
  let text = ''
  const watch = session.request({ ':path': `${path}?watch=true`, authorization: `Bearer ${key}` })
  watch
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk
    })
  const client = await tlsClient(platform.server.port)
  clients.push(client)
  client.send(
    `GET ${path}/b/exec?command=sh HTTP/1.1\r\nHost: s\r\nAuthorization: Bearer ${key}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  await client.until('begun')
  await eventually(() => expect(text).toBe('begun'))
  return [{ isEnded: () => watch.closed }, { isEnded: () => client.socket.destroyed }]
}

const member = (name: string, role: string) => ({ kind: 'User', name, role })

describe.each(stores)('with the store %s, a watch and a command in a virtual cluster end', (kind) => {
  beforeAll(async () => {
    store = await startStore(kind)
    platform = await startLinkPlatform(store.options)
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' } })
    const { url, authority } = platform.server
    linked = link({
      accessKey: await tenantKey(platform, 'hostile'),
      url,
      authority,
      project: 'shop',
      virtualApi: {
        serve: ({ stream, headers }) => {
          const upgrade = headers[upgradeHeader]
          stream.on('error', () => {}).respond(upgrade === undefined ? {} : { [upgradeHeader]: 'websocket' })
          stream.write('begun')
        },
        bindClusterRole: async () => {},
      },
    })
    await linked.linked()
    session = connect(url, { rejectUnauthorized: false })
    session.on('error', () => {})
  })
  afterEach(() => {
    for (const client of clients) client.destroy()
    clients = []
  })
  afterAll(async () => {
    session?.destroy()
    await linked?.stop()
    await platform?.stop()
    await store?.remove()
  })

  test.each<readonly [string, (name: string) => readonly object[]]>([
    ['leaves the project', () => []],
    ['gets another role in the project', (name) => [member(name, 'viewer')]],
  ])('when their user %s, and those of another member go on', async (_, members) => {
    const [user, other] = [await newUser(), await newUser()]
    await change(project, { members: [member(user.name, 'admin'), member(other.name, 'admin')] })
    const [streams, others] = [await open(user.key), await open(other.key)]
    await change(project, { members: [...members(user.name), member(other.name, 'admin')] })
    await eventually(() => expect(streams.map(({ isEnded }) => isEnded())).toEqual([true, true]))
    expect(others.map(({ isEnded }) => isEnded())).toEqual([false, false])
  })

  test('when the virtual cluster no longer gives them access, and not when something else about it changes', async () => {
    const user = await newUser()
    await change(instance, { access: [{ users: [user.name], verbs: ['get', 'use'] }] })
    const streams = await open(user.key)
    await change(instance, { displayName: 'another name' })
    await change(project, { displayName: 'another name' })
    const [later] = [await open(user.key)]
    expect(streams.map(({ isEnded }) => isEnded())).toEqual([false, false])
    await change(instance, { access: [] })
    await eventually(() => {
      expect([...streams, ...later].map(({ isEnded }) => isEnded())).toEqual([true, true, true, true])
    })
  })

  test('when the role that let them use it is taken from their user', async () => {
    const user = await newUser()
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const metadata = { name: `use-${user.name}` }
    const rules = [
      { apiGroups: ['management.platform.internal'], resources: ['virtualclusterinstances'], verbs: ['use'] },
    ]
    await platform.must('POST', `${rbac}/clusterroles`, { metadata, rules })
    await platform.must('POST', `${rbac}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user.name }],
    })
    const streams = await open(user.key)
    await platform.must('DELETE', `${rbac}/clusterrolebindings/${metadata.name}`)
    await eventually(() => expect(streams.map(({ isEnded }) => isEnded())).toEqual([true, true]))
  })
})
