import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { existing, servedTypeOf } from '../../src/cli/host/objects.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { type TenantProcess, tenantWith } from '../cli/tenant-process.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'
import { clientOf, makeWorkplace, type Workplace } from './workplace.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

describe.skipIf(search.outcome === 'missing')('tenant up with a real cluster as the host', () => {
  const namespace = 'tenant-outside'
  let place: Workplace
  let kubeconfig: string
  let context: string
  let host: KubeClient
  let up: TenantProcess
  let client: ClusterClient

  const start = (...more: readonly string[]) => {
    const data = join(place.directory, 'data')
    const env = { HOME: place.directory, KUBECONFIG: kubeconfig }
    return tenantWith(env, 'up', '--port', '0', '--data-dir', data, ...more)
  }

  beforeAll(async () => {
    kubeconfig = (await askForShared('kubernetes')).kubeconfig
    context = parse(readFileSync(kubeconfig, 'utf8'))['current-context']
    host = await clientOf(kubeconfig)
    place = makeWorkplace()
    up = start('--host-context', context, '--host', '127.0.0.1')
    await up.line('ready')
    const { platform } = JSON.parse(place.read('data/up.json'))
    const input = place.read('data/admin.key').trim()
    const login = ['platform', 'login', platform.url, '--access-key-stdin', '--ca', platform.caFile]
    expect(await place.tenant(login, { input })).toMatchObject({ exitCode: 0 })
    client = new ClusterClient({ url: platform.url, token: input, authority: place.read('data/pki/ca.crt') })
  })
  afterAll(async () => {
    await client.close()
    await host.close()
    up.child.kill('SIGTERM')
    await up.finished
    place.remove()
  })

  const onHost = (apiVersion: string, kind: string, name: string) =>
    existing(host, { apiVersion, kind, metadata: { namespace, name } })

  it('creates nothing on it without a request', async () => {
    const demo = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-demo' } }
    expect(await existing(host, demo)).toBeUndefined()
    expect(place.read('data/up.json')).not.toContain('"host": "host"')
  })

  it('runs a virtual cluster here that is synced there, with its own rights', async () => {
    expect(await place.tenant(['create', 'outside', '--timeout', '60s'])).toMatchObject({ exitCode: 0 })
    const path = '/kubernetes/project/default/virtualcluster/outside/api/v1/namespaces/default/services'
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }
    expect(await client.request('POST', path, service)).toMatchObject({ status: 201 })
    await eventually(async () => {
      const { items } = await host.list(await servedTypeOf(host, service), { namespace })
      expect(items.map(({ metadata }) => metadata.name)).toContainEqual(expect.stringMatching(/^v-web-/))
    })
    expect(await onHost('rbac.authorization.k8s.io/v1', 'RoleBinding', 'tenant-outside')).toBeDefined()
    expect((await onHost('v1', 'Service', 'outside'))?.spec).not.toHaveProperty('selector')
  })

  it('binds its data directory to that cluster', async () => {
    up.child.kill('SIGTERM')
    expect(await up.finished).toMatchObject({ code: 0 })
    const embedded = await start('--no-demo').finished
    expect(embedded.code).not.toBe(0)
    expect(embedded.stderr).toMatch(/holds virtual clusters of the cluster .* choose another --data-dir/)
    up = start('--host-context', context, '--host', '127.0.0.1')
    await up.line('ready')
  })

  it('asks for an address that Pods can reach', async () => {
    const { exitCode, stderr } = await place.tenant(['up', '--host-context', context])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs --host') })
  })
})
