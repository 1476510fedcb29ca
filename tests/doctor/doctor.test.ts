import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { HeldLicense } from '../../src/platform/license/license-holder.ts'
import { findOwnObject } from '../../src/tenant/own-object.ts'
import { startTlsServer } from '../cli/platform/tls-server.ts'
import { clientOf, makeWorkplace, type Workplace } from '../create/workplace.ts'
import { proveToBe } from '../link/claims.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { setInstanceStatus } from '../platform/set-instance-status.ts'
import { freePort } from '../support/free-port.ts'
import { findKubernetes } from '../support/kubernetes-programs.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)
const secretName = 'tenant-platform-api-key'

describe.skipIf(search.outcome === 'missing')('tenant doctor', () => {
  let kubernetes: SharedKubernetes
  let host: KubeClient
  let platform: TestPlatform
  let place: Workplace
  let made = 0
  let laterMs = 0
  const licensed: HeldLicense = {
    state: 'valid',
    license: { id: 'a', issuedTo: 'Example', features: ['platform-link'], limits: {}, issuedAtMs: 0 },
  }
  let held: HeldLicense = licensed
  const shown: string[] = []
  const keys: string[] = []

  beforeAll(async () => {
    if (search.outcome === 'missing') return
    kubernetes = await askForShared('kubernetes')
    host = await clientOf(kubernetes.kubeconfig)
    platform = await startPlatform({
      clock: { now: () => systemClock.now() + laterMs },
      platform: { domain: 'platform.internal', license: { document: undefined, issuer: undefined, check: () => held } },
    })
    await platform.must('POST', `${management}/users`, userNamed('ada'))
    const spec = { members: [{ kind: 'User', name: 'ada', role: 'admin' }] }
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' }, spec })
    const first = await platform.must('GET', `${management}/projects/default`)
    await platform.must('PUT', `${management}/projects/default`, { ...first, spec })
  })
  afterAll(async () => {
    for (const key of keys) expect(shown.join('')).not.toContain(key)
    await host.close()
    await platform.stop()
  })
  beforeEach(() => {
    place = makeWorkplace(kubernetes.kubeconfig)
  })
  afterEach(() => place.remove())

  /** A virtual cluster with a configuration, and a name that no other test has. */
  async function deployed(config = 'external: {platform: {}}\n'): Promise<string> {
    made += 1
    const name = `t${made}`
    const file = place.file('tenant.yaml', config)
    const { exitCode, stderr } = await place.tenant(['create', name, '--no-wait', '-f', file])
    if (exitCode !== 0) throw new Error(stderr)
    return name
  }

  async function secretsType() {
    const type = await host.served.find('', 'secrets')
    if (type === undefined) throw new Error('no secrets')
    return type
  }

  async function putSecret(namespace: string, name: string, entries: Readonly<Record<string, string>>): Promise<void> {
    const data = Object.fromEntries(
      Object.entries(entries).map(([entry, value]) => [entry, Buffer.from(value).toString('base64')]),
    )
    await host.apply(
      await secretsType(),
      { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data },
      { fieldManager: 'test', force: true },
    )
  }

  const rightEntries = (accessKey: string) => ({
    accessKey,
    host: platform.server.url,
    certificateAuthorityData: platform.server.authority,
  })

  const tenantScope = (projects: readonly string[]) => ({ scope: { roles: [{ role: 'tenant', projects }] } })

  async function newKey(spec: object = tenantScope(['*'])): Promise<string> {
    const key = await platform.keyOf('ada', spec)
    keys.push(key)
    return key
  }

  /** A virtual cluster whose Secret holds a working key. */
  async function withKey(
    key: string,
    entries: Readonly<Record<string, string>> = {},
    config?: string,
  ): Promise<string> {
    const name = await deployed(config)
    await putSecret(`tenant-${name}`, secretName, { ...rightEntries(key), ...entries })
    return name
  }

  async function doctor(name: string, ...more: readonly string[]) {
    const { exitCode, stdout, stderr } = await place.tenant(['doctor', name, '-o', 'json', ...more])
    shown.push(stdout, stderr)
    if (stdout === '') throw new Error(stderr)
    const findings: readonly DoctorFinding[] = JSON.parse(stdout).findings
    return { exitCode, of: (check: string) => findings.find((finding) => finding.check === check), findings }
  }

  /** Writes the status that the link would write. */
  async function setStatus(project: string, name: string, status: object): Promise<void> {
    const path = `${management}/namespaces/p-${project}/virtualclusterinstances`
    await platform.ask('POST', path, {
      body: { apiVersion: `${management.slice(6)}`, kind: 'VirtualClusterInstance', metadata: { name } },
    })
    await setInstanceStatus(platform, { namespace: `p-${project}`, name }, status)
  }

  it('finds no problem if there is none, and shows its checks', async () => {
    const name = await withKey(await newKey())
    await setStatus('default', name, {
      online: true,
      lastHeartbeat: '2026-01-01T00:00:00Z',
      version: { tenant: '0.1.9' },
    })
    const { exitCode, findings } = await doctor(name)
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]))
    expect(states).toEqual({
      host: 'ok',
      configuration: 'ok',
      deployment: 'warning',
      storage: 'skipped',
      nodes: 'ok',
      pods: 'skipped',
      secret: 'ok',
      rights: 'ok',
      address: 'ok',
      clock: 'ok',
      key: 'ok',
      role: 'ok',
      registration: 'ok',
      link: 'ok',
      version: 'ok',
    })
    expect(exitCode).toBe(0)
    const { stdout } = await place.tenant(['doctor', name])
    expect(stdout).toContain(
      `ok   Key and host: key and host are in the Secret ${secretName} of namespace tenant-${name}\n`,
    )
    expect(stdout).toContain('warn Deployment: StatefulSet')
    expect(stdout).toMatch(/\n {2}to fix: see: tenant logs/)
  })

  it('host: an unreachable cluster', async () => {
    const server = `https://127.0.0.1:${await freePort()}`
    const kubeconfig = join(place.directory, 'dead')
    writeFileSync(
      kubeconfig,
      printKubeconfig([{ name: 'dead', server, certificateAuthority: kubernetes.authority, token: 'x' }]),
    )
    const { exitCode, of } = await doctor('any', '--kubeconfig', kubeconfig)
    expect(exitCode).toBe(1)
    expect(of('host')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(server),
      fix: expect.stringContaining('--kubeconfig'),
    })
    expect(of('host')?.detail).toContain(
      'no tenant up of this machine runs a virtual cluster any in namespace tenant-any',
    )
    expect(of('secret')).toMatchObject({ state: 'skipped' })
  })

  it('configuration and deployment: missing', async () => {
    const { exitCode, of } = await doctor('nobody')
    expect(exitCode).toBe(1)
    expect(of('configuration')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('tenant create nobody -n tenant-nobody'),
    })
    expect(of('deployment')).toMatchObject({
      state: 'failed',
      detail: 'there is no StatefulSet nobody in namespace tenant-nobody',
    })
  })

  it('reports where it looked for an unknown name', async () => {
    const notHere = 'no tenant up of this machine runs a virtual cluster absent in namespace tenant-absent'
    const { of } = await doctor('absent')
    const secret = 'the Secret tenant-absent-config of namespace tenant-absent'
    expect(of('configuration')?.detail).toBe(`${notHere}, and ${host.origin} does not have ${secret}`)
    const kubeconfig = join(place.directory, 'none')
    const { exitCode, stderr } = await place.tenant(['doctor', 'absent', '--kubeconfig', kubeconfig])
    expect(stderr).toBe(`error: ${notHere}, and there is no kubeconfig at ${kubeconfig}\n`)
    expect(exitCode).toBe(1)
  })

  it('configuration: an invalid one', async () => {
    const name = await deployed()
    await putSecret(`tenant-${name}`, `tenant-${name}-config`, { 'tenant.yaml': 'sync: 1\n' })
    const { of } = await doctor(name)
    expect(of('configuration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('1:7: sync must be a mapping'),
    })
  })

  it('configuration: a given one, for an external virtual cluster', async () => {
    const { stdout } = await place.tenant(['doctor', 'outside', '-o', 'json', '-f', '-'], { input: '{}\n' })
    const findings: readonly DoctorFinding[] = JSON.parse(stdout).findings
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]))
    expect(states).toMatchObject({ host: 'ok', configuration: 'ok', deployment: 'skipped' })
  })

  it('secret: missing', async () => {
    const { of, exitCode } = await doctor(await deployed())
    expect(exitCode).toBe(1)
    expect(of('secret')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('there is no key'),
      fix: expect.stringContaining('kubectl create secret generic'),
    })
  })

  it('secret: missing, but not needed', async () => {
    const { of, exitCode } = await doctor(await deployed('{}\n'))
    expect({ exitCode, secret: of('secret') }).toMatchObject({
      exitCode: 0,
      secret: { state: 'ok', detail: expect.stringContaining('stands alone') },
    })
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no host', { accessKey: 'a' }, 'has no host'],
    ['no key', { host: 'a' }, 'has no accessKey'],
    ['a key that is cut off', { accessKey: 'tpk_cut', host: 'a' }, 'its checksum does not fit'],
  ])('secret: %s', async (_name, entries, detail) => {
    const name = await deployed()
    await putSecret(`tenant-${name}`, secretName, entries)
    expect((await doctor(name)).of('secret')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(detail),
    })
  })

  it('nodes: a tenant without the right to read them', async () => {
    const name = await withKey(await newKey())
    const bindings = await host.served.find('rbac.authorization.k8s.io', 'clusterrolebindings')
    const { items } = bindings === undefined ? { items: [] } : await host.list(bindings)
    const own = items.find(({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] === name)
    if (bindings === undefined || own === undefined) throw new Error('tenant create has made no ClusterRoleBinding')
    await host.delete(bindings, { namespace: '', name: own.metadata.name ?? '' })
    expect((await doctor(name)).of('nodes')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('may not read nodes: none are shown'),
    })
  })

  it('rights: a shared Secret that the tenant may not read, and one that it may', async () => {
    const type = await host.served.find('', 'namespaces')
    if (type !== undefined)
      await host.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-platform' } })
    await putSecret('tenant-platform', secretName, rightEntries(await newKey()))
    const config = (createRBAC: boolean) =>
      `external: {platform: {apiKey: {namespace: tenant-platform, createRBAC: ${createRBAC}}}}\n`
    expect((await doctor(await deployed(config(false)))).of('rights')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('get, list and watch on secrets with the resourceName tenant-platform-api-key'),
    })
    expect((await doctor(await deployed(config(true)))).of('rights')).toMatchObject({ state: 'ok' })
  })

  it('address: no server answers', async () => {
    const url = `https://127.0.0.1:${await freePort()}`
    const { of } = await doctor(await withKey(await newKey(), { host: url }))
    expect(of('address')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(url),
      fix: expect.stringContaining('the entry host'),
    })
    expect(of('key')).toMatchObject({ state: 'skipped' })
  })

  it('address: a certificate of an unknown authority', async () => {
    const { of } = await doctor(await withKey(await newKey(), { certificateAuthorityData: '' }))
    expect(of('address')).toMatchObject({ state: 'failed', fix: expect.stringContaining('certificateAuthorityData') })
  })

  it('address: any certificate is accepted', async () => {
    const { of } = await doctor(await withKey(await newKey(), { insecure: 'true', certificateAuthorityData: '' }))
    expect(of('address')).toMatchObject({ state: 'warning', detail: expect.stringContaining('can be stolen') })
    expect(of('key')).toMatchObject({ state: 'ok' })
  })

  it('clock: a difference between the two', async () => {
    const date = new Date(systemClock.now() + 3_600_000).toUTCString()
    const server = await startTlsServer({}, () => ({ status: 200, headers: { date }, body: '{}' }))
    const entries = { host: server.url, certificateAuthorityData: server.authority }
    const { of } = await doctor(await withKey(await newKey(), entries))
    await server.stop()
    expect(of('clock')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/is (59m|60m|1h).* behind that of the platform/),
      fix: expect.stringContaining('NTP'),
    })
    expect(of('key')).toMatchObject({ state: 'failed', detail: expect.stringContaining('not a platform') })
  })

  it('key: unknown, disabled, expired', async () => {
    const deleted = await newKey()
    const { items } = await platform.must('GET', keysPath)
    const last = items.at(-1)
    const name = await withKey(deleted)
    await platform.must('PUT', `${keysPath}/${last.metadata.name}`, { ...last, spec: { ...last.spec, disabled: true } })
    expect((await doctor(name)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('keys enable'),
    })
    await platform.must('DELETE', `${keysPath}/${last.metadata.name}`)
    expect((await doctor(name)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('does not know it'),
    })
    const short = await newKey({ ...tenantScope(['*']), ttl: 1 })
    const other = await withKey(short)
    laterMs += 2_000
    expect((await doctor(other)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('make a new key'),
    })
  })

  it('role: a key without the role tenant', async () => {
    const { of } = await doctor(await withKey(await newKey({})))
    expect(of('role')).toMatchObject({ state: 'failed', fix: expect.stringContaining('--role tenant') })
    expect(of('registration')).toMatchObject({ state: 'failed' })
  })

  it('registration: a role for another project', async () => {
    const { of } = await doctor(await withKey(await newKey(tenantScope(['shop']))))
    expect(of('registration')).toMatchObject({ state: 'failed', fix: expect.stringContaining('--role tenant:default') })
    const shop = await withKey(await newKey(tenantScope(['shop'])), { project: 'shop' })
    expect((await doctor(shop)).of('registration')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('in project shop'),
    })
  })

  it('registration: the project of the configuration is missing', async () => {
    const config = 'external: {platform: {project: nowhere}}\n'
    const { of } = await doctor(await withKey(await newKey(), {}, config))
    expect(of('registration')).toMatchObject({ state: 'failed', fix: expect.stringContaining('nowhere') })
  })

  it('registration: no license', async () => {
    const name = await withKey(await newKey())
    held = { state: 'none', message: 'the platform has no license' }
    const { of } = await doctor(name)
    held = licensed
    expect(of('registration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('linking needs the feature platform-link: the platform has no license'),
      fix: expect.stringContaining('install a license'),
    })
  })

  it('registration: a lost proof, and an existing one', async () => {
    const key = await newKey()
    const name = await withKey(key)
    const namespace = `tenant-${name}`
    const { uid: serviceUid = '' } = (await findOwnObject(host, { tenant: name, hostNamespace: namespace })).object
      .metadata
    const proof = await proveToBe(platform, { token: key, name, namespace, serviceUid })
    expect((await doctor(name)).of('registration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('none was shown'),
      fix: expect.stringContaining(`tenant platform reissue ${name} --project default`),
    })
    await putSecret(namespace, `tenant-${name}-identity`, { proof, project: 'default', name })
    expect((await doctor(name)).of('registration')).toMatchObject({ state: 'ok' })
  })

  it('link: never registered, and not linked', async () => {
    const name = await withKey(await newKey())
    expect((await doctor(name)).of('link')).toMatchObject({ state: 'failed', detail: 'it has never registered' })
    await setStatus('default', name, { online: false, message: 'The access key was revoked.' })
    expect((await doctor(name)).of('link')).toMatchObject({
      state: 'failed',
      detail: 'it is not linked: The access key was revoked.',
    })
  })

  it('version: another release', async () => {
    const name = await withKey(await newKey())
    await setStatus('default', name, { online: true, version: { tenant: '9.9.9' } })
    expect((await doctor(name)).of('version')).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('--upgrade'),
    })
  })
})
