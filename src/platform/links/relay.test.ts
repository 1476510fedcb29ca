import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startFaultyTcp } from '../../../tests/support/network/faulty-tcp.ts'
import { ensureCertificates } from '../../base/certificates/ensure.ts'
import { monotonicClock, systemClock } from '../../base/clock.ts'
import { giveUpAnswer, streamOf } from '../../client/forward/give-up.ts'
import { Relay } from './relay.ts'
import type { ReplicaAddress } from './replica-lease.ts'

/** A replica that begins every answer and ends none, as with watches. */
async function startReplica(): Promise<{ readonly address: ReplicaAddress; readonly connections: () => number }> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-relay-'))
  const names = ['127.0.0.1']
  const { key, certificate } = await ensureCertificates({ directory, name: 'replica', names, clock: systemClock })
  const server = createSecureServer({ key, cert: certificate, settings: { maxConcurrentStreams: 250 } })
  let connections = 0
  server.on('session', () => {
    connections += 1
  })
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    rmSync(directory, { recursive: true })
  })
  const bound = server.address()
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0
  const { fingerprint256: fingerprint } = new X509Certificate(certificate)
  return { address: { url: `https://127.0.0.1:${port}`, fingerprint }, connections: () => connections }
}

const tenant = { project: 'default', name: 'dev' }
const watch = { method: 'GET', url: '/api/v1/pods?watch=1', headers: [], body: undefined, upgrade: undefined }

it('concurrent requests need no more connections than sequential ones', async () => {
  const replica = await startReplica()
  const relay = new Relay(() => 'token', monotonicClock)
  onTestFinished(() => relay.close())
  const ask = () => relay.forward(replica.address, tenant, { ...watch, signal: new AbortController().signal })
  const answers = await Promise.all(Array.from({ length: 500 }, ask))
  expect(answers.every((answer) => answer.form === 'answer' && answer.status === 200)).toBe(true)
  expect(replica.connections()).toBe(3)
})

it('an unavailable replica fails for all requests that wait', async () => {
  const relay = new Relay(() => 'token', monotonicClock)
  const { signal } = new AbortController()
  const address = { url: 'https://127.0.0.1:1', fingerprint: '00'.repeat(32) }
  const asked = [1, 2].map(() => relay.forward(address, tenant, { ...watch, signal }))
  for (const each of asked) await expect(each).rejects.toMatchObject({ code: 503 })
})

it('a replica that has fallen silent ends what was under way, and later requests open another connection', async () => {
  const replica = await startReplica()
  const network = await startFaultyTcp(Number(new URL(replica.address.url).port))
  const address = { ...replica.address, url: `https://127.0.0.1:${network.port}` }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let nowMs = 0
  const relay = new Relay(() => 'token', { now: () => nowMs })
  onTestFinished(async () => {
    vi.useRealTimers()
    relay.close()
    await network.remove()
  })
  const ask = () => relay.forward(address, tenant, { ...watch, signal: new AbortController().signal })
  const stream = streamOf(await ask())
  const ended = new Promise<void>((resolve) => stream.once('close', resolve))
  stream.on('error', () => {})
  await network.set({ kind: 'stalled' })
  for (; nowMs <= 30_000; nowMs += 10_000) vi.advanceTimersByTime(10_000)
  await ended
  await network.set({ kind: 'fine' })
  giveUpAnswer(await ask())
  expect(replica.connections()).toBe(2)
})
