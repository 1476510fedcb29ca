import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedded, inside, link, type TestLink, tenantKey } from '../../link/support.ts'
import { tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type Replica, type Replicas, startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'

const withoutEtcd = missingEtcd()
const path = `${inside('dev')}/api/v1/namespaces/default/configmaps`

describe.skipIf(withoutEtcd)('streams that a replica relays for a caller', () => {
  let replicas: Replicas
  let virtual: TestServer
  let linked: TestLink
  let direct: Replica
  let relaying: Replica
  let key = ''

  beforeAll(async () => {
    ;[replicas, virtual] = await Promise.all([startReplicas(), startTestServer()])
    // One place for the relayed requests of a virtual cluster.
    direct = await replicas.start({ server: { limits: { maxRequestsInFlight: 10 } } })
    relaying = await replicas.start()
    const { url, authority } = direct.server
    const accessKey = await tenantKey(direct, 'tenants')
    linked = link({ accessKey, url, authority, virtualApi: embedded(virtual) })
    await linked.linked()
    key = await direct.keyOf('admin')
    await eventually(async () => expect((await relaying.ask('GET', path, { token: key })).status).toBe(200))
  })
  afterAll(async () => {
    await linked?.stop()
    await replicas?.remove()
    await virtual?.stop()
  })

  const open = async () => Number(/^tenant_open_streams (\d+)$/m.exec((await direct.ask('GET', '/metrics')).text)?.[1])

  it('take no place of the others that ask the same virtual cluster', async () => {
    const before = await open()
    const watches = [await relaying.watch(`${path}?watch=true`, key), await relaying.watch(`${path}?watch=true`, key)]
    expect(watches.map(({ status }) => status)).toEqual([200, 200])
    const { status, text } = await relaying.ask('GET', path, { token: key })
    expect(status, text).toBe(200)
    for (const watch of watches) watch.stop()
    await expect.poll(open).toBe(before)
  })

  it('are counted no more once they have ended', async () => {
    const before = await open()
    const client = await tlsClient(relaying.server.port)
    client.send(`GET ${path}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    await client.until('HTTP/1.1 200')
    expect(await open()).toBe(before + 1)
    client.destroy()
    await expect.poll(open).toBe(before)
  })
})
