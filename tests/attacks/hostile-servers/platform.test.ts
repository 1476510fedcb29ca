import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { answer, type Respond, type ScriptedServer, startScriptedServer } from '../../client/scripted-server.ts'
import { group, keysPath, management, startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { megabyte, pour } from './support/hostile-server.ts'
import { whileCountingTurns } from './support/turns.ts'

let platform: TestPlatform
let count = 0
const secretsPath = '/api/v1/namespaces/default/secrets'

beforeAll(async () => {
  platform = await startPlatform()
  await platform.must('POST', `${management}/users`, { metadata: { name: 'ann' } })
})

afterAll(() => platform?.stop())

/** A host cluster, registered as an administrator of a host may do. It ends with the test. */
async function register(respond: Respond): Promise<{ readonly name: string; readonly server: ScriptedServer }> {
  const server = await startScriptedServer(respond)
  const name = `hostile-${++count}`
  const config = Buffer.from(server.kubeconfig()).toString('base64')
  await platform.must('POST', secretsPath, { metadata: { name }, data: { config } })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName: name, secretNamespace: 'default' } },
  })
  onTestFinished(async () => {
    await platform.ask('DELETE', `${management}/clusters/${name}`)
    await server.stop()
  })
  return { name, server }
}

interface Key {
  readonly name: string
  readonly value: string
}

async function keyOfAnn(): Promise<Key> {
  const name = `anns-${++count}`
  const { spec } = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann' } })
  return { name, value: spec.key }
}

/** A cluster that behaves until it holds a Secret of the key, and then attacks. */
async function keyKeptAt(hostile: Respond): Promise<{ readonly key: Key; readonly server: ScriptedServer }> {
  const key = await keyOfAnn()
  let isHostile = false
  const { name: cluster, server } = await register((response, heard, number) => {
    if (isHostile) return hostile(response, heard, number)
    if (heard.path.includes('selfsubjectaccessreviews')) return answer(response, 201, { status: { allowed: true } })
    answer(response, 200, secretWith(Buffer.from(key.value).toString('base64')))
  })
  const managedSecrets = [{ cluster, namespace: 'default', name: 'kept' }]
  const body = { spec: { managedSecrets } }
  const { status, text } = await platform.ask('PATCH', `${keysPath}/${key.name}`, {
    body,
    type: 'application/merge-patch+json',
  })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  isHostile = true
  return { key, server }
}

function secretWith(accessKey: unknown) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'kept', namespace: 'default', uid: 'u-1', resourceVersion: '1' },
    data: { accessKey },
  }
}

/** A user rotates her own key, while another client polls whether the platform is alive. */
async function rotateWithHeartbeats({ name, value }: Key) {
  let isOver = false
  let beats = 0
  const beating = async () => {
    while (!isOver) if ((await platform.ask('GET', '/livez')).status === 200) beats++
  }
  const heart = beating()
  const turns = await whileCountingTurns(() =>
    platform.ask('POST', `${keysPath}/${name}/rotate`, {
      token: value,
      body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' },
    }),
  )
  isOver = true
  await heart
  return { ...turns, beats }
}

describe('a registered cluster, while a user rotates one of her keys,', () => {
  test('gets no request if it holds no Secret of the key', async () => {
    const { server } = await register(() => {})
    const { outcome } = await rotateWithHeartbeats(await keyOfAnn())
    expect([outcome.status, outcome.warnings, server.heard]).toEqual([201, [], []])
  })

  test('that answers with a Secret of 60 MB does not block other callers', async () => {
    const sent: { bytes: number }[] = []
    const { key } = await keyKeptAt((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"kind":"Secret","apiVersion":"v1","metadata":{"name":"kept"},"data":{"accessKey":"')
      sent.push(pour(response, Buffer.alloc(64 * 1024, 'x'), 60 * megabyte))
    })
    const { outcome, longestMs, beats } = await rotateWithHeartbeats(key)
    expect(outcome.status).toBe(201)
    expect(outcome.warnings.join()).toContain('not rewritten')
    expect(beats).toBeGreaterThan(0)
    expect(longestMs).toBeLessThan(1_000)
    expect(sent[0]?.bytes).toBeLessThan(20 * megabyte)
  })

  test('that sends a Secret with a million values does not block other callers', async () => {
    const text = `{"metadata":{"name":"kept","uid":"u-1"},"data":[${'[],'.repeat(600_000)}0]}`
    const { key } = await keyKeptAt((response) => response.writeHead(200).end(text))
    const { outcome, longestMs } = await rotateWithHeartbeats(key)
    expect(outcome.status).toBe(201)
    expect(outcome.warnings.join()).toContain('not rewritten')
    expect(longestMs).toBeLessThan(1_000)
  })

  test('that never answers delays only her request, by a few seconds', async () => {
    const { key } = await keyKeptAt(() => {})
    const { outcome, beats } = await rotateWithHeartbeats(key)
    expect(outcome.status).toBe(201)
    expect(outcome.warnings.join()).toContain('its cluster was not reached')
    expect(beats).toBeGreaterThan(10)
  })
})

test('a cluster with a kubeconfig of a megabyte is not called, and the caller gets the reason', async () => {
  const name = 'large-kubeconfig'
  const config = Buffer.from(JSON.stringify({ x: 'x'.repeat(700_000) })).toString('base64')
  await platform.must('POST', secretsPath, { metadata: { name }, data: { config } })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName: name, secretNamespace: 'default' } },
  })
  const { status, text } = await platform.ask('GET', `/kubernetes/cluster/${name}/api/v1/namespaces`)
  expect([status, text]).toEqual([503, expect.stringContaining('more than 65536 bytes')])
})
