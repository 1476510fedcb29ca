import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TenantProcess, tenantWith } from '../cli/tenant-process.ts'
import { eventually } from '../support/eventually.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'
import { makeWorkplace, type Workplace } from './workplace.ts'

describe('tenant create with tenant up as the current platform, with any data directory,', () => {
  let place: Workplace
  let up: TenantProcess
  let client: ClusterClient
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    client.request(method, `/apis/management.platform.internal/v1${path}`, body)

  beforeAll(async () => {
    place = makeWorkplace()
    const data = join(place.directory, 'anywhere')
    up = tenantWith({ HOME: place.directory }, 'up', '--no-demo', '--port', '0', '--data-dir', data)
    await up.line('ready')
    const { platform } = JSON.parse(place.read('anywhere/up.json'))
    const login = ['platform', 'login', platform.url, '--access-key-stdin', '--ca', platform.caFile]
    const { exitCode, stderr } = await place.tenant(login, { input: place.read('anywhere/admin.key').trim() })
    if (exitCode !== 0) throw new Error(stderr)
    client = new ClusterClient({
      url: platform.url,
      token: place.read('anywhere/admin.key').trim(),
      authority: place.read('anywhere/pki/ca.crt'),
    })
  })
  afterAll(async () => {
    await client.close()
    up.child.kill('SIGTERM')
    await up.finished
    place.remove()
  })

  it('runs the virtual cluster there, and it can be used at once', async () => {
    const created = await place.tenant(['create', 'web', '--timeout', '60s'])
    expect(created).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('web is ready.') })
    expect((await place.tenant(['list'])).stdout).toMatch(/^web +default +Online/m)
    const script = `const { readFileSync } = require('fs'); process.exit(readFileSync(process.env.KUBECONFIG, 'utf8').includes('virtualcluster/web') ? 0 : 1)`
    expect(await place.tenant(['connect', 'web', '--', process.execPath, '-e', script])).toMatchObject({ exitCode: 0 })
  })

  it('says that a project does not exist', async () => {
    const refused = await place.tenant(['create', 'web', '--project', 'mistyped'])
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: there is no project mistyped; choose one that you see with --project: /),
    })
  })

  it('passes tenant doctor, whatever kubectl points to', async () => {
    const { stdout: printed } = await place.tenant(['connect', 'web', '--print', '--static-key'])
    const kubeconfig = place.file('web.kubeconfig', printed)
    const { exitCode, stdout } = await place.tenant(['doctor', 'web', '--virtual-kubeconfig', kubeconfig])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.not.stringMatching(/^(FAIL|-)/m) })
    expect(stdout).toMatch(/^ok +Pods: \d+ compared with their copies, and each is in step$/m)
    expect(stdout).toMatch(/^ok +Deployment: tenant up runs it, in process \d+$/m)
  })

  it('refers tenant logs to the log of tenant up', async () => {
    expect(await place.tenant(['logs', 'web'], { env: { KUBECONFIG: '/none' } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('tenant up runs web and prints its log'),
    })
  })

  it('tells a user without a login to log in', async () => {
    const stranger = makeWorkplace(join(place.directory, 'anywhere', 'kubeconfig'))
    const data = join(place.directory, 'anywhere')
    const places = join(stranger.directory, '.tenant', 'running')
    mkdirSync(places, { recursive: true })
    writeFileSync(join(places, 'here'), data)
    const refused = await stranger.tenant(['create', 'other'])
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Log in first:\n  tenant platform login'),
    })
    const { platform } = JSON.parse(place.read('anywhere/up.json'))
    const command = `tenant platform login ${platform.url} --ca ${platform.caFile} --access-key-stdin < ${join(data, 'admin.key')}`
    expect(await stranger.tenant(['list'])).toMatchObject({
      exitCode: 1,
      stderr: `error: you are not logged in to any platform; run: ${command}\n`,
    })
    for (const verb of ['create', 'delete']) {
      expect(await stranger.tenant([verb, 'other'], { env: { KUBECONFIG: '/none' } })).toMatchObject({
        exitCode: 1,
        stderr: `error: there is no kubeconfig at /none; name that of the host cluster with --kubeconfig, or log in to a platform that tenant up runs:\n  ${command}\n`,
      })
    }
    stranger.remove()
  })

  it('refuses a duplicate name, and changes the first with --upgrade', async () => {
    expect(await place.tenant(['create', 'web'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--upgrade'),
    })
    const file = place.file('tenant.yaml', 'sync: {toHost: {services: {enabled: false}}}\n')
    expect(await place.tenant(['create', 'web', '--upgrade', '-f', file])).toMatchObject({ exitCode: 0 })
  })

  it('registers it as deployed externally, in a reserved place', async () => {
    const shop = { apiVersion: 'management.platform.internal/v1', kind: 'Project', metadata: { name: 'shop' } }
    expect((await ask('POST', '/projects', shop)).status).toBe(201)
    expect(await ask('GET', '/namespaces/p-default/virtualclusterinstances/web')).toMatchObject({
      body: { spec: { external: true, clusterRef: { cluster: 'host', namespace: 'tenant-web' } } },
    })
    expect(await place.tenant(['create', 'web', '-p', 'shop'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('p-default/web is in namespace tenant-web of cluster host'),
    })
  })

  it('lets a member of a project create, use and delete one in it', async () => {
    const member = makeWorkplace(join(place.directory, 'no-kubeconfig'))
    const { platform } = JSON.parse(place.read('anywhere/up.json'))
    const version = 'management.platform.internal/v1'
    await ask('POST', '/users', { apiVersion: version, kind: 'User', metadata: { name: 'maria' } })
    const members = [{ kind: 'User', name: 'maria', role: 'user' }]
    await ask('POST', '/projects', {
      apiVersion: version,
      kind: 'Project',
      metadata: { name: 'till' },
      spec: { members },
    })
    const key = { apiVersion: version, kind: 'OwnedAccessKey', metadata: { name: 'maria' }, spec: { user: 'maria' } }
    const { body } = await ask('POST', '/ownedaccesskeys', key)
    const { key: value } = (body as { readonly spec: { readonly key: string } }).spec
    const login = ['platform', 'login', platform.url, '--access-key-stdin', '--ca', platform.caFile]
    expect(await member.tenant(login, { input: value })).toMatchObject({ exitCode: 0 })

    expect(await member.tenant(['create', 'web', '-p', 'till'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('on a platform that tenant up runs, say --driver local'),
    })
    const local = ['-p', 'till', '--driver', 'local']
    const created = await member.tenant(['create', 'web', ...local, '--timeout', '60s'])
    expect(created).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('web is ready.') })
    expect((await member.tenant(['list', '-A'])).stdout).toMatch(/^web +till +Online/m)
    expect(await ask('GET', '/namespaces/p-till/virtualclusterinstances/web')).toMatchObject({
      body: { spec: { clusterRef: { namespace: expect.stringMatching(/^tenant-till-web-[0-9a-f]{12}$/) } } },
    })
    const inside = `/kubernetes/project/till/virtualcluster/web/api/v1/namespaces/default/configmaps`
    const mine = new ClusterClient({
      url: platform.url,
      token: value,
      authority: place.read('anywhere/pki/ca.crt'),
    })
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } }
    expect(await mine.request('POST', inside, configMap)).toMatchObject({ status: 201 })
    await mine.close()

    const file = member.file('tenant.yaml', 'sync: {toHost: {services: {enabled: false}}}\n')
    expect(await member.tenant(['create', 'web', '--upgrade', '-f', file, ...local])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot administer'),
    })
    expect(await member.tenant(['delete', 'web', '--yes', ...local])).toMatchObject({ exitCode: 0 })
    member.remove()
  })

  it('does not upgrade another project after it was only listed', async () => {
    expect(await place.tenant(['list', '-p', 'shop'])).toMatchObject({ exitCode: 0 })
    const file = place.file('tenant.yaml', 'sync: {toHost: {services: {enabled: true}}}\n')
    expect(await place.tenant(['create', '--upgrade', 'web', '-n', 'tenant-web', '-f', file])).toMatchObject({
      exitCode: 0,
    })
    expect(await place.tenant(['create', '--upgrade', 'web', '-p', 'shop', '-f', file])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is one in project default: say --project default'),
    })
  })

  it('leaves no registration if the creation fails', async () => {
    const file = place.file('tenant.yaml', 'external: {platform: {apiKey: {secretName: none}}}\n')
    expect(await place.tenant(['create', 'never', '-f', file, '--timeout', '2'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('never was not linked within 2 s'),
    })
    expect((await ask('GET', '/namespaces/p-default/virtualclusterinstances/never')).status).toBe(404)
  })

  it('leaves no registration if it is deleted while it starts', async () => {
    const instance = '/namespaces/p-default/virtualclusterinstances/brief'
    const namespace = async () =>
      (await client.request('GET', '/kubernetes/cluster/host/api/v1/namespaces/tenant-brief')).status
    expect(await place.tenant(['create', 'brief', '--no-wait'])).toMatchObject({ exitCode: 0 })
    await eventually(async () => expect(await namespace()).toBe(200))
    expect((await ask('DELETE', instance)).status).toBe(200)
    await eventually(async () => expect(await namespace()).toBe(404))
    expect((await ask('GET', instance)).status).toBe(404)
  })

  it('neither upgrades nor deletes an external one without an explicit driver', async () => {
    const spec = { external: true, clusterRef: { namespace: 'team', virtualCluster: 'far' } }
    const instance = { apiVersion: 'management.platform.internal/v1', kind: 'VirtualClusterInstance', spec }
    const path = '/namespaces/p-default/virtualclusterinstances'
    expect((await ask('POST', path, { ...instance, metadata: { name: 'far' } })).status).toBe(201)
    for (const command of [
      ['create', 'far', '--upgrade'],
      ['delete', 'far', '--yes'],
    ]) {
      const refused = { exitCode: 1, stderr: expect.stringContaining('tenant up does not run far') }
      expect(await place.tenant(command)).toMatchObject(refused)
    }
    expect((await ask('GET', `${path}/far`)).status).toBe(200)
    expect(await place.tenant(['delete', 'far', '--yes', '--driver', 'local'])).toMatchObject({ exitCode: 0 })
    expect((await ask('GET', `${path}/far`)).status).toBe(404)
  })

  it('deletes it again', async () => {
    expect(await place.tenant(['delete', 'web', '--yes'])).toMatchObject({ exitCode: 0, stderr: 'web is deleted.\n' })
    expect(await place.tenant(['delete', 'web', '--yes'])).toMatchObject({ exitCode: 1 })
    expect((await place.tenant(['list'])).stderr).toContain('No virtual clusters in project default.')
  })
})
