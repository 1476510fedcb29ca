import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type HookRequest,
  startWebhookServer,
  type WebhookServer,
} from '../../../../tests/support/network/webhook-server.ts'
import { silentLog } from '../../../base/log.ts'
import { systemRandom } from '../../../base/random.ts'
import { AuditWebhook } from './audit-webhook.ts'
import { type AuditWebhookServer, auditWebhookServer } from './webhook-server.ts'

let directory: string
let receiver: WebhookServer
let target: AuditWebhookServer
let received: HookRequest[] = []
let status = 200
let largest = Number.POSITIVE_INFINITY
let poison = ''
let refusals = 0

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-audit-webhook-'))
  receiver = await startWebhookServer((request) => {
    if (request.body.length > largest) return { status: 413, body: '' }
    if (poison !== '' && request.body.includes(poison)) {
      refusals += 1
      return { status: 400, body: '' }
    }
    received.push(request)
    return { status, body: '' }
  })
  const file = join(directory, 'webhook.yaml')
  const cluster = { server: `${receiver.url}/audit`, 'certificate-authority-data': receiver.caBundle }
  const contexts = [{ name: 'a', context: { cluster: 'a', user: 'a' } }]
  const users = [{ name: 'a', user: { token: 'receiver-token' } }]
  const config = { 'current-context': 'a', clusters: [{ name: 'a', cluster }], users, contexts }
  await writeFile(file, JSON.stringify(config))
  target = await auditWebhookServer(file, {}, systemRandom)
})
beforeEach(() => {
  received = []
  status = 200
  largest = Number.POSITIVE_INFINITY
  poison = ''
  refusals = 0
})
afterAll(async () => {
  target.close()
  await receiver.stop()
  await rm(directory, { recursive: true })
})

const started = (maxQueuedBytes?: number) =>
  new AuditWebhook({
    ...target,
    random: systemRandom,
    log: silentLog,
    firstPauseMs: 10,
    ...(maxQueuedBytes && { maxQueuedBytes }),
  })
const taken = () => received.map(({ body }) => body).join('')

describe('the webhook of the audit log', () => {
  it('gets every line once and in order, many at a time, with the credentials of the file', async () => {
    const webhook = started()
    const lines = Array.from({ length: 500 }, (_, number) => `${JSON.stringify({ number })}\n`)
    for (const line of lines) webhook.add(line)
    await expect.poll(() => webhook.counts.sent).toBe(500)
    expect(taken()).toBe(lines.join(''))
    expect(received.length).toBeLessThan(20)
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/audit',
      headers: { authorization: 'Bearer receiver-token', 'content-type': 'application/x-ndjson' },
    })
    await webhook.stop()
  })

  it('gets lines again that it did not accept, and all lines from meanwhile', async () => {
    status = 503
    const webhook = started()
    webhook.add('{"number":1}\n')
    await expect.poll(() => webhook.counts.failures).toBeGreaterThan(1)
    webhook.add('{"number":2}\n')
    expect(webhook.counts).toMatchObject({ queued: 2, sent: 0 })
    received = []
    status = 200
    await expect.poll(() => webhook.counts).toMatchObject({ queued: 0, sent: 2, dropped: 0 })
    expect(taken().endsWith('{"number":1}\n{"number":2}\n')).toBe(true)
    await webhook.stop()
  })

  it('gets fewer lines at once if it refuses many as too large, and none that is too large by itself', async () => {
    largest = 200
    const webhook = started()
    const line = (number: number) => `${JSON.stringify({ number })}\n`
    webhook.add(Array.from({ length: 50 }, (_, number) => line(number)).join(''))
    webhook.add(`${'x'.repeat(300)}\n`)
    webhook.add(line(50))
    await expect.poll(() => webhook.counts).toEqual({ queued: 0, sent: 51, dropped: 1, failures: 0 })
    expect(taken()).toBe(Array.from({ length: 51 }, (_, number) => line(number)).join(''))
    await webhook.stop()
  })

  it('gets all lines but those whose content it refuses', async () => {
    poison = '/etc/passwd'
    const webhook = started()
    const line = (number: number) => `${JSON.stringify({ number, path: number % 10 === 3 ? poison : '/' })}\n`
    const lines = Array.from({ length: 40 }, (_, number) => line(number))
    webhook.add(lines.join(''))
    await expect.poll(() => webhook.counts).toEqual({ queued: 0, sent: 36, dropped: 4, failures: 0 })
    expect(taken()).toBe(lines.filter((each) => !each.includes(poison)).join(''))
    await webhook.stop()
  })

  it('gets lines later that it has refused only because it refused all', async () => {
    poison = 'number'
    const webhook = started()
    webhook.add('{"number":1}\n{"number":2}\n')
    await expect.poll(() => refusals).toBe(3)
    expect(webhook.counts).toEqual({ queued: 2, sent: 0, dropped: 0, failures: 0 })
    poison = ''
    webhook.add('{"number":3}\n')
    await expect.poll(() => webhook.counts).toEqual({ queued: 0, sent: 3, dropped: 0, failures: 0 })
    expect(taken()).toBe('{"number":3}\n{"number":1}\n{"number":2}\n')
    await webhook.stop()
  })

  it('buffers a limited amount while it is unavailable, counts dropped lines, and is given up when the server ends', async () => {
    status = 503
    const webhook = started(100)
    for (let number = 10; number < 30; number++) webhook.add(`{"number":${number}}\n`)
    expect(webhook.counts).toMatchObject({ queued: 7, dropped: 13 })
    await webhook.stop()
  })

  it('a file that cannot be used is refused, without showing its content', async () => {
    const file = join(directory, 'broken.yaml')
    await writeFile(file, 'users: [{name: a, user: {token: receiver-secret}}]')
    const refused = auditWebhookServer(file, {}, systemRandom)
    await expect(refused).rejects.toThrow(/broken\.yaml/)
    await expect(refused).rejects.not.toThrow(/receiver-secret/)
  })
})
