import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeFormat, formatKey } from '../../src/storage/format/format-record.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { refusedStart } from '../reliability/support/server-process.ts'
import { eventually } from '../support/eventually.ts'
import { tenantIn } from '../support/programs/command.ts'
import { previousCli } from '../support/programs/previous-version.ts'
import { type RunningTenant, type Stage, setStage } from '../walkthrough/support/stage.ts'

const patienceMs = 240_000
const keySecret = 'tenant-platform-api-key'
const config = 'external: {platform: {apiKey: {namespace: tenant-platform}}}\n'

const revisions = 'controllerrevisions,replicasets'
const threeLines = /^(.+\n){3}$/

/** Without Pods, and with a default in its template that the version before did not know. */
function waiting(kind: string): object {
  const labels = { app: 'old' }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } }
  const pod = {
    nodeSelector: { none: 'here' },
    containers: [{ name: 'main', image: 'app:1' }],
    volumes: [{ name: 'cache', ephemeral: { volumeClaimTemplate: { spec } } }],
  }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'old' },
    spec: {
      ...(kind !== 'DaemonSet' && { replicas: 0 }),
      ...(kind === 'StatefulSet' && { serviceName: 'old' }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
    },
  }
}

describe('platform, tenant and CLI that are one version apart', () => {
  let stage: Stage
  let before: string
  let red: RunningTenant
  let blue: RunningTenant

  beforeAll(async () => {
    before = previousCli()
    stage = await setStage('embedded', before)
  }, 240_000)
  afterAll(() => stage?.remove())

  /** A virtual cluster is linked shortly before it listens. */
  const online = (tenant: RunningTenant) =>
    eventually(async () => {
      expect(await stage.through(tenant.name), tenant.log()).toBe(200)
      expect(await stage.inside(tenant)('get --raw /readyz')).toBe('ok')
    }, patienceMs)
  const synced = async (tenant: RunningTenant, service: string) => {
    await stage.inside(tenant)(`create service clusterip ${service} --tcp=80`)
    await eventually(async () => {
      expect(await stage.kubectl(`get services -n ${tenant.hostNamespace} -o name`)).toContain(`/v-${service}-`)
    }, patienceMs)
  }
  const older = (...args: readonly string[]) => tenantIn(stage.home, before)(args)

  it('a new tenant links to an old platform with a key of a new CLI, and syncs', async () => {
    const { url, token } = stage.platform
    await stage.tenant(['platform', 'login', url, '--ca', stage.authorityFile, '--access-key-stdin'], token)
    const made = JSON.parse(
      await stage.tenant(['platform', 'keys', 'create', 'one', '--role', 'tenant:*', '-o', 'json']),
    )
    for (const namespace of ['tenant-platform', 'team-red', 'team-blue']) {
      await stage.kubectl(`create namespace ${namespace}`)
    }
    const data = { accessKey: made.spec.key, host: url, certificateAuthorityData: stage.platform.authority }
    const metadata = { name: keySecret, namespace: 'tenant-platform' }
    await stage.kubectl('create -f -', { apiVersion: 'v1', kind: 'Secret', metadata, stringData: data })
    red = stage.startTenant('red', 'team-red', config)
    await online(red)
    await synced(red, 'first')
    expect(await stage.tenant(['list'])).toMatch(/^red +default +Online/m)
  }, 240_000)

  it('a new platform opens the store of the old one, and links return on their own', async () => {
    await stage.stopPlatform()
    await stage.startPlatform()
    await online(red)
    await synced(red, 'second')
    expect(await stage.tenant(['platform', 'keys', 'list'])).toMatch(/^one /m)
  }, 240_000)

  it('an old tenant links to a new platform, and syncs; an old CLI reads and writes there', async () => {
    blue = stage.startTenant('blue', 'team-blue', config, before)
    await online(blue)
    await synced(blue, 'third')
    expect(await older('list')).toMatch(/^blue +default +Online/m)
    await older('platform', 'keys', 'create', 'two')
    expect(await older('platform', 'keys', 'list')).toMatch(/^two /m)
    expect(await older('platform', 'whoami', '-o', 'name')).toBe('admin\n')
    for (const kind of ['DaemonSet', 'StatefulSet', 'Deployment'])
      await stage.inside(blue)('create -f -', waiting(kind))
    await eventually(async () => expect(await stage.inside(blue)(`get ${revisions} -o name`)).toMatch(threeLines))
  }, 240_000)

  it('a new tenant opens the store of an old one', async () => {
    await blue.stop()
    blue = stage.startTenant('blue', 'team-blue', config)
    await online(blue)
    expect(await stage.inside(blue)('get service third -o name')).toBe('service/third\n')
    await synced(blue, 'fourth')
  }, 240_000)

  it('a new tenant adds no new defaults to templates of an old one, so that no Pod is replaced', async () => {
    const inside = stage.inside(blue)
    const all = 'daemonset/old statefulset/old deployment/old'
    const shown = `get ${all} -o jsonpath={.items[*].spec.template.spec.volumes}`
    const [before, made] = [await inside(shown), await inside(`get ${revisions} -o name`)]
    expect(before).toContain('volumeClaimTemplate')
    expect(before).not.toContain('volumeMode')
    await inside(`label ${all} upgraded=yes`)
    for (const kind of ['DaemonSet', 'StatefulSet', 'Deployment']) await inside('apply -f -', waiting(kind))
    expect(await inside(shown)).toBe(before)
    expect(await inside(`get ${revisions} -o name`)).toBe(made)
  }, 240_000)

  it('a program refuses a store of a newer format, and says what to do', async () => {
    await stage.stopPlatform()
    const directory = join(stage.home, 'store')
    const store = await openLmdbStore({ directory })
    const stored = await store.get(formatKey)
    const record = encodeFormat({ version: 9, readableBy: 8 })
    await store.update(formatKey, record, stored?.revision ?? expect.fail('the store has a format'))
    await store.close()
    const refused = await refusedStart({ store: `file:${directory}`, directory: join(stage.home, 'platform') })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('has store format 9, which programs of format 8 and newer read')
    expect(refused.stderr).toContain('use the version of the program that wrote it, or a newer one')
  }, 240_000)
})
