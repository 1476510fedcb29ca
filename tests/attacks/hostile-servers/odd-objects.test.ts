import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { pods } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import { tamperedRun } from './support/tampered-run.ts'
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

const namespace = 'default'
const named = (name: string) => ({ metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: '1' } })
const containers = [{ name: 'main', image: 'app:1' }]
const config = { networking: { apiAddress: '10.9.9.9:443', dnsAddress: '10.9.9.9' } }

/** Kubernetes would refuse each of them, but the server of a tenant may be any server. */
test.each([
  ['a node that is a number', 'pods', { spec: { containers, nodeName: 5 } }],
  ['a node that is a list', 'pods', { spec: { containers, nodeName: ['a'] } }],
  ['ports that are no list', 'services', { spec: { clusterIP: '10.0.0.1', ports: { http: 80 } } }],
  ['ports that are null', 'services', { spec: { clusterIP: '10.0.0.1', ports: [null] } }],
  ['a type that is an object', 'services', { spec: { type: {}, clusterIP: ['10.0.0.1'], ports: [{ port: 'x' }] } }],
])('an object with %s ends no process and keeps no Pod from running', async (_what, resource, fields) => {
  const run = await tamperedRun(
    { virtual, host },
    'virtual',
    (path, response, { method }) => {
      const isList = path.split('?')[0] === `/api/v1/${resource}` && !path.includes('watch=')
      if (method !== 'GET' || !isList) return false
      void virtual.client.request('GET', path.replace(/limit=\d+/, '')).then(({ status, body }) => {
        const { items = [], ...list } = body as { readonly items?: readonly object[] }
        const answer = { ...list, items: [{ ...named('odd'), ...fields }, ...items] }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      })
      return true
    },
    config,
  )
  const place = { tenant: run.tenant, hostNamespace: run.tenant }
  const name = `beside-${run.tenant}`
  await soon(async () => {
    await virtual.client.create(pods, { metadata: { namespace, name }, spec: { containers } })
  })
  await soon(async () => {
    expect(run.syncer.unexpectedEnd).toBeUndefined()
    await host.client.get(pods, run.tenant, copyName(place, namespace, name))
  })
  expect(run.syncer.unexpectedEnd).toBeUndefined()
})
