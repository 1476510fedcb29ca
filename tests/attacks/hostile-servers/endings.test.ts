import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { claims, secrets } from '../../sync/support/objects.ts'
import { soon, stays } from '../../sync/support/soon.ts'
import { tamperedRun } from './support/tampered-run.ts'
import type { Tamper } from './support/tampering.ts'
import { startWorld, type World } from './support/world.ts'

let virtual: World
let host: World

beforeAll(async () => {
  ;[virtual, host] = await Promise.all([startWorld(), startWorld()])
})

afterAll(async () => {
  await virtual?.remove()
  await host?.remove()
})

test('an import that a tenant holds by a finalizer is deleted once, and imported again when it is free', async () => {
  const namespace = 'default'
  let deletions = 0
  const tamper: Tamper = (path, _response, { method }) => {
    if (method === 'DELETE' && path.includes('/secrets/held')) deletions++
    return false
  }
  await host.client.ensureNamespace('shared')
  const source = () =>
    host.client.create(secrets, { metadata: { namespace: 'shared', name: 'held' }, data: { a: 'MQ==' } })
  await source()
  const mappings = { byName: { 'shared/held': 'default/held' } }
  await tamperedRun({ virtual, host }, 'virtual', tamper, {
    sync: { fromHost: { secrets: { enabled: true, mappings } } },
  })
  await soon(async () => expect(await virtual.client.find(secrets, namespace, 'held')).toBeDefined())
  await virtual.client.patch(secrets, namespace, 'held', { metadata: { finalizers: ['example.com/mine'] } })
  await host.client.delete(secrets, 'shared', 'held')
  await soon(async () => {
    const { metadata } = await virtual.client.get(secrets, namespace, 'held')
    expect(metadata.deletionTimestamp).toBeDefined()
  })
  for (let change = 0; change < 10; change++) {
    await virtual.client.patch(secrets, namespace, 'held', { metadata: { annotations: { change: String(change) } } })
  }
  await source()
  await stays(async () => expect(deletions).toBe(1))
  const before = await virtual.client.get(secrets, namespace, 'held')
  await virtual.client.patch(secrets, namespace, 'held', { metadata: { finalizers: null } })
  await soon(async () => {
    const after = await virtual.client.get(secrets, namespace, 'held')
    expect(after.metadata.uid).not.toBe(before.metadata.uid)
    expect(after.data).toEqual({ a: 'MQ==' })
  })
})

test('a claim that its server shows again after every release costs its host a limited number of requests', async () => {
  const namespace = 'default'
  let isReleased = 0
  const run = await tamperedRun({ virtual, host }, 'virtual', (path, response, { method }) => {
    if (method !== 'PATCH' || !path.includes('/persistentvolumeclaims/undead')) return false
    if (isReleased === 0) return false
    isReleased++
    void virtual.client.get(claims, namespace, 'undead').then((shown) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown))
    })
    return true
  })
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } }
  const place = { tenant: run.tenant, hostNamespace: run.tenant }
  await virtual.client.create(claims, { metadata: { namespace, name: 'undead' }, spec })
  await soon(async () => {
    await host.client.get(claims, run.tenant, copyName(place, namespace, 'undead'))
  })
  isReleased = 1
  await virtual.client.delete(claims, namespace, 'undead')
  await soon(async () => expect(isReleased).toBeGreaterThan(1))
  const patchesOf = () => isReleased - 1
  for (let change = 0; change < 200; change++) {
    await virtual.client.patch(claims, namespace, 'undead', { metadata: { annotations: { change: String(change) } } })
  }
  expect(patchesOf()).toBeLessThan(40)
  expect(run.syncer.unexpectedEnd).toBeUndefined()
})
