import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import { keysPath, type TestPlatform } from '../../platform/platform.ts'
import { type EchoApi, startEchoApi, valuesOf } from '../../proxy/echo-api.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { protocols, type RawAsked, rawAsk } from '../support/raw-ask.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

describe.each(stores)('the checked request is the sent one, with the %s store', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let virtual: TestServer
  let echo: EchoApi
  const links: TestLink[] = []

  beforeAll(async () => {
    store = await startStore(kind)
    ;[platform, virtual, echo] = await Promise.all([
      startLinkPlatform(store.options),
      startTestServer(),
      startEchoApi(),
    ])
    const accessKey = await tenantKey(platform, 'tenants')
    const { url, authority } = platform.server
    links.push(link({ name: 'dev', accessKey, url, authority, virtualApi: embedded(virtual) }))
    links.push(link({ name: 'echo', accessKey, url, authority, virtualApi: echo.virtualApi }))
    for (const each of links) await each.linked()
  })

  afterAll(async () => {
    for (const each of links) await each.stop()
    await Promise.all([platform.stop(), virtual.stop(), echo.stop()])
    await store.remove()
  })

  describe.each(protocols)('over %s', (protocol) => {
    const ask = (asked: RawAsked) => rawAsk(protocol, platform.server.port, asked)
    /** The request that reached the upstream API, if any did. */
    const sent = async (asked: RawAsked) => {
      const before = echo.received.length
      const answer = await ask({ ...asked, url: inside('echo') + asked.url })
      const received = echo.received.slice(before).filter(({ url }) => !url.includes('clusterrolebindings'))
      return { ...answer, received }
    }
    const places = [
      ['the platform', ''],
      ['a virtual cluster', inside('dev')],
    ] as const

    test.each(places)('a selector with invalid UTF-8 deletes nothing in %s', async (_, place) => {
      const url = place + configMaps
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } })
      await ask({ method: 'POST', url, body, headers: [['content-type', 'application/json']] })
      for (const query of ['labelSelector=app%3D%ff', 'labelSelector=%ff', 'label%ffSelector=a', 'fieldSelector=%C3']) {
        const answer = await ask({ method: 'DELETE', url: `${url}?${query}` })
        expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('no UTF-8') })
      }
      expect((await ask({ url: `${url}/kept` })).status).toBe(200)
    })

    test('a key that may only list cannot watch with another spelling', async () => {
      const rules = [{ verbs: ['list'], requestTargets: ['ProjectVirtualCluster'] }]
      const name = `lists-${kind}-${protocol.replace(/\W/g, '')}`.toLowerCase()
      const token = (await platform.must('POST', keysPath, { metadata: { name }, spec: { scope: { rules } } })).spec.key
      expect((await sent({ url: configMaps, token })).status).toBe(200)
      for (const query of ['?watch=1', '?w%61tch=true', '?watch', '?watch=1&watch=0', '?%77%61%74%63%68=yes']) {
        expect(await sent({ url: configMaps + query, token })).toMatchObject({ status: 403, received: [] })
      }
    })

    test('a key that may only update cannot create with an apply or a PUT', async () => {
      const rules = [{ verbs: ['get', 'patch', 'update'], requestTargets: ['ProjectVirtualCluster'] }]
      const name = `changes-${kind}-${protocol.replace(/\W/g, '')}`.toLowerCase()
      const token = (await platform.must('POST', keysPath, { metadata: { name }, spec: { scope: { rules } } })).spec.key
      const change = (method: string, url: string, type: string) =>
        sent({ method, url, token, body: '{}', headers: [['content-type', type]] })
      const refused = { status: 403, text: expect.stringContaining('cannot create'), received: [] }
      for (const format of ['yaml', 'cbor', 'yaml; charset=utf-8']) {
        const apply = await change('PATCH', `${configMaps}/made?fieldManager=a`, `application/apply-patch+${format}`)
        expect(apply).toMatchObject(refused)
      }
      expect(await change('PUT', '/api/v1/namespaces/default/services/made', 'application/json')).toMatchObject(refused)
      for (const [method, type] of [
        ['PATCH', 'application/merge-patch+json'],
        ['PUT', 'application/json'],
      ] as const) {
        expect((await change(method, `${configMaps}/there`, type)).received).toHaveLength(1)
      }
    })

    test('a key that may read one object by name cannot read others with a second selector', async () => {
      const resources = [{ group: '', resources: ['secrets'], resourceNames: ['mine'] }]
      const name = `one-${kind}-${protocol.replace(/\W/g, '')}`.toLowerCase()
      const rules = [{ resources, verbs: ['list'] }]
      const token = (await platform.must('POST', keysPath, { metadata: { name }, spec: { scope: { rules } } })).spec.key
      const secrets = '/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3D'
      const { received } = await sent({ url: `${secrets}mine&fieldSelector=metadata.name%3Dother`, token })
      expect(received.map(({ url }) => url)).toEqual([`${secrets}mine`])
      expect(await sent({ url: `${secrets}other&fieldSelector=metadata.name%3Dmine`, token })).toMatchObject({
        status: 403,
        received: [],
      })
    })

    // The type of store makes no difference to these.
    if (kind === 'embedded')
      describe('on its way', () => {
        test.each([
          ['half an escape', '?a=%f'],
          ['an escape of something else', '?a=%zz'],
          ['a slash in too many bytes', '?a=%C0%AF'],
          ['half of a pair of characters', '?a=%ED%A0%80'],
          ['a name that is no UTF-8', '?%ff=1'],
          ['a semicolon that some take for a separator', '?a=1;watch=1'],
          ['bytes that are not escaped', '?a=\u00fc'],
          ['bytes that are not escaped, in the path', '/\u00fc'],
          ['a path that is no UTF-8', '/%ff'],
          ['an escape of an escape, in the path', '/%252e%252e'],
        ])('%s is not forwarded', async (_, rest) => {
          expect(await sent({ url: configMaps + rest })).toMatchObject({ status: 400, received: [] })
          expect((await ask({ url: rest.startsWith('?') ? configMaps + rest : inside('dev') + rest })).status).toBe(400)
        })

        test.each([
          ['an escaped name of a parameter', '?w%61tch=0&limit=1', '?watch=0&limit=1'],
          ['a plus sign', '?labelSelector=a+in+(b)', '?labelSelector=a%20in%20(b)'],
          ['an escaped separator', '?a=1%26watch=1', '?a=1%26watch%3D1'],
          ['an escaped equals sign', '?watch%3D1', '?watch%3D1='],
          ['empty parameters', '?&&=1&a&', '?=1&a='],
          ['another case of a name', '?Watch=1&WATCH=1', '?Watch=1&WATCH=1'],
          ['a second watch', '?watch=0&watch=1', '?watch=0'],
          ['a second watch with another spelling', '?watch=0&w%61tch=1', '?watch=0'],
          ['a second selector of a name', '?fieldSelector=a&fieldSelector=', '?fieldSelector=a'],
          ['several commands', '?command=a&command=b', '?command=a&command=b'],
          ['a fragment', '?a=1#b', '?a=1%23b'],
        ])('%s is forwarded as it was read', async (_, query, expected) => {
          const { received } = await sent({ url: configMaps + query })
          expect(received.map(({ url }) => url)).toEqual([configMaps + expected])
        })

        test.each([
          ['empty parameters', `?${'aaaaa&'.repeat(9_990)}`],
          ['characters that are escaped', `?labelSelector=${'a,'.repeat(28_000)}`],
        ])('a URL that grows too large by %s is refused, and the link stays', async (_, query) => {
          const { length } = links[1]?.states ?? []
          const refused = { status: 431, text: expect.stringContaining('too large to be passed on'), received: [] }
          expect(await sent({ url: configMaps + query })).toMatchObject(refused)
          expect(await sent({ url: configMaps })).toMatchObject({ status: 200 })
          expect(links[1]?.states.slice(length)).toEqual([])
        })

        test('escaped letters in a path are forwarded as the checked letters', async () => {
          const { received } = await sent({ url: '/%61pi/v1/namespaces/%64efault/%73ecrets' })
          expect(received.map(({ url }) => url)).toEqual(['/api/v1/namespaces/default/secrets'])
        })

        test.each([
          ['X-Remote-User', 'root'],
          ['X-Remote-Group', 'system:masters'],
          ['X-Forwarded-User', 'root'],
          ['X-Original-URL', '/api/v1/secrets'],
          ['X-HTTP-Method-Override', 'DELETE'],
          ['X-Anything', 'at all'],
          ['Forwarded', 'for=10.0.0.1'],
          ['Origin', 'https://elsewhere.example'],
          ['Tenant-Relayed-Impersonate-Group', 'system:masters'],
          ['Tenant-Upgrade', 'websocket'],
          ['Proxy-Authorization', 'Basic cm9vdDpyb290'],
        ])('the header %s stays with the platform', async (name, value) => {
          const { received } = await sent({ url: configMaps, headers: [[name, value]] })
          expect(received).toHaveLength(1)
          for (const each of received) expect(valuesOf(each, name.toLowerCase())).toEqual([])
        })

        test('only known headers are forwarded', async () => {
          const strange = Array.from({ length: 40 }, (_, index) => [`Strange-${index}`, 'x'] as const)
          const { received } = await sent({ url: configMaps, headers: [...strange, ['Accept', 'application/json']] })
          const names = received.flatMap(({ headers }) => headers.filter((_, index) => index % 2 === 0))
          const own = ['host', 'connection', 'authorization', 'audit-id', 'impersonate-user', 'impersonate-group']
          expect(names.map((name) => name.toLowerCase()).filter((name) => !own.includes(name))).toEqual(['accept'])
        })
      })
  })

  test('a client cannot remove the user name on the way', async () => {
    const before = echo.received.length
    const headers = [['Connection', 'close, Impersonate-User, Impersonate-Group, Audit-Id, Accept']] as const
    await rawAsk('HTTP/1.1', platform.server.port, { url: inside('echo') + configMaps, headers })
    const [received] = echo.received.slice(before)
    expect(received && valuesOf(received, 'impersonate-user')).toEqual(['admin'])
    expect(received && valuesOf(received, 'audit-id')).toHaveLength(1)
  })
})
