import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KubeClient } from '../../src/client/contract.ts'
import { startTestServer, type TestServer } from '../support/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { clientOf, configMap, configMaps } from './client-of.ts'

let server: TestServer
let client: KubeClient

beforeAll(async () => {
  server = await startTestServer()
  client = await clientOf(server.kubeconfig())
})

afterAll(async () => {
  await client.close()
  await server.stop()
})

it('writes and reads', async () => {
  const created = await client.create(configMaps, configMap('a', { x: '1' }))
  expect(await client.get(configMaps, { namespace: 'default', name: 'a' })).toEqual(created)
  const updated = await client.update(configMaps, { ...created, data: { x: '2' } })
  await expect(client.update(configMaps, { ...created, data: { x: '3' } })).rejects.toMatchObject({ code: 409 })
  const patched = await client.patch(
    configMaps,
    { namespace: 'default', name: 'a' },
    { type: 'merge', body: { data: { y: '1' } } },
  )
  expect(patched.data).toEqual({ x: '2', y: '1' })
  await expect(
    client.delete(configMaps, { namespace: 'default', name: 'a' }, { uid: 'another' }),
  ).rejects.toMatchObject({ code: 409 })
  await client.delete(configMaps, { namespace: 'default', name: 'a' }, { uid: updated.metadata.uid ?? '' })
  await expect(client.get(configMaps, { namespace: 'default', name: 'a' })).rejects.toMatchObject({ code: 404 })
})

it('finds what is served', async () => {
  expect(await client.served.find('', 'configmaps')).toEqual(configMaps)
  expect(await client.served.find('', 'nothing')).toBeUndefined()
  expect((await client.served.findPlural('leases'))[0]?.group).toBe('coordination.k8s.io')
})

it('follows', async () => {
  const informer = client.informer(configMaps, { namespace: 'default' })
  await informer.whenSynced()
  const told: string[] = []
  informer.onChange(({ before, after }) => told.push(`${before?.metadata.name} ${after?.metadata.name}`))
  told.length = 0
  await client.create(configMaps, configMap('b'))
  await client.delete(configMaps, { namespace: 'default', name: 'b' })
  await eventually(() => expect(told).toEqual(['undefined b', 'b undefined']))
  informer.stop()
})
