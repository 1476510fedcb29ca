import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KubeObject } from '../../../src/api/object.ts'
import { Capacity } from '../../../src/registry/quota/capacity.ts'
import { clientOf } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { bodyOf, configMap, writeRequest } from '../../support/registry.ts'
import { type StorePlace, storeNames, storePlace } from './support/engine-stores.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const merge = 'application/merge-patch+json'
const limit = { objects: 300, bytes: 2 * 1024 * 1024 }
/** The cluster creates its own ConfigMaps again, so these are never deleted with the tenant's. */
const labels = { of: 'the-tenant' }
/** Requests wait for each other as long as a slow machine needs. */
const limits = { longestWaitMs: 300_000 }

describe.each(storeNames)('a tenant that fills a virtual cluster, on the %s store', (storeName) => {
  let place: StorePlace
  let server: TestServer
  let client: ReturnType<typeof clientOf>
  let close = async (): Promise<void> => {}
  const start = async () => {
    const store = await place.open()
    server = await startTestServer({ store, capacity: new Capacity(limit, 'delete something'), server: { limits } })
    client = clientOf(server.url, server.authority)
    close = async () => {
      await client.close()
      await server.stop()
      await store.close()
    }
  }
  const sizeOf = (kind: string) => server.engine.registry.engine.find('', kind)?.cache.size
  beforeAll(async () => {
    place = await storePlace(storeName)
    await start()
    await eventually(async () => {
      expect(sizeOf('ServiceAccount')).toBe(sizeOf('Namespace'))
      // One in each namespace, and the one with the authority for clients.
      expect(sizeOf('ConfigMap')).toBe((sizeOf('Namespace') ?? 0) + 1)
    })
  }, 240_000)
  afterAll(async () => {
    await close()
    await place.remove()
  })

  const make = (name: string, size = 10) =>
    client.ask('POST', configMaps, { body: { metadata: { name, labels }, data: { text: 'x'.repeat(size) } } })
  const stored = () => {
    const contexts = server.engine.registry.contexts().filter(({ kind }) => kind.storedAs === undefined)
    return contexts.reduce((sum, { cache }) => sum + cache.size, 0)
  }
  const remove = async (path: string) => expect((await client.ask('DELETE', path)).status).toBe(200)
  const removeAll = () => remove(`${configMaps}?labelSelector=of`)
  /** Which of many concurrent creations are refused is not known. */
  const removeOne = async () => {
    const { body } = await client.ask('GET', `${configMaps}?labelSelector=of&limit=1`)
    await remove(`${configMaps}/${body.items[0].metadata.name}`)
  }
  /** Past the queues for requests, which a slow machine makes long. */
  const createAtOnce = (prefix: string, count: number) => {
    const resource = server.engine.registry.resource('', 'v1', 'configmaps')
    const creates = Array.from({ length: count }, (_, index) =>
      resource?.create(
        { namespace: 'default' },
        bodyOf(configMap(`${prefix}-${index}`, {}, { labels })),
        writeRequest(),
      ),
    )
    return Promise.allSettled(creates)
  }

  test('creates no more objects with 1,000 concurrent requests than the limit allows', async () => {
    const before = stored()
    const outcomes = await createAtOnce('many', 1_000)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit.objects - before)
    expect(stored()).toBe(limit.objects)
  })

  test('is refused even as its administrator', async () => {
    expect((await make('more')).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "more" is forbidden: exceeded quota: objects of this cluster, requested: 1, used: 300, limited: 300; delete something',
    })
  })

  test('is still refused after a restart', async () => {
    await close()
    await start()
    expect((await make('late')).text).toContain('used: 300, limited: 300')
  })

  test('may still update and delete objects, which frees space', async () => {
    const { body } = await client.ask('GET', configMaps)
    const [stored] = body.items.filter(({ metadata }: KubeObject) => metadata.name?.startsWith('many-'))
    const path = `${configMaps}/${stored.metadata.name}`
    const changed = await client.ask('PATCH', path, { type: merge, body: { data: { text: 'y' } } })
    expect(changed.status).toBe(200)
    await removeAll()
    expect((await make('again')).status).toBe(201)
  })

  test('is refused above the size limit, for new and for growing objects', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => make(`large-${index}`, 500_000)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.find(({ status }) => status === 403)?.text).toMatch(/requested: 50\d{4} bytes, used: \d+ bytes/)
    await make('growing')
    const grow = (size: number) =>
      client.ask('PATCH', `${configMaps}/growing`, { type: merge, body: { data: { text: 'x'.repeat(size) } } })
    expect((await grow(500_000)).status).toBe(403)
    expect((await grow(5)).status).toBe(200)
  })

  test('leaves the address of a refused Service free', async () => {
    await removeAll()
    const service = { metadata: { name: 'one' }, spec: { clusterIP: '10.96.7.7', ports: [{ port: 80 }] } }
    const services = '/api/v1/namespaces/default/services'
    await createAtOnce('full', limit.objects)
    expect((await client.ask('POST', services, { body: service })).status).toBe(403)
    await removeOne()
    const other = { ...service, metadata: { name: 'other' } }
    expect((await client.ask('POST', services, { body: other })).status).toBe(201)
  })

  test("does not block the cluster's own writes", async () => {
    await createAtOnce('full-again', limit.objects)
    await removeOne()
    const created = await client.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'new' } } })
    expect(created.status, created.text).toBe(201)
    expect((await make('one-more')).status).toBe(403)
    await eventually(async () => {
      const account = await client.ask('GET', '/api/v1/namespaces/new/serviceaccounts/default')
      expect(account.status).toBe(200)
    })
    await remove('/api/v1/namespaces/new')
    await eventually(async () => expect((await client.ask('GET', '/api/v1/namespaces/new')).status).toBe(404))
  })

  describe('makes the cluster itself write at most twice as much', () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const storedBytes = () => {
      const contexts = server.engine.registry.contexts().filter(({ kind }) => kind.storedAs === undefined)
      const documents = contexts.flatMap(({ cache }) => [...cache.current().values()])
      return documents.reduce((sum, { bytes }) => sum + bytes, 0)
    }

    test('with roles that each aggregate a large one', async () => {
      await removeAll()
      const rules = Array.from({ length: 2_000 }, (_, index) => ({
        verbs: ['get'],
        apiGroups: ['example.com'],
        resources: [`resource-${index}-${'x'.repeat(40)}`],
      }))
      const gathered = { gathered: 'yes' }
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: gathered }] }
      // Together half as much again as the cluster may write.
      const names = Array.from({ length: 30 }, (_, index) => `gathers-${index}`)
      for (const name of names) {
        expect((await client.ask('POST', roles, { body: { metadata: { name }, aggregationRule } })).status).toBe(201)
      }
      const large = { metadata: { name: 'large', labels: gathered }, rules }
      expect((await client.ask('POST', roles, { body: large })).status).toBe(201)
      await eventually(async () => {
        const { text } = await client.ask('GET', '/metrics')
        expect(text).toMatch(/controller_runtime_reconcile_total\{controller="role-aggregation",result="error"\} [1-9]/)
        expect(storedBytes()).toBeGreaterThan(1.5 * limit.bytes)
      })
      expect(storedBytes()).toBeLessThan(2 * limit.bytes)
      await Promise.all([...names, 'large'].map((name) => client.ask('DELETE', `${roles}/${name}`)))
    })
  })
})
