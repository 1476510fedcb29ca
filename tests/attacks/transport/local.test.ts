import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { KubeClient } from '../../../src/client/contract.ts'
import type { LocalAnswer } from '../../../src/client/local/contract.ts'
import { Exchange } from '../../../src/server/exchange.ts'
import { LocalConnections } from '../../../src/server/local/local-server.ts'
import { clientByKubeconfig, configMap, configMaps } from '../../client/client-of.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'

describe('a request to a server of the same process', () => {
  let server: TestServer
  let client: KubeClient

  beforeEach(async () => {
    server = await startTestServer()
    client = await clientByKubeconfig(server.kubeconfig(), {}, server.engine.server.local)
  })

  afterEach(async () => {
    await client.close()
    await server.stop()
  })

  const inPlace = async () => {
    const { local } = server.engine.server
    const headers = { authorization: 'Bearer admin-token' }
    const { body } = await local.ask({ method: 'GET', url: '/metrics', headers, body: undefined, signal: undefined })
    return Number(/^apiserver_current_inflight_requests (\d+)$/m.exec(String(body))?.[1])
  }

  test('a list above the limit of its reader releases its slot', async () => {
    for (let index = 0; index < 10; index++)
      await client.create(configMaps, configMap('default', `large-${index}`, { x: 'x'.repeat(60_000) }))
    const before = await inPlace()
    for (let index = 0; index < 3; index++) {
      const listed = client.list(configMaps, { namespace: 'default', atMost: { bytes: 1_000 } })
      await expect(listed).rejects.toThrow('larger than 1000 bytes')
    }
    await eventually(async () => expect(await inPlace()).toBe(before))
  })
})

test('an abandoned response is not read any more, without a busy loop', async () => {
  const local = endless()
  const answer = await local.ask({ ...asked, signal: undefined })
  answer.leave()
  await expect(readAll(answer)).rejects.toThrow('is no longer needed')
  await local.close(600_000)
})

const asked = { method: 'GET', url: '/', headers: {}, body: undefined }

/** A server whose answers fail after their head was sent, and which then tries to answer with an internal error. */
function failing(): LocalConnections {
  return new LocalConnections((request, send) => {
    const exchange = new Exchange(request, 'id', { atMs: 0, elapsedMs: 0 })
    const start = () => {
      throw new Error('a defect')
    }
    try {
      send(exchange, { status: 200, headers: [], body: { form: 'stream', start } })
    } catch {
      send(exchange, { status: 500, headers: [], body: Buffer.from('a defect') })
    }
  })
}

/** A server whose answers never end. */
function endless(): LocalConnections {
  return new LocalConnections((request, send) => {
    send(new Exchange(request, 'id', { atMs: 0, elapsedMs: 0 }), {
      status: 200,
      headers: [],
      body: { form: 'stream', start: () => {} },
    })
  })
}

async function readAll({ body }: LocalAnswer): Promise<void> {
  if (Buffer.isBuffer(body)) return
  for await (const _ of body);
}

test('a response that fails after it has started is cut, and its reader gets an error', async () => {
  const local = failing()
  const answer = await local.ask({ ...asked, signal: undefined })
  await expect(readAll(answer)).rejects.toThrow('the server cut its answer')
  await local.close(600_000)
})
