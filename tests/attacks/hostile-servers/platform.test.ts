import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Respond, type ScriptedServer, startScriptedServer } from '../../client/scripted-server.ts'
import { group, keysPath, management, startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { listOf, megabyte, pour } from './support/hostile-server.ts'
import { whileCountingTurns } from './support/turns.ts'

let platform: TestPlatform
let count = 0
const secretsPath = '/api/v1/namespaces/default/secrets'

beforeAll(async () => {
  platform = await startPlatform()
  await platform.must('POST', `${management}/users`, { metadata: { name: 'ann' } })
})

afterAll(() => platform?.stop())

/** A host cluster as somebody may register it. It goes with the test. */
async function register(respond: Respond): Promise<ScriptedServer> {
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
  return server
}

async function keyOfAnn(): Promise<{ readonly name: string; readonly value: string }> {
  const name = `anns-${count}`
  const { spec } = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann' } })
  return { name, value: spec.key }
}

/** A user rotates a key of her own, while somebody else asks whether the platform is alive. */
async function rotateWithHeartbeats() {
  const { name, value } = await keyOfAnn()
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

const secret = (index: number) => ({
  metadata: { name: `s-${index}`, namespace: 'default', uid: `u-${index}`, resourceVersion: '1' },
  data: { accessKey: 'x'.repeat(1_000) },
})

describe('a registered cluster, while a user rotates a key of her own,', () => {
  test('that answers a list of Secrets with 60 MB stops nobody', async () => {
    const sent: { bytes: number }[] = []
    await register((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[')
      sent.push(pour(response, Buffer.from(`${JSON.stringify(secret(1))},`.repeat(60)), 60 * megabyte))
    })
    const { outcome, longestMs, beats } = await rotateWithHeartbeats()
    expect(outcome.status).toBe(201)
    expect(outcome.warnings.join()).toContain('not rewritten')
    expect(beats).toBeGreaterThan(0)
    expect(longestMs).toBeLessThan(1_000)
    expect(sent[0]?.bytes).toBeLessThan(20 * megabyte)
  })

  test('whose list of Secrets never ends stops nobody', async () => {
    const server = await register((response) => response.writeHead(200).end(listOf([secret(1)], { continue: 'again' })))
    const { outcome } = await rotateWithHeartbeats()
    expect(outcome.status).toBe(201)
    expect(server.heard.length).toBeLessThan(5)
  })

  test('whose pages are new ones for ever is given up', async () => {
    const server = await register((response, _, number) =>
      response.writeHead(200).end(listOf([secret(number)], { continue: `page-${number}` })),
    )
    expect((await rotateWithHeartbeats()).outcome.status).toBe(201)
    expect(server.heard.length).toBeLessThanOrEqual(10)
  })

  test('that sends a Secret of a million values stops nobody', async () => {
    const text = `{"metadata":{},"items":[{"metadata":{"name":"x"},"data":[${'[],'.repeat(600_000)}0]}]}`
    await register((response) => response.writeHead(200).end(text))
    const { outcome, longestMs } = await rotateWithHeartbeats()
    expect(outcome.status).toBe(201)
    expect(longestMs).toBeLessThan(1_000)
  })

  test('that never answers costs her a few seconds, and nobody else anything', async () => {
    await register(() => {})
    const { outcome, beats } = await rotateWithHeartbeats()
    expect(outcome.status).toBe(201)
    expect(beats).toBeGreaterThan(10)
  })
})

test('a cluster whose kubeconfig is a megabyte is not reached, and whoever asks is told why', async () => {
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
