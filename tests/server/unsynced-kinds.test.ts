import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import { silentLog } from '../../src/base/log.ts'
import { limitOfMachine } from '../../src/cluster/virtual-cluster/content-limit.ts'
import { startControlPlane } from '../../src/cluster/virtual-cluster/control-plane.ts'

it('a virtual cluster warns the writer of what its host does not put into effect', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-unsynced-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  let enabled = false
  const controlPlane = await startControlPlane({
    identity: { tenant: 'demo', hostNamespace: 'demo' },
    directory,
    host: '127.0.0.1',
    port: 0,
    contentLimit: limitOfMachine({ objects: 1_000, bytes: 10_000_000 }),
    config: () => effectiveConfig({ sync: { toHost: { networkPolicies: { enabled } } } }),
    clusterDomain: 'cluster.local',
    server: {},
    log: silentLog,
  })
  onTestFinished(() => controlPlane.stop())
  const { clusters, users } = JSON.parse(readFileSync(controlPlane.kubeconfig, 'utf8'))
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64')
  const dispatcher = new Agent({ connect: { ca } })
  onTestFinished(() => dispatcher.close())
  const created = async (path: string, name: string, spec: object) => {
    const { statusCode, headers, body } = await request(`${controlPlane.url}${path}`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${users[0].user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name }, spec }),
    })
    await body.dump()
    return [statusCode, headers.warning]
  }
  const service = { type: 'LoadBalancer', ports: [{ port: 80 }] }
  expect(await created('/api/v1/namespaces/default/services', 'web', service)).toEqual([
    201,
    expect.stringContaining('this Service gets no load balancer'),
  ])
  const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
  const policy = { podSelector: {} }
  expect(await created(policies, 'alone', policy)).toEqual([201, expect.stringContaining('so it isolates no Pods')])
  enabled = true
  expect(await created(policies, 'synced', policy)).toEqual([201, undefined])
})
