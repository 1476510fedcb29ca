import type { ClientRequest } from 'node:http'
import { request } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { startLinkPlatform } from '../../link/support.ts'
import { group, management, type TestPlatform } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'
import { whileCountingTurns } from '../hostile-servers/support/turns.ts'
import { type FloodingApi, startFloodingApi } from './flooding-api.ts'

/** Each byte of an answer is a separate chunk. */
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'
const oneByte = '1\r\nx\r\n'
const streams = 8

let platform: TestPlatform
const apis: FloodingApi[] = []

beforeAll(async () => {
  platform = await startLinkPlatform()
})

afterAll(async () => {
  await platform?.stop()
  for (const api of apis) await api.stop()
})

async function cluster(name: string, head: string, flood: string): Promise<FloodingApi> {
  const api = await startFloodingApi(head, flood)
  apis.push(api)
  const config = printKubeconfig([{ name, server: api.url, certificateAuthority: api.authority, token: 't' }])
  const secret = { metadata: { name }, data: { config: Buffer.from(config).toString('base64') } }
  await platform.must('POST', '/api/v1/namespaces/default/secrets', secret)
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName: name, secretNamespace: 'default' } },
  })
  return api
}

interface Follower {
  readonly asked: ClientRequest
  readonly taken: () => number
}

function follow(name: string): Follower {
  let taken = 0
  const path = `/kubernetes/cluster/${name}/api/v1/namespaces/a/pods/b/log?follow=true`
  const headers = { authorization: 'Bearer admin-token' }
  const asked = request({ host: '127.0.0.1', port: platform.server.port, path, headers, rejectUnauthorized: false })
  asked.on('error', () => {})
  asked.on('response', (response) => {
    response.on('error', () => {})
    response.on('data', (bytes: Buffer) => {
      taken += bytes.length
    })
  })
  asked.end()
  return { asked, taken: () => taken }
}

describe('a cluster that floods the platform', () => {
  it('with responses in chunks of one byte yields to all others', async () => {
    await cluster('pieces', ok, oneByte)
    const followers = Array.from({ length: streams }, () => follow('pieces'))
    const taken = () => followers.reduce((sum, each) => sum + each.taken(), 0)
    await eventually(() => expect(followers.every((each) => each.taken() > 0)).toBe(true))
    const before = taken()
    const { count } = await whileCountingTurns(() =>
      eventually(() => expect(taken() - before).toBeGreaterThan(100_000)),
    )
    expect((taken() - before) / count).toBeLessThan(2_000)
    for (const { asked } of followers) asked.destroy()
  })

  it.each([
    ['hints', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'],
    ['continues', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('is aborted when it sends %s before an answer', async (name, hint) => {
    const api = await cluster(name, '', hint)
    const answer = await platform.ask('GET', `/kubernetes/cluster/${name}/api/v1/namespaces/a/pods/b/log?follow=true`)
    expect(answer).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('too many informational answers') },
    })
    await eventually(() => expect(api.connections()).toBe(0))
  })
})
