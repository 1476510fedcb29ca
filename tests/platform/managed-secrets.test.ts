import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { type clientOf, group, keysPath, management, startPlatform, type TestPlatform } from './platform.ts'
import { clusterNamed, encoded, registerHost, secretsPath } from './registered-host.ts'

let platform: TestPlatform
let host: TestServer
let onHost: ReturnType<typeof clientOf>

beforeAll(async () => {
  ;[platform, host] = await Promise.all([startPlatform(), startTestServer()])
  onHost = await registerHost(platform, host)
})

afterAll(async () => {
  await onHost.close()
  await Promise.all([platform.stop(), host.stop()])
})

async function makeKey(name: string): Promise<string> {
  return (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin' } })).spec.key
}

function secretWith(name: string, value: string, entry = 'accessKey') {
  return { metadata: { name }, data: { [entry]: encoded(value), host: encoded('platform.example') } }
}

const merge = 'application/merge-patch+json'

function add(keyName: string, ...managedSecrets: readonly object[]) {
  return platform.ask('PATCH', `${keysPath}/${keyName}`, { body: { spec: { managedSecrets } }, type: merge })
}

const here = (name: string) => ({ namespace: 'default', name })
const there = (name: string) => ({ cluster: 'host', ...here(name) })

function rotate(name: string, body: object = {}, query = '') {
  return platform.ask('POST', `${keysPath}/${name}/rotate${query}`, {
    body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation', overlapSeconds: 60, ...body },
  })
}

async function valueIn(name: string, cluster: 'platform' | 'host', entry = 'accessKey'): Promise<string> {
  const client = cluster === 'host' ? onHost : platform
  const { body } = await client.ask('GET', `${secretsPath}/${name}`)
  return Buffer.from(body.data[entry], 'base64').toString()
}

describe('a key that is rotated', () => {
  it('is written into its Secrets, here and in clusters, into their entries only', async () => {
    const before = await makeKey('shared')
    await platform.must('POST', secretsPath, secretWith('shared', before))
    await onHost.ask('POST', secretsPath, { body: secretWith('shared', `${before}\n`, 'token') })
    expect((await add('shared', here('shared'), { ...there('shared'), entry: 'token' })).status).toBe(200)
    const after = (await rotate('shared')).body.spec.key
    expect([await valueIn('shared', 'platform'), await valueIn('shared', 'host', 'token')]).toEqual([after, after])
    expect((await onHost.ask('GET', `${secretsPath}/shared`)).body.data.host).toBe(encoded('platform.example'))
    const again = (await rotate('shared')).body.spec.key
    expect([await valueIn('shared', 'platform'), await valueIn('shared', 'host', 'token')]).toEqual([again, again])
  })

  it('says who added which Secret and when, and reports it as an Event', async () => {
    const before = await makeKey('told')
    await platform.must('POST', secretsPath, secretWith('told', before))
    const { status, spec } = (await add('told', here('told'))).body
    expect(spec.managedSecrets).toEqual([here('told')])
    expect(status.managedSecrets).toEqual([
      { ...here('told'), uid: expect.any(String), addedBy: 'admin', addedAt: expect.any(String) },
    ])
    await expect
      .poll(async () => (await platform.ask('GET', '/api/v1/events')).text)
      .toContain('every new value is written into Secret default/told, which admin added')
  })

  it('ignores a Secret that was removed from it', async () => {
    const before = await makeKey('taken')
    await platform.must('POST', secretsPath, secretWith('taken', before))
    await add('taken', here('taken'))
    expect((await add('taken')).body.status.managedSecrets).toBeUndefined()
    await rotate('taken')
    expect(await valueIn('taken', 'platform')).toBe(before)
  })

  it('lists each Secret first, and writes only to those', async () => {
    const before = await makeKey('asked')
    await platform.must('POST', secretsPath, secretWith('asked', before))
    await platform.must('POST', secretsPath, secretWith('late', before))
    await add('asked', here('asked'))
    const { body } = await rotate('asked', {}, '?dryRun=All')
    expect(body.spec.key).toBeUndefined()
    const seen = body.status.managedSecrets
    await add('asked', here('asked'), here('late'))
    const refused = await rotate('asked', { managedSecrets: seen })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('Secret default/late') } })
    expect(await valueIn('asked', 'platform')).toBe(before)
    expect((await rotate('asked', { managedSecrets: [here('late'), here('asked')] })).status).toBe(201)
  })

  it('is rotated even if a cluster is unavailable, and the caller gets the skipped Secrets', async () => {
    const before = await makeKey('stuck')
    const immutable = { ...secretWith('stuck', before), immutable: true }
    await platform.must('POST', secretsPath, immutable)
    await onHost.ask('POST', secretsPath, { body: immutable })
    await onHost.ask('POST', secretsPath, { body: secretWith('loose', before) })
    await onHost.ask('POST', secretsPath, { body: secretWith('unreached', before) })
    await platform.must('POST', `${management}/clusters`, clusterNamed('leaving'))
    const unreached = { cluster: 'leaving', namespace: 'default', name: 'unreached' }
    const added = await add('stuck', here('stuck'), there('stuck'), there('loose'), unreached)
    expect(added.status).toBe(200)
    await platform.ask('DELETE', `${management}/clusters/leaving`)
    const dry = await rotate('stuck', {}, '?dryRun=All')
    expect(dry.warnings.join()).toContain('would not be rewritten: Secret default/unreached of cluster leaving')
    const { status, body, warnings } = await rotate('stuck')
    expect(status).toBe(201)
    expect((await platform.ask('POST', `${management}/selves`, { token: body.spec.key, body: {} })).status).toBe(201)
    expect(await valueIn('loose', 'host')).toBe(body.spec.key)
    expect([await valueIn('stuck', 'platform'), await valueIn('stuck', 'host')]).toEqual([before, before])
    expect(warnings.join()).toContain('Secret default/stuck (it could not be written)')
    expect(warnings.join()).toContain('Secret default/stuck of cluster host (it could not be written)')
    expect(warnings.join()).toContain('Secret default/unreached of cluster leaving (its cluster was not reached)')
    expect(warnings.join()).not.toContain('loose')
  })
})

