import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VirtualApi } from '../../src/tenant/link/contract.ts'
import { LateVirtualApi } from '../../src/tenant/link/late-api.ts'
import type { TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { stopsWithTest } from './stops-with-test.ts'
import { embedded, inside, link, startLinkPlatform, tenantKey } from './support.ts'

let platform: TestPlatform
let virtual: TestServer

beforeAll(async () => {
  ;[platform, virtual] = await Promise.all([startLinkPlatform(), startTestServer()])
})
afterAll(async () => {
  await Promise.all([platform.stop(), virtual.stop()])
})

/** Counts the requests that have reached it. */
function countingWaiters(api: VirtualApi) {
  const waiters = { count: 0 }
  const counted: VirtualApi = {
    serve: (request) => {
      waiters.count += 1
      api.serve(request)
    },
    bindClusterRole: (role) => {
      waiters.count += 1
      return api.bindClusterRole(role)
    },
  }
  return { waiters, counted }
}

it('a request to a starting virtual cluster waits until it can be answered', async () => {
  const virtualApi = new LateVirtualApi()
  const { url, authority } = platform.server
  const accessKey = await tenantKey(platform, 'starting')
  const { waiters, counted } = countingWaiters(virtualApi)
  await stopsWithTest(link({ url, authority, accessKey, name: 'starting', virtualApi: counted })).linked()
  const reading = platform.ask('GET', `${inside('starting')}/version`)
  const writing = platform.ask('POST', `${inside('starting')}/api/v1/namespaces/default/configmaps`, {
    body: { metadata: { name: 'early' }, data: { a: 'b' } },
  })
  await eventually(() => expect(waiters.count).toBeGreaterThan(0))
  virtualApi.become(embedded(virtual))
  expect((await reading).status).toBe(200)
  expect((await writing).status).toBe(201)
})

it('an existing virtual cluster answers callers with bound roles while it is still starting', async () => {
  const virtualApi = new LateVirtualApi()
  const { url, authority } = platform.server
  const accessKey = await tenantKey(platform, 'early')
  const { waiters, counted } = countingWaiters(virtualApi)
  await stopsWithTest(link({ url, authority, accessKey, name: 'early', virtualApi: counted })).linked()
  const reading = platform.ask('GET', `${inside('early')}/version`)
  await eventually(() => expect(waiters.count).toBeGreaterThan(0))
  const { serve } = embedded(virtual)
  virtualApi.answerBy({ serve, isBound: (role) => role !== 'new' })
  expect((await reading).status).toBe(200)
  await virtualApi.bindClusterRole('bound')
  const order: string[] = []
  const binding = virtualApi.bindClusterRole('new').then(() => order.push('bound'))
  await platform.ask('GET', `${inside('early')}/version`)
  order.push('there')
  virtualApi.become({ serve, bindClusterRole: async () => {} })
  await binding
  expect(order).toEqual(['there', 'bound'])
})

it('and is refused with the reason after a time limit', async () => {
  const { url, authority } = platform.server
  const accessKey = await tenantKey(platform, 'never')
  const virtualApi = new LateVirtualApi()
  await stopsWithTest(link({ url, authority, accessKey, name: 'never', virtualApi })).linked()
  const { status, body } = await platform.ask('GET', `${inside('never')}/version`)
  expect([status, body.message]).toEqual([503, 'the virtual cluster is being started'])
})
