import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, keysPath, management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { broughtValue } from '../../support/canary/brought-value.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
let platform: TestPlatform
let port: number
let made = 0

beforeAll(async () => {
  platform = await startPlatform()
  port = platform.server.port
  await platform.must('POST', configMaps, { metadata: { name: 'kept' } })
})

afterAll(() => platform.stop())

type Stolen = Awaited<ReturnType<typeof stolenKey>>

async function stolenKey() {
  made += 1
  const user = `owner-${made}`
  await platform.must('POST', `${management}/users`, userNamed(user))
  await grant(platform, user, [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
  const key = await platform.must('POST', keysPath, { metadata: { name: `${user}-key` }, spec: { user } })
  return { user, token: key.spec.key as string, path: `${keysPath}/${user}-key` }
}

/** A request that was authorized, of which only the last byte of the body is missing. */
async function begun(
  token: string,
  method: string,
  url: string,
  object: object,
  more: Readonly<Record<string, string>> = {},
) {
  const client = await tlsClient(port)
  const body = JSON.stringify(object)
  const head = [
    `${method} ${url} HTTP/1.1`,
    'Host: platform',
    `Authorization: Bearer ${token}`,
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'}`,
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  client.send(`${head.join('\r\n')}\r\n\r\n`)
  await client.until('100 Continue')
  client.send(body.slice(0, -1))
  return { client, finish: () => finished(client, body.slice(-1)) }
}

async function finished(client: RawClient, last: string): Promise<number> {
  client.send(last)
  const answer = await client.until('\r\n\r\n', 2).catch(() => client.received)
  client.destroy()
  return Number(/HTTP\/1.1 (?!100)(\d+)/.exec(answer)?.[1] ?? 0)
}

describe('a request that a thief holds back until the key is void is refused', () => {
  const merge = 'application/merge-patch+json'
  const patch = (path: string, body: object) => platform.ask('PATCH', path, { body, type: merge })
  const narrow = { rules: [{ verbs: ['get'], resources: [{ group: '', resources: ['configmaps'] }] }] }

  test.each<[string, number, (stolen: Stolen) => Promise<unknown>]>([
    ['the key is deleted', 401, ({ path }) => platform.ask('DELETE', path)],
    ['the key is disabled', 401, ({ path }) => patch(path, { spec: { disabled: true } })],
    ['the key gets another value', 401, ({ path }) => patch(path, { spec: { key: broughtValue(path) } })],
    ['the key gets a narrower scope', 503, ({ path }) => patch(path, { spec: { scope: narrow } })],
    ['the owner is locked', 401, ({ user }) => patch(`${management}/users/${user}`, { spec: { disabled: true } })],
  ])('when %s', async (_, status, revoke) => {
    const stolen = await stolenKey()
    const { user, token } = stolen
    const requests = await Promise.all([
      begun(token, 'POST', configMaps, { metadata: { name: `left-${user}` } }),
      begun(token, 'PATCH', `${configMaps}/kept`, { data: { by: user } }),
      begun(token, 'POST', keysPath, { metadata: { name: `again-${user}` }, spec: { user } }),
    ])
    expect((await platform.ask('GET', configMaps, { token })).status).toBe(200)
    await revoke(stolen)
    expect(await Promise.all(requests.map(({ finish }) => finish()))).toEqual([status, status, status])
    expect((await platform.ask('GET', `${configMaps}/left-${user}`)).status).toBe(404)
    expect((await platform.ask('GET', `${configMaps}/kept`)).body.data).toBeUndefined()
    expect((await platform.ask('GET', `${keysPath}/again-${user}`)).status).toBe(404)
  })

  test('and so is one that is held back until its user has lost the right to it', async () => {
    const { user, token } = await stolenKey()
    const { user: helper } = await stolenKey()
    const asHelper = { 'Impersonate-User': helper }
    const requests = await Promise.all([
      begun(token, 'POST', configMaps, { metadata: { name: `left-${user}` } }),
      begun(token, 'PATCH', `${configMaps}/kept`, { data: { by: user } }),
      begun(token, 'POST', configMaps, { metadata: { name: `left-${helper}` } }, asHelper),
    ])
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
    const { items } = await platform.must('GET', bindings)
    const own = items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith(`${user}-`))
    for (const { metadata } of own) await platform.must('DELETE', `${bindings}/${metadata.name}`)
    expect((await platform.ask('GET', configMaps, { token })).status).toBe(403)
    platform.clock.advance(1_000)
    expect(await Promise.all(requests.map(({ finish }) => finish()))).toEqual([403, 403, 403])
    for (const name of [user, helper])
      expect((await platform.ask('GET', `${configMaps}/left-${name}`)).status).toBe(404)
    expect((await platform.ask('GET', `${configMaps}/kept`)).body.data).toBeUndefined()
  })

  test('and one that only takes long is served', async () => {
    const { user, token } = await stolenKey()
    const { finish } = await begun(token, 'POST', configMaps, { metadata: { name: `slow-${user}` } })
    expect((await platform.ask('GET', configMaps, { token })).status).toBe(200)
    platform.clock.advance(5_000)
    expect(await finish()).toBe(201)
  })
})
