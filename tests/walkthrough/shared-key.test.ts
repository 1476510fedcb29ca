import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'
import type { Flavor } from '../sync/support/clusters.ts'
import { type RunningTenant, registerHost, type Stage, setStage } from './support/stage.ts'
import { watchLinks } from './support/watch-links.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)
const hosts: readonly { readonly flavor: Flavor; readonly name: string; readonly isMissing: boolean }[] = [
  { flavor: 'embedded', name: 'our own engine', isMissing: false },
  { flavor: 'real', name: 'a real kube-apiserver', isMissing: search.outcome === 'missing' },
]

const patienceMs = 240_000
const keySecret = 'tenant-platform-api-key'
const shared = 'external: {platform: {apiKey: {namespace: walk-platform}}}\n'
const dedicated = 'external: {platform: {}}\n'

for (const { flavor, name, isMissing } of hosts) {
  describe.skipIf(isMissing)(`one key that two virtual clusters share, with ${name} as their host`, () => {
    let stage: Stage
    let red: RunningTenant
    let blue: RunningTenant

    beforeAll(async () => {
      stage = await setStage(flavor)
    })
    afterAll(() => stage?.remove())

    const keys = (...args: readonly string[]) => stage.tenant(['platform', 'keys', ...args])
    const online = (...tenants: readonly RunningTenant[]) =>
      eventually(async () => {
        const status = await Promise.all(tenants.map((each) => stage.through(each.name)))
        expect(status, tenants.map((each) => each.log()).join('\n')).toEqual(tenants.map(() => 200))
      }, patienceMs)
    const keepKey = async (namespace: string, key: string) => {
      const data = { accessKey: key, host: stage.platform.url, certificateAuthorityData: stage.platform.authority }
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: keySecret, namespace }, stringData: data }
      await stage.kubectl('create -f -', secret)
    }

    it('starts with an administrator who logs in and stores a new key, role tenant, in a Secret of the host', async () => {
      const { url, token } = stage.platform
      await stage.tenant(['platform', 'login', url, '--ca', stage.authorityFile, '--access-key-stdin'], token)
      const made = JSON.parse(await keys('create', 'shared', '--role', 'tenant:*', '-o', 'json'))
      expect(made.spec).toMatchObject({ type: 'User', scope: { roles: [{ role: 'tenant', projects: ['*'] }] } })
      for (const namespace of ['walk-platform', 'walk-red', 'walk-blue']) {
        await stage.kubectl(`create namespace ${namespace}`)
      }
      await keepKey('walk-platform', made.spec.key)
    })

    it('links both, each from its own namespace', async () => {
      red = stage.startTenant('red', 'walk-red', shared)
      blue = stage.startTenant('blue', 'walk-blue', shared)
      await online(red, blue)
      const list = await stage.tenant(['list'])
      expect(list).toMatch(/^red +default +Online/m)
      expect(list).toMatch(/^blue +default +Online/m)
    })

    it('syncs the Endpoints of each to the host, under separate names', async () => {
      for (const { name: tenant, hostNamespace } of [red, blue]) {
        const endpoints = {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name: 'database' },
          subsets: subsetsOf(tenant),
        }
        const create = ['connect', tenant, '--', stage.kubectlProgram, 'create', '-f', '-']
        await stage.tenant(create, JSON.stringify(endpoints))
        const hostName = await stage.tenant([
          ...['translate', 'database', '-n', 'default', '--tenant', tenant],
          ...['--host-namespace', hostNamespace, '-o', 'name'],
        ])
        await eventually(async () => {
          const copy = JSON.parse(await stage.kubectl(`get endpoints -n ${hostNamespace} ${hostName.trim()} -o json`))
          expect(copy).toMatchObject({ subsets: subsetsOf(tenant) })
        }, patienceMs)
      }
    })

    it('is rotated, and no link is cut, not even when the old value ends', async () => {
      await registerHost(stage, readFileSync(stage.host.server.kubeconfig, 'utf8'))
      await keys('secrets', 'shared', '--add', `${stage.flavor}:walk-platform/${keySecret}`)
      const before = await heldKey(stage)
      const links = watchLinks(stage, [red.name, blue.name])
      await keys('rotate', 'shared', '--overlap', '10s')
      expect(await heldKey(stage)).not.toBe(before)
      await eventually(async () => expect(await statusWith(stage, before)).toBe(401), patienceMs)
      await online(red, blue)
      expect(await links.end()).toEqual([])
      for (const { log } of [red, blue]) expect(log()).not.toContain('not linked to the platform')
    })

    it('is revoked: both are cut off, with the reason in their log and on the host', async () => {
      await keys('disable', 'shared')
      for (const tenant of [red, blue]) {
        await eventually(async () => expect(await stage.through(tenant.name)).toBe(503), patienceMs)
        await eventually(() => expect(tenant.log()).toContain('The access key has been disabled.'), patienceMs)
        await eventually(async () => {
          const events = await stage.kubectl('get events -A')
          const about = `namespace/${tenant.hostNamespace} +The access key has been disabled\\.`
          expect(events).toMatch(new RegExp(`Warning +KeyRevoked +${about}`))
        }, patienceMs)
      }
      await eventually(async () => expect(await stage.tenant(['list'])).toMatch(/^red +default +Offline/m), patienceMs)
    })

    it('does not stop sync while it is revoked', async () => {
      await stage.inside(red)('create service clusterip cache --tcp=6379')
      await eventually(async () => {
        expect(await stage.kubectl('get services -n walk-red')).toMatch(/v-cache-/)
      }, patienceMs)
    })

    it('is replaced by a separate key for one, which returns alone and without a restart', async () => {
      const key = await keys('create', 'red', '--role', 'tenant:default/red', '--quiet')
      await keepKey('walk-red', key.trim())
      red.configure(dedicated)
      await online(red)
      expect(await stage.through('blue')).toBe(503)
    })

    it('is in no log', async () => {
      const key = await heldKey(stage)
      for (const { log } of [red, blue]) expect(log()).not.toContain(key)
    })
  })
}

function subsetsOf(tenant: string) {
  return [
    { addresses: [{ ip: tenant === 'red' ? '192.0.2.20' : '192.0.2.21' }], ports: [{ port: 5432, protocol: 'TCP' }] },
  ]
}

async function heldKey({ kubectl }: Stage): Promise<string> {
  const { data } = JSON.parse(await kubectl(`get secret ${keySecret} -n walk-platform -o json`))
  return Buffer.from(data.accessKey, 'base64').toString().trim()
}

async function statusWith({ platform }: Stage, key: string): Promise<number> {
  const client = new ClusterClient({ ...platform, token: key })
  return client
    .request('GET', '/version')
    .then(({ status }) => status)
    .finally(() => client.close())
}
