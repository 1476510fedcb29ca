import { type ClientHttp2Session, connect } from 'node:http2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '../../platform/platform.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { rawAsk } from '../support/raw-ask.ts'
import { get } from '../transport/support/http1.ts'
import { type FairWorld, startFairWorld } from './support/world.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const forms = [
  ['in one buffer', '/api/v1/namespaces/small/configmaps', 'application/json'],
  ['in pieces', '/api/v1/namespaces/large/configmaps', 'application/json'],
  ['as a Table', '/api/v1/namespaces/large/configmaps?includeObject=Object', table],
  ['indented', '/api/v1/namespaces/large/configmaps?pretty=true', 'application/json'],
  ['as YAML', '/api/v1/namespaces/large/configmaps', 'application/yaml'],
] as const
const inPlace = 'apiserver_flowcontrol_current_executing_requests{priority_level="callers"}'

describe('long responses that their client does not read', () => {
  let world: FairWorld
  let session: ClientHttp2Session | undefined
  let clients: readonly RawClient[] = []
  beforeAll(async () => {
    world = await startFairWorld({ maxRequestsInFlight: 240, unreadTimeoutMs: 300_000, longestWaitMs: 300_000 })
    for (const [namespace, count, bytes] of [
      ['small', 8, 100_000],
      ['large', 40, 100_000],
      // Much more than a connection buffers while its client reads nothing: 4 MB to send, and some to receive.
      ['huge', 25, 900_000],
    ] as const) {
      await world.platform.must('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
      for (let index = 0; index < count; index += 1) {
        await world.platform.must('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
          metadata: { name: `c-${index}` },
          data: { text: 'x'.repeat(bytes) },
        })
      }
    }
    for (const user of ['mallory', 'bob']) {
      await grant(world.platform, user, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'get'] }])
    }
  }, 240_000)
  afterEach(async () => {
    session?.destroy()
    for (const client of clients) client.destroy()
    await world.until(inPlace, 0)
  })
  afterAll(() => world.stop())

  /** Sends `count` requests whose answers are not read beyond the window of HTTP/2. */
  const askWithoutReading = (count: number, path: string, accept: string) => {
    const opened = connect(`https://127.0.0.1:${world.port}`, { rejectUnauthorized: false })
    session = opened
    opened.on('error', () => {}).setMaxListeners(0)
    const authorization = `Bearer ${world.mallory}`
    for (let index = 0; index < count; index += 1) {
      opened.request({ ':path': path, authorization, accept }).on('error', () => {})
    }
  }

  test.each(forms)('each occupy a slot of their caller, %s', async (_, path, accept) => {
    askWithoutReading(30, path, accept)
    await world.until(inPlace, 5)
    const asked = { url: '/api/v1/namespaces/small/configmaps/c-0', token: world.bob }
    expect((await rawAsk('HTTP/1.1', world.port, asked)).status).toBe(200)
    // The place of the other user may be free a moment after its answer.
    await world.until(inPlace, 5)
  })

  test('each occupy a slot of their caller, even if they also request an upgrade', async () => {
    clients = await Promise.all(Array.from({ length: 12 }, () => tlsClient(world.port)))
    const more = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    for (const client of clients) {
      client.socket.pause()
      client.send(get('/api/v1/namespaces/huge/configmaps', { token: world.mallory }, more))
    }
    await world.until(inPlace, 5)
    const asked = { url: '/api/v1/namespaces/small/configmaps/c-0', token: world.bob }
    expect((await rawAsk('HTTP/1.1', world.port, asked)).status).toBe(200)
    // The place of the other user may be free a moment after its answer.
    await world.until(inPlace, 5)
  })
})
