import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createHttpsForwarder } from '../../../src/client/forward/over-https.ts'
import { forwardedApi } from '../../../src/tenant/link/forwarded-api.ts'
import { inside, link, type TestLink, tenantKey } from '../../link/support.ts'
import type { TestPlatform } from '../../platform/platform.ts'
import { http2Client } from '../../server/raw-client.ts'
import { type Replicas, startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'

type Outcome = 'whole' | 'cut'

const piece = 'the first half'

/** An API whose answers are cut in the middle, and which records whether what it gets is whole. */
async function startCuttingApi() {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-cutting-'))
  const options = { directory, name: 'cutting', names: [], clock: systemClock }
  const { key, certificate: cert, authority } = await ensureCertificates(options)
  const received: Outcome[] = []
  let begun = 0
  const server = createServer({ key, cert }, (request, response) => {
    request
      .on('error', () => {})
      .once('data', () => {
        begun += 1
      })
    request.resume().once('close', () => received.push(request.complete ? 'whole' : 'cut'))
    if (request.method === 'PUT') return
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url?.endsWith('version') === true) response.end('{}')
    else response.write(piece, () => setImmediate(() => response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const credentials = { headers: async () => ({}), clientCertificate: async () => undefined, refused: () => false }
  const forwarder = createHttpsForwarder({ url, trust: { mode: 'authority', authority }, credentials }, {})
  return {
    received,
    begun: () => begun,
    virtualApi: forwardedApi(forwarder),
    stop: async () => {
      forwarder.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true })
    },
  }
}

const authorization = 'Bearer admin-token'

const readers: Readonly<Record<string, (platform: TestPlatform, path: string) => Promise<Outcome>>> = {
  'HTTP/1.1': ({ server: { url, authority } }, path) =>
    new Promise((resolve, reject) => {
      httpsRequest(`${url}${path}`, { ca: authority, agent: false, headers: { authorization } }, (answer) => {
        answer.on('error', () => {}).resume()
        answer.once('close', () => resolve(answer.complete ? 'whole' : 'cut'))
      })
        .on('error', reject)
        .end()
    }),
  'HTTP/2': ({ server: { port } }, path) =>
    new Promise((resolve) => {
      const session = http2Client(port)
      const stream = session.request({ ':path': path, authorization })
      stream.on('error', () => {}).resume()
      stream.once('close', () => {
        resolve(stream.rstCode === 0 ? 'whole' : 'cut')
        session.destroy()
      })
    }),
}

/** Sends half of a body, and returns how to break off. */
const senders: Readonly<Record<string, (platform: TestPlatform, path: string) => () => void>> = {
  'HTTP/1.1': ({ server: { url, authority } }, path) => {
    const headers = { authorization, 'transfer-encoding': 'chunked' }
    const asking = httpsRequest(`${url}${path}`, { method: 'PUT', ca: authority, agent: false, headers })
    asking.on('error', () => {}).write(piece)
    return () => asking.destroy()
  },
  'HTTP/2': ({ server: { port } }, path) => {
    const session = http2Client(port)
    const stream = session.on('error', () => {}).request({ ':method': 'PUT', ':path': path, authorization })
    stream.on('error', () => {}).write(piece)
    return () => session.destroy()
  },
}

describe.skipIf(missingEtcd())('what is cut on its way', () => {
  let replicas: Replicas
  let api: Awaited<ReturnType<typeof startCuttingApi>>
  let linked: TestLink
  const platforms: Record<string, TestPlatform> = {}
  beforeAll(async () => {
    ;[replicas, api] = await Promise.all([startReplicas(), startCuttingApi()])
    const direct = await replicas.start()
    const relaying = await replicas.start()
    Object.assign(platforms, { 'the replica of the link': direct, 'another replica': relaying })
    const { url, authority } = direct.server
    linked = link({ accessKey: await tenantKey(direct, 'cut'), url, authority, virtualApi: api.virtualApi })
    await linked.linked()
    await eventually(async () => expect((await relaying.ask('GET', `${inside('dev')}/version`)).status).toBe(200))
  }, 240_000)
  afterAll(async () => {
    await linked.stop()
    await replicas.remove()
    await api.stop()
  })

  const ways = ['the replica of the link', 'another replica'].flatMap((place) =>
    ['HTTP/1.1', 'HTTP/2'].map((protocol) => ({ place, protocol })),
  )
  const at = (place: string) => platforms[place] as TestPlatform

  it.each(ways)('an answer is not whole for its reader, by $place and $protocol', async ({ place, protocol }) => {
    const log = `${inside('dev')}/api/v1/namespaces/a/pods/b/log`
    expect(await readers[protocol]?.(at(place), log)).toBe('cut')
  })

  it.each(ways)('a watch just ends, by $place and $protocol', async ({ place, protocol }) => {
    expect(await readers[protocol]?.(at(place), `${inside('dev')}/api/v1/pods?watch=1`)).toBe('whole')
  })

  it.each(ways)('an upload is not whole for its receiver, by $place and $protocol', async ({ place, protocol }) => {
    const [before, begun] = [api.received.length, api.begun()]
    const breakOff = senders[protocol]?.(at(place), `${inside('dev')}/api/v1/namespaces/a/services/b/proxy/file`)
    await eventually(async () => expect(api.begun()).toBe(begun + 1))
    breakOff?.()
    await eventually(async () => expect(api.received.slice(before)).toEqual(['cut']))
  })
})