describe('the Secrets of a key', () => {
  it.each<readonly [string, unknown, string]>([
    ['have a namespace', { name: 'a' }, 'spec.managedSecrets[0].namespace'],
    ['have a name', { namespace: 'default' }, 'spec.managedSecrets[0].name'],
    ['have names that are plain', { namespace: 'default', name: '../a' }, 'spec.managedSecrets[0].name'],
    ['are in namespaces that are plain', { namespace: 'a/b', name: 'a' }, 'spec.managedSecrets[0].namespace'],
    ['are in clusters that are plain', { cluster: 'a/b', ...here('a') }, 'spec.managedSecrets[0].cluster'],
    ['have entries that are plain', { ...here('a'), entry: 'a/b' }, 'spec.managedSecrets[0].entry'],
    ['are there', here('nowhere'), 'spec.managedSecrets[0]'],
    ['are there in the cluster', there('nowhere'), 'spec.managedSecrets[0]'],
  ])('%s', async (_, place, field) => {
    const name = `wrong-${field.length}-${JSON.stringify(place).length}`
    await makeKey(name)
    expect(
      await platform.ask('PATCH', `${keysPath}/${name}`, { body: { spec: { managedSecrets: [place] } }, type: merge }),
    ).toMatchObject({ status: 422, body: { details: { causes: [{ field }] } } })
  })

  it('are unique', async () => {
    const before = await makeKey('twice')
    await platform.must('POST', secretsPath, secretWith('twice', before))
    expect((await add('twice', here('twice'), { ...here('twice'), entry: 'accessKey' })).status).toBe(422)
  })
})
