import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/api-server.ts'
import { clientOf, group, keysPath, management, startPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
let host: TestServer
let onHost: ReturnType<typeof clientOf>

const secretsPath = '/api/v1/namespaces/default/secrets'
const encoded = (value: string) => Buffer.from(value).toString('base64')

beforeAll(async () => {
  ;[platform, host] = await Promise.all([startPlatform(), startTestServer()])
  onHost = clientOf(host.url, host.authority)
  const kubeconfig = { metadata: { name: 'host-kubeconfig' }, data: { config: encoded(host.kubeconfig()) } }
  await platform.must('POST', secretsPath, kubeconfig)
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'host' },
    spec: { config: { secretName: 'host-kubeconfig', secretNamespace: 'default' } },
  })
})

afterAll(async () => {
  await onHost.close()
  await Promise.all([platform.stop(), host.stop()])
})

async function makeKey(name: string): Promise<string> {
  return (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin' } })).spec.key
}

function secretWith(name: string, value: string, keyName?: string) {
  const labels = keyName === undefined ? {} : { 'tenant.internal/access-key': keyName }
  return { metadata: { name, labels }, data: { accessKey: encoded(value), host: encoded('platform.example') } }
}

async function rotate(name: string): Promise<string> {
  const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation', overlapSeconds: 60 }
  return (await platform.must('POST', `${keysPath}/${name}/rotate`, body)).spec.key
}

async function valueIn(name: string, cluster: 'platform' | 'host'): Promise<string> {
  const client = cluster === 'host' ? onHost : platform
  const { body } = await client.ask('GET', `${secretsPath}/${name}`)
  return Buffer.from(body.data.accessKey, 'base64').toString()
}

describe('a key that is rotated', () => {
  it('is written into the Secrets with its label that hold it, here and in every cluster', async () => {
    const before = await makeKey('shared')
    await platform.must('POST', secretsPath, secretWith('shared', before, 'shared'))
    await onHost.ask('POST', secretsPath, { body: secretWith('shared', `${before}\n`, 'shared') })
    const after = await rotate('shared')
    expect([await valueIn('shared', 'platform'), await valueIn('shared', 'host')]).toEqual([after, after])
    const { body } = await onHost.ask('GET', `${secretsPath}/shared`)
    expect(body.data.host).toBe(encoded('platform.example'))
  })

  it('is given to nobody who only says that they have it', async () => {
    await makeKey('wanted')
    const forged = 'x'.repeat(40)
    await onHost.ask('POST', secretsPath, { body: secretWith('forged', forged, 'wanted') })
    await platform.must('POST', secretsPath, secretWith('forged', forged, 'wanted'))
    await rotate('wanted')
    expect([await valueIn('forged', 'host'), await valueIn('forged', 'platform')]).toEqual([forged, forged])
  })

  it('leaves Secrets alone that nobody has asked it to keep', async () => {
    const before = await makeKey('plain')
    await onHost.ask('POST', secretsPath, { body: secretWith('plain', before) })
    await rotate('plain')
    expect(await valueIn('plain', 'host')).toBe(before)
  })

  it('is rotated although a cluster cannot be reached', async () => {
    await platform.must('POST', `${management}/clusters`, {
      apiVersion: `${group}/v1`,
      kind: 'Cluster',
      metadata: { name: 'gone' },
      spec: { config: { secretName: 'nowhere', secretNamespace: 'default' } },
    })
    const before = await makeKey('lonely')
    await onHost.ask('POST', secretsPath, { body: secretWith('lonely', before, 'lonely') })
    expect(await valueIn('lonely', 'host')).toBe(before)
    const after = await rotate('lonely')
    expect(await valueIn('lonely', 'host')).toBe(after)
  })
})

describe('a Secret that cannot be rewritten', () => {
  it('costs nobody the new value, and the caller is told which', async () => {
    const before = await makeKey('stuck')
    const immutable = { ...secretWith('stuck', before, 'stuck'), immutable: true }
    await platform.must('POST', secretsPath, immutable)
    await onHost.ask('POST', secretsPath, { body: immutable })
    await onHost.ask('POST', secretsPath, { body: secretWith('loose', before, 'stuck') })
    const { status, body, warnings } = await platform.ask('POST', `${keysPath}/stuck/rotate`, {
      body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' },
    })
    expect(status).toBe(201)
    expect((await platform.ask('POST', `${management}/selves`, { token: body.spec.key, body: {} })).status).toBe(201)
    expect(await valueIn('loose', 'host')).toBe(body.spec.key)
    expect([await valueIn('stuck', 'platform'), await valueIn('stuck', 'host')]).toEqual([before, before])
    expect(warnings.join()).toContain('Secret default/stuck')
    expect(warnings.join()).toContain('Secret default/stuck of cluster host')
    expect(warnings.join()).toContain('cluster gone')
    expect(warnings.join()).not.toContain('loose')
  })

  it('is only counted for who may not read it', async () => {
    await platform.must('POST', `${management}/users`, { metadata: { name: 'ann' } })
    const { spec } = await platform.must('POST', keysPath, { metadata: { name: 'anns' }, spec: { user: 'ann' } })
    await platform.must('POST', secretsPath, { ...secretWith('anns', spec.key, 'anns'), immutable: true })
    const { status, body, warnings } = await platform.ask('POST', `${keysPath}/anns/rotate`, {
      token: spec.key,
      body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' },
    })
    expect([status, body.spec.key === spec.key]).toEqual([201, false])
    expect(warnings.join()).toContain('2 more that are not named here')
    expect(warnings.join()).not.toMatch(/default|gone/)
  })
})
