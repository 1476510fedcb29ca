import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/storage/contract.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { startLinkPlatform } from '../../link/support.ts'
import { clientOf, group, keysPath, management, type TestPlatform } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'

const record = '/api/v1/namespaces/kube-system/configmaps/platform-managed-secrets'
const keySecret = 'tenant-platform-api-key'

/** A platform of an earlier version: its keys and Secrets exist, and nothing has been taken over. */
describe('the first start of this version', () => {
  let directory: string
  let store: Store
  let platform: TestPlatform
  let host: TestServer
  let onHost: ReturnType<typeof clientOf>

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-take-over-'))
    store = await openLmdbStore({ directory: join(directory, 'store') })
    ;[platform, host] = await Promise.all([startLinkPlatform({ store }), startTestServer()])
    onHost = clientOf(host.url, host.authority)
    await platform.must('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'host' },
      data: { config: Buffer.from(host.kubeconfig()).toString('base64') },
    })
    await platform.must('POST', `${management}/clusters`, clusterNamed('host', 'host'))
  })

  afterEach(async () => {
    await onHost.close()
    await platform.stop()
    await store.close()
    await host.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** As `tenant create` of that version left it. */
  const tenant = async (name: string) => {
    await platform.must('POST', `${management}/namespaces/p-default/virtualclusterinstances`, {
      metadata: { name },
      spec: { external: true, clusterRef: { namespace: `team-${name}`, virtualCluster: name } },
    })
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: [name] }] }
    const body = { metadata: { name: `tenant-${name}-x` }, spec: { user: 'admin', scope } }
    const value: string = (await platform.must('POST', keysPath, body)).spec.key
    return { key: `tenant-${name}-x`, value }
  }
  const park = async (namespace: string, key: string, value: string, name = keySecret) => {
    await onHost.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
    const data = { accessKey: Buffer.from(value).toString('base64') }
    const metadata = { name, labels: { 'tenant.internal/access-key': key } }
    const path = `/api/v1/namespaces/${namespace}/secrets`
    await eventually(async () =>
      expect((await onHost.ask('POST', path, { body: { metadata, data } })).status).toBe(201),
    )
  }
  const startAgain = async () => {
    await eventually(async () => expect((await platform.ask('GET', record)).status).toBe(200))
    await platform.must('DELETE', record)
    await platform.stop()
    platform = await startLinkPlatform({ store })
  }
  const isDone = () => eventually(async () => expect((await platform.ask('GET', record)).status).toBe(200))
  const secretsOf = async (key: string) => (await platform.must('GET', `${keysPath}/${key}`)).status.managedSecrets

  test('adds the Secrets created with their keys, once, so that the next rotation updates them', async () => {
    const { key, value } = await tenant('red')
    await park('team-red', key, value)
    await startAgain()
    await isDone()
    expect(await secretsOf(key)).toMatchObject([{ cluster: 'host', namespace: 'team-red', name: keySecret }])
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' }
    const { spec } = await platform.must('POST', `${keysPath}/${key}/rotate`, body)
    const { data } = (await onHost.ask('GET', `/api/v1/namespaces/team-red/secrets/${keySecret}`)).body
    expect(Buffer.from(data.accessKey, 'base64').toString()).toBe(spec.key)
    await platform.ask('PATCH', `${keysPath}/${key}`, {
      body: { spec: { managedSecrets: null } },
      type: 'application/merge-patch+json',
    })
    await platform.stop()
    platform = await startLinkPlatform({ store })
    await isDone()
    expect(await secretsOf(key)).toBeUndefined()
  })

  test('does not add a Secret that a thief put into another namespace', async () => {
    const { key, value } = await tenant('blue')
    await park('thief', key, value)
    await park('team-blue', key, value, 'another-name')
    await startAgain()
    await isDone()
    expect(await secretsOf(key)).toBeUndefined()
  })

  test('adds neither of two matching Secrets', async () => {
    const other = await startTestServer()
    const onOther = clientOf(other.url, other.authority)
    try {
      const { key, value } = await tenant('green')
      await park('team-green', key, value)
      await onOther.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'team-green' } } })
      const metadata = { name: keySecret, labels: { 'tenant.internal/access-key': key } }
      const data = { accessKey: Buffer.from(value).toString('base64') }
      await onOther.ask('POST', '/api/v1/namespaces/team-green/secrets', { body: { metadata, data } })
      await platform.must('POST', '/api/v1/namespaces/default/secrets', {
        metadata: { name: 'other' },
        data: { config: Buffer.from(other.kubeconfig()).toString('base64') },
      })
      await platform.must('POST', `${management}/clusters`, clusterNamed('other', 'other'))
      await startAgain()
      await isDone()
      expect(await secretsOf(key)).toBeUndefined()
    } finally {
      await onOther.close()
      await other.stop()
    }
  })

  test('waits until every cluster has answered', async () => {
    const { key, value } = await tenant('gray')
    await park('team-gray', key, value)
    await platform.must('POST', `${management}/clusters`, clusterNamed('away', 'nowhere'))
    await startAgain()
    expect(await secretsOf(key)).toBeUndefined()
    await platform.must('DELETE', `${management}/clusters/away`)
    await eventually(async () => expect(await secretsOf(key)).toHaveLength(1))
  })
})

function clusterNamed(name: string, secretName: string) {
  return {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName, secretNamespace: 'default' } },
  }
}
