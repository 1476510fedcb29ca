import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { tenantWith } from '../cli/tenant-process.ts'
import { group, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'
import { makeNamespaceWithoutServices } from './refusing-namespace.ts'
import { clientOf, makeWorkplace, type Workplace } from './workplace.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

describe.skipIf(search.outcome === 'missing')('tenant create while logged in', () => {
  let kubernetes: SharedKubernetes
  let host: KubeClient
  let secrets: ResourceType
  let platform: TestPlatform
  let ownKey: string
  let place: Workplace
  const minted = new Set<string>()

  beforeAll(async () => {
    if (search.outcome === 'missing') return
    kubernetes = await askForShared('kubernetes')
    host = await clientOf(kubernetes.kubeconfig)
    const type = await host.served.find('', 'secrets')
    if (type === undefined) throw new Error('no secrets')
    secrets = type
    platform = await startPlatform({ clock: systemClock })
    await platform.must('POST', `${management}/users`, userNamed('ada'))
    for (const name of ['shop', 'web']) {
      await platform.must('POST', `${management}/projects`, {
        metadata: { name },
        spec: { members: [{ kind: 'User', name: 'ada', role: 'admin' }] },
      })
    }
    ownKey = await platform.keyOf('ada')
  })
  afterAll(async () => {
    await host.close()
    await platform.stop()
  })
  beforeEach(async () => {
    place = makeWorkplace(kubernetes.kubeconfig)
    const ca = place.file('ca.crt', platform.server.authority)
    const args = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'p']
    const { exitCode, stderr } = await place.tenant(args, { input: ownKey })
    if (exitCode !== 0) throw new Error(stderr)
  })
  afterEach(() => {
    const written = place.written.join('')
    for (const value of [ownKey, ...minted]) expect(written).not.toContain(value)
    place.remove()
  })

  async function keySecret(namespace: string): Promise<Readonly<Record<string, string>> | undefined> {
    const secret = await host.get(secrets, { namespace, name: 'tenant-platform-api-key' }).catch(() => undefined)
    const data = Object.entries(Object(secret?.data)).map(([name, value]) => [
      name,
      Buffer.from(String(value), 'base64').toString(),
    ])
    const entries = secret && Object.fromEntries(data)
    if (entries) minted.add(entries.accessKey)
    return entries
  }

  async function keysFor(project: string, name: string) {
    const { items } = await platform.must('GET', `${management}/ownedaccesskeys`)
    return items.filter(
      (item: { spec: { displayName?: string } }) => item.spec.displayName === `Virtual cluster ${project}/${name}`,
    )
  }

  const instance = (project: string, name: string) =>
    platform.ask('GET', `${management}/namespaces/p-${project}/virtualclusterinstances/${name}`)

  it('gives the virtual cluster a key for itself only', async () => {
    expect(await place.tenant(['create', 'a', '-p', 'shop', '--no-wait'])).toMatchObject({ exitCode: 0 })
    const entries = await keySecret('tenant-a')
    expect(entries).toEqual({
      accessKey: expect.stringMatching(/^tpk_/),
      host: platform.server.url,
      project: 'shop',
      name: 'a',
      certificateAuthorityData: platform.server.authority,
    })
    expect(entries?.accessKey).not.toBe(ownKey)
    const [key] = await keysFor('shop', 'a')
    expect(key.spec).toMatchObject({
      type: 'User',
      user: 'ada',
      scope: { roles: [{ role: 'tenant', projects: ['shop'], virtualClusters: ['a'] }] },
    })
    expect(await instance('shop', 'a')).toMatchObject({
      status: 200,
      body: { spec: { external: true, clusterRef: { namespace: 'tenant-a', virtualCluster: 'a' } } },
    })
  })

  it('keeps the key on an upgrade', async () => {
    await place.tenant(['create', 'b', '-p', 'shop', '--no-wait'])
    const before = await keySecret('tenant-b')
    expect(await place.tenant(['create', 'b', '-p', 'shop', '--no-wait', '--upgrade'])).toMatchObject({ exitCode: 0 })
    expect(await keySecret('tenant-b')).toEqual(before)
    expect(await keysFor('shop', 'b')).toHaveLength(1)
  })

  it('creates no Secret if the configuration names one, but registers', async () => {
    const file = place.file('tenant.yaml', 'external: {platform: {apiKey: {secretName: other}}}\n')
    expect(await place.tenant(['create', 'c', '-p', 'shop', '--no-wait', '-f', file])).toMatchObject({ exitCode: 0 })
    expect(await keySecret('tenant-c')).toBeUndefined()
    expect(await keysFor('shop', 'c')).toEqual([])
    expect(await instance('shop', 'c')).toMatchObject({ status: 200 })
  })

  it('does not register with --no-link', async () => {
    expect(await place.tenant(['create', 'd', '--no-link', '--no-wait'])).toMatchObject({ exitCode: 0 })
    expect(await keySecret('tenant-d')).toBeUndefined()
    expect(await instance('default', 'd')).toMatchObject({
      status: expect.not.toSatisfy((status: number) => status < 400),
    })
  })

  it('refuses a missing project, and a name that is taken', async () => {
    const lost = await place.tenant(['create', 'e', '-p', 'nowhere', '--no-wait'])
    expect(lost).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('p-nowhere') })
    expect((await place.tenant(['list'])).stderr).not.toContain('nowhere')
    await place.tenant(['create', 'f', '-p', 'shop', '--no-wait'])
    const taken = await place.tenant(['create', 'f', '-n', 'elsewhere', '-p', 'shop', '--no-wait'])
    expect(taken).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has another virtual cluster f (namespace tenant-f)'),
    })
  })

  it('says whether the platform refused the key, or the host the credentials of the kubeconfig', async () => {
    const text = JSON.parse(readFileSync(kubernetes.kubeconfig, 'utf8'))
    const weak = { ...text, users: [{ ...text.users[0], user: { ...text.users[0].user, as: 'stranger' } }] }
    const forbidden = ['platform', 'install', '--kubeconfig', place.file('weak', JSON.stringify(weak))]
    expect(await place.tenant(forbidden)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`\n${host.origin} says so of the user of the kubeconfig.`),
    })
    text.users[0].user = { token: 'of-another-cluster' }
    const strange = ['--kubeconfig', place.file('strange', JSON.stringify(text))]
    for (const args of [
      ['create', 's', '-p', 'shop', '--no-wait', ...strange],
      ['platform', 'install', ...strange],
    ]) {
      const { exitCode, stderr } = await place.tenant(args)
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`${host.origin} refused`),
      })
      expect(stderr).toContain('the credentials of the kubeconfig: Unauthorized\n')
      expect(stderr).not.toContain('access key')
    }
    const body = { metadata: { name: 'ends-soon' }, spec: { type: 'User', user: 'ada' } }
    const input = (await platform.must('POST', `${management}/ownedaccesskeys`, body)).spec.key
    minted.add(input)
    await place.tenant(['platform', 'login', platform.server.url, '--access-key-stdin', '--name', 'p'], { input })
    await platform.must('DELETE', `${management}/ownedaccesskeys/ends-soon`)
    const { exitCode, stderr } = await place.tenant(['create', 's', '-p', 'shop', '--no-wait'])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`${platform.server.url} refused the access key: Unauthorized\n`),
    })
    expect(stderr).toContain(`log in again: tenant platform login ${platform.server.url}\nNothing of it is left.`)
  })

  it('refuses a namespace that contains the key of another virtual cluster', async () => {
    await place.tenant(['create', 'g', '-n', 'both', '-p', 'shop', '--no-wait'])
    const second = await place.tenant(['create', 'h', '-n', 'both', '-p', 'shop', '--no-wait'])
    expect(second).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('holds the key of the virtual cluster g'),
    })
  })

  it('delete also deletes the key and the registration', async () => {
    await place.tenant(['create', 'i', '-p', 'shop', '--no-wait'])
    const key = (await keySecret('tenant-i'))?.accessKey ?? ''
    expect((await platform.ask('GET', '/version', { token: key })).status).toBe(200)
    expect(await place.tenant(['delete', 'i', '--yes'])).toMatchObject({ exitCode: 0 })
    expect((await platform.ask('GET', '/version', { token: key })).status).toBe(401)
    expect((await instance('shop', 'i')).status).toBe(404)
    expect(await keySecret('tenant-i')).toBeUndefined()
  })

  it('delete removes nothing while the platform refuses the key, and says how to go on without it', async () => {
    const body = { metadata: { name: 'short-lived' }, spec: { type: 'User', user: 'ada' } }
    const input = (await platform.must('POST', `${management}/ownedaccesskeys`, body)).spec.key
    minted.add(input)
    await place.tenant(['platform', 'login', platform.server.url, '--access-key-stdin', '--name', 'p'], { input })
    await place.tenant(['create', 'n', '-p', 'shop', '--no-wait'])
    await platform.must('DELETE', `${management}/ownedaccesskeys/short-lived`)
    const refused = await place.tenant(['delete', 'n', '-n', 'tenant-n', '--driver', 'kubernetes', '--yes'])
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('refused the access key') })
    expect(refused.stderr).toContain('log out first: tenant platform logout p')
    expect(await keySecret('tenant-n')).toBeDefined()
    await place.tenant(['platform', 'logout', 'p'])
    const deleted = await place.tenant(['delete', 'n', '-n', 'tenant-n', '--driver', 'kubernetes', '--yes'])
    expect(deleted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('remove n from project shop') })
    expect(await keySecret('tenant-n')).toBeUndefined()
  })

  it('delete leaves alone what a changed record names: another virtual cluster, and another key', async () => {
    const [own, other] = [
      await place.tenant(['create', 'r', '-p', 'shop', '--no-wait']),
      await place.tenant(['create', 'r', '-n', 'tenant-r-of-web', '-p', 'web', '--no-wait']),
    ]
    expect([own.exitCode, other.exitCode], own.stderr + other.stderr).toEqual([0, 0])
    const token = ownKey
    const body = { metadata: { name: 'other' }, spec: { type: 'User', displayName: 'other' } }
    expect((await platform.ask('POST', `${management}/ownedaccesskeys`, { token, body })).status).toBe(201)
    const record = { namespace: 'tenant-r', name: 'tenant-r-applied' }
    const secret = await host.get(secrets, record)
    const before = JSON.parse(Buffer.from(String(Object(secret.data)['applied.json']), 'base64').toString())
    const changed = { ...before, project: 'web', key: { ...before.key, name: 'other' } }
    const data = { 'applied.json': Buffer.from(JSON.stringify(changed)).toString('base64') }
    await host.patch(secrets, record, { type: 'merge', body: { data } })
    const deleted = await place.tenant(['delete', 'r', '-n', 'tenant-r', '--yes'])
    expect(deleted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('left alone: r of project web') })
    expect(deleted.stderr).toContain('left alone: the access key other')
    expect((await instance('web', 'r')).status).toBe(200)
    expect((await platform.ask('GET', `${management}/ownedaccesskeys/other`, { token })).status).toBe(200)
    expect(await place.tenant(['delete', 'r', '-n', 'tenant-r-of-web', '--yes'])).toMatchObject({ exitCode: 0 })
    expect((await instance('web', 'r')).status).toBe(404)
  })

  it('delete also deletes a key whose creation was cut off before it was recorded', async () => {
    await place.tenant(['create', 'u', '-p', 'shop', '--no-wait'])
    await host.delete(secrets, { namespace: 'tenant-u', name: 'tenant-u-applied' })
    expect(await place.tenant(['create', 'u', '-p', 'shop', '--no-wait'])).toMatchObject({ exitCode: 0 })
    expect(await keysFor('shop', 'u')).toHaveLength(1)
    expect(await place.tenant(['delete', 'u', '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await keysFor('shop', 'u')).toEqual([])
  })

  it('says on Ctrl-C how to go on', async () => {
    const env = { HOME: place.directory, KUBECONFIG: kubernetes.kubeconfig }
    const { child, finished } = tenantWith(env, 'create', 'v', '-p', 'shop')
    const sets = await host.served.find('apps', 'statefulsets')
    if (sets === undefined) throw new Error('no StatefulSets')
    // No controller makes Pods here, so it waits.
    await eventually(async () => void (await host.get(sets, { namespace: 'tenant-v', name: 'v' })))
    child.kill('SIGINT')
    const { code, stderr } = await finished
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining('error: interrupted\n') })
    expect(stderr).toContain('Continue with: tenant create v -n tenant-v --upgrade, or tenant delete v -n tenant-v')
    expect(await place.tenant(['delete', 'v', '--yes'])).toMatchObject({ exitCode: 0 })
    expect((await instance('shop', 'v')).status).toBe(404)
  })

  it('remembers the project for later commands', async () => {
    await place.tenant(['create', 'j', '-p', 'web', '--no-wait'])
    const listed = await place.tenant(['list'])
    expect(listed.stdout).toMatch(/^NAME +PROJECT +STATUS\nj +web +Offline\n$/)
    expect((await place.tenant(['list', '-p', 'shop', '-o', 'name'])).stdout).toContain(
      `virtualclusterinstance.${group}/a\n`,
    )
    expect((await place.tenant(['list', '-o', 'name'])).stdout).toBe(`virtualclusterinstance.${group}/j\n`)
  })

  it('an upgrade stays in the project of the virtual cluster, whatever project was used last', async () => {
    await place.tenant(['create', 'q', '-p', 'shop', '--no-wait'])
    await place.tenant(['create', 'l', '-p', 'web', '--no-wait'])
    expect(await place.tenant(['create', 'q', '--upgrade', '--no-wait'])).toMatchObject({ exitCode: 0 })
    expect((await instance('web', 'q')).status).toBe(404)
    expect(await place.tenant(['create', 'q', '--upgrade', '-p', 'web', '--no-wait'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('q is in project shop and stays there'),
    })
  })

  it('reverts the registration and the key if the host refuses the objects', async () => {
    await makeNamespaceWithoutServices(host, 'no-room')
    expect(await place.tenant(['create', 'm', '-n', 'no-room', '-p', 'shop', '--no-wait'])).toMatchObject({
      exitCode: 1,
    })
    expect((await instance('shop', 'm')).status).toBe(404)
    expect(await keysFor('shop', 'm')).toEqual([])
    expect(await keySecret('full')).toBeUndefined()
  })
})
