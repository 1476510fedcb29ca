import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { freePort } from '../support/network/free-port.ts'
import { DoctorScene, secretName } from './doctor-scene.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

describe.skipIf(search.outcome === 'missing')('tenant doctor, at the host', () => {
  let scene: DoctorScene
  beforeAll(async () => {
    if (search.outcome !== 'missing') scene = await DoctorScene.open('at-host-')
  })
  afterAll(() => scene.close())
  afterEach(() => scene.renewPlace())

  it('finds no problem if there is none, and shows its checks', async () => {
    const name = await scene.withKey(await scene.newKey())
    await scene.setStatus('default', name, {
      online: true,
      lastHeartbeat: '2026-01-01T00:00:00Z',
      version: { tenant: '0.1.9' },
    })
    const { exitCode, findings } = await scene.doctor(name)
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
    const { stdout } = await scene.place.tenant(['doctor', name])
    expect(stdout).toContain(
      `ok   Key and host: key and host are in the Secret ${secretName} of namespace tenant-${name}\n`,
    )
    expect(stdout).toContain('warn Deployment: StatefulSet')
    expect(stdout).toMatch(/\n {2}to fix: see: tenant logs/)
  })

  it('host: an unreachable cluster', async () => {
    const server = `https://127.0.0.1:${await freePort()}`
    const kubeconfig = join(scene.place.directory, 'dead')
    writeFileSync(
      kubeconfig,
      printKubeconfig([{ name: 'dead', server, certificateAuthority: scene.kubernetes.authority, token: 'x' }]),
    )
    const { exitCode, of } = await scene.doctor('any', '--kubeconfig', kubeconfig)
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
    const { exitCode, of } = await scene.doctor('absent')
    expect(exitCode).toBe(1)
    expect(of('configuration')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('tenant create absent -n tenant-absent'),
    })
    expect(of('deployment')).toMatchObject({
      state: 'failed',
      detail: 'there is no StatefulSet absent in namespace tenant-absent',
    })
  })

  it('reports where it looked for an unknown name', async () => {
    const notHere = 'no tenant up of this machine runs a virtual cluster absent in namespace tenant-absent'
    const { of } = await scene.doctor('absent')
    const secret = 'the Secret tenant-absent-config of namespace tenant-absent'
    expect(of('configuration')?.detail).toBe(`${notHere}, and ${scene.host.origin} does not have ${secret}`)
    const kubeconfig = join(scene.place.directory, 'none')
    const { exitCode, stderr } = await scene.place.tenant(['doctor', 'absent', '--kubeconfig', kubeconfig])
    expect(stderr).toBe(`error: ${notHere}, and there is no kubeconfig at ${kubeconfig}\n`)
    expect(exitCode).toBe(1)
  })

  it('configuration: an invalid one', async () => {
    const name = await scene.deployed()
    await scene.putSecret(`tenant-${name}`, `tenant-${name}-config`, { 'tenant.yaml': 'sync: 1\n' })
    const { of } = await scene.doctor(name)
    expect(of('configuration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('1:7: sync must be a mapping'),
    })
  })

  it('configuration: a given one, for an external virtual cluster', async () => {
    const { stdout } = await scene.place.tenant(['doctor', 'outside', '-o', 'json', '-f', '-'], { input: '{}\n' })
    const findings: readonly DoctorFinding[] = JSON.parse(stdout).findings
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]))
    expect(states).toMatchObject({ host: 'ok', configuration: 'ok', deployment: 'skipped' })
  })

  it('secret: missing', async () => {
    const { of, exitCode } = await scene.doctor(await scene.deployed())
    expect(exitCode).toBe(1)
    expect(of('secret')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('there is no key'),
      fix: expect.stringContaining('kubectl create secret generic'),
    })
  })

  it('secret: missing, but not needed', async () => {
    const { of, exitCode } = await scene.doctor(await scene.deployed('{}\n'))
    expect({ exitCode, secret: of('secret') }).toMatchObject({
      exitCode: 0,
      secret: { state: 'ok', detail: expect.stringContaining('stands alone') },
    })
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no host', { accessKey: 'a' }, 'has no host'],
    ['no key', { host: 'a' }, 'has no accessKey'],
    ['a key that is cut off', { accessKey: 'tpk_cut', host: 'a' }, 'its checksum is wrong'],
  ])('secret: %s', async (_name, entries, detail) => {
    const name = await scene.deployed()
    await scene.putSecret(`tenant-${name}`, secretName, entries)
    expect((await scene.doctor(name)).of('secret')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(detail),
    })
  })

  it('nodes: a tenant without the right to read them', async () => {
    const name = await scene.withKey(await scene.newKey())
    const bindings = await scene.host.served.find('rbac.authorization.k8s.io', 'clusterrolebindings')
    const { items } = bindings === undefined ? { items: [] } : await scene.host.list(bindings)
    const own = items.find(({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] === name)
    if (bindings === undefined || own === undefined) throw new Error('tenant create has made no ClusterRoleBinding')
    await scene.host.delete(bindings, { namespace: '', name: own.metadata.name ?? '' })
    expect((await scene.doctor(name)).of('nodes')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('may not read nodes: none are shown'),
    })
  })

  it('rights: a shared Secret that the tenant may not read, and one that it may', async () => {
    const type = await scene.host.served.find('', 'namespaces')
    if (type !== undefined)
      await scene.host.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-platform' } })
    await scene.putSecret('tenant-platform', secretName, scene.rightEntries(await scene.newKey()))
    const config = (createRBAC: boolean) =>
      `external: {platform: {apiKey: {namespace: tenant-platform, createRBAC: ${createRBAC}}}}\n`
    expect((await scene.doctor(await scene.deployed(config(false)))).of('rights')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('get, list and watch on secrets with the resourceName tenant-platform-api-key'),
    })
    expect((await scene.doctor(await scene.deployed(config(true)))).of('rights')).toMatchObject({ state: 'ok' })
  })
})
