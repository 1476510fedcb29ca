import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'

/** Of many concurrent changes to one object, one is written, and all others are computed again. */

const writers = 40
const path = '/api/v1/namespaces/default/configmaps/raced'
let server: TestServer
let client: ReturnType<typeof clientOf>

beforeAll(async () => {
  // A slow machine lets the last of them wait for long.
  server = await startTestServer({ server: { limits: { longestWaitMs: 300_000 } } })
  client = clientOf(server.url, server.authority)
  const body = { metadata: { name: 'raced' }, data: {} }
  expect((await client.ask('POST', '/api/v1/namespaces/default/configmaps', { body })).status).toBe(201)
})
afterAll(async () => {
  await client?.close()
  await server?.stop()
})

const fieldsOf = (writer: number) =>
  Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${writer}-${index}`, 'v']))

it('concurrent applies by many managers to one object all succeed', async () => {
  const answers = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      client.ask('PATCH', `${path}?fieldManager=m${writer}&force=true`, {
        type: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'raced' }, data: fieldsOf(writer) },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: writers }, () => 200))
  const { data } = (await client.ask('GET', path)).body
  expect(Object.keys(data)).toHaveLength(writers * 100)
})
