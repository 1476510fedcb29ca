import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { findOwnObject } from '../../src/tenant/own-object.ts'
import { startTlsServer } from '../cli/platform/tls-server.ts'
import { proveToBe } from '../link/claims.ts'
import { keysPath } from '../platform/platform.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { freePort } from '../support/network/free-port.ts'
import { DoctorScene, licensed, tenantScope } from './doctor-scene.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

describe.skipIf(search.outcome === 'missing')('tenant doctor, at the platform', () => {
  let scene: DoctorScene
  beforeAll(async () => {
    if (search.outcome !== 'missing') scene = await DoctorScene.open('at-platform-')
  })
  afterAll(() => scene.close())
  afterEach(() => scene.renewPlace())

  it('address: no server answers', async () => {
    const url = `https://127.0.0.1:${await freePort()}`
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey(), { host: url }))
    expect(of('address')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(url),
      fix: expect.stringContaining('the entry host'),
    })
    expect(of('key')).toMatchObject({ state: 'skipped' })
  })

  it('address: a certificate of an unknown authority', async () => {
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey(), { certificateAuthorityData: '' }))
    expect(of('address')).toMatchObject({ state: 'failed', fix: expect.stringContaining('certificateAuthorityData') })
  })

  it('address: any certificate is accepted', async () => {
    const { of } = await scene.doctor(
      await scene.withKey(await scene.newKey(), { insecure: 'true', certificateAuthorityData: '' }),
    )
    expect(of('address')).toMatchObject({ state: 'warning', detail: expect.stringContaining('can be stolen') })
    expect(of('key')).toMatchObject({ state: 'ok' })
  })

  it('clock: a difference between the two', async () => {
    const date = new Date(systemClock.now() + 3_600_000).toUTCString()
    const server = await startTlsServer({}, () => ({ status: 200, headers: { date }, body: '{}' }))
    const entries = { host: server.url, certificateAuthorityData: server.authority }
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey(), entries))
    await server.stop()
    expect(of('clock')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/is (59m|60m|1h).* behind that of the platform/),
      fix: expect.stringContaining('NTP'),
    })
    expect(of('key')).toMatchObject({ state: 'failed', detail: expect.stringContaining('not a platform') })
  })

  it('key: unknown, disabled, expired', async () => {
    const deleted = await scene.newKey()
    const { items } = await scene.platform.must('GET', keysPath)
    const last = items.at(-1)
    const name = await scene.withKey(deleted)
    await scene.platform.must('PUT', `${keysPath}/${last.metadata.name}`, {
      ...last,
      spec: { ...last.spec, disabled: true },
    })
    expect((await scene.doctor(name)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('keys enable'),
    })
    await scene.platform.must('DELETE', `${keysPath}/${last.metadata.name}`)
    expect((await scene.doctor(name)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('does not know it'),
    })
    const short = await scene.newKey({ ...tenantScope(['*']), ttl: 1 })
    const other = await scene.withKey(short)
    scene.conditions.laterMs += 2_000
    expect((await scene.doctor(other)).of('key')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('make a new key'),
    })
  })

  it('role: a key without the role tenant', async () => {
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey({})))
    expect(of('role')).toMatchObject({ state: 'failed', fix: expect.stringContaining('--role tenant') })
    expect(of('registration')).toMatchObject({ state: 'failed' })
  })

  it('registration: a role for another project', async () => {
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey(tenantScope(['shop']))))
    expect(of('registration')).toMatchObject({ state: 'failed', fix: expect.stringContaining('--role tenant:default') })
    const shop = await scene.withKey(await scene.newKey(tenantScope(['shop'])), { project: 'shop' })
    expect((await scene.doctor(shop)).of('registration')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('in project shop'),
    })
  })

  it('registration: the project of the configuration is missing', async () => {
    const config = 'external: {platform: {project: nowhere}}\n'
    const { of } = await scene.doctor(await scene.withKey(await scene.newKey(), {}, config))
    expect(of('registration')).toMatchObject({ state: 'failed', fix: expect.stringContaining('nowhere') })
  })

  it('registration: no license', async () => {
    const name = await scene.withKey(await scene.newKey())
    scene.conditions.license = { state: 'none', message: 'the platform has no license' }
    const { of } = await scene.doctor(name)
    scene.conditions.license = licensed
    expect(of('registration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('linking needs the feature platform-link: the platform has no license'),
      fix: expect.stringContaining('install a license'),
    })
  })

  it('registration: a lost proof, and an existing one', async () => {
    const key = await scene.newKey()
    const name = await scene.withKey(key)
    const namespace = `tenant-${name}`
    const { uid: serviceUid = '' } = (await findOwnObject(scene.host, { tenant: name, hostNamespace: namespace }))
      .object.metadata
    const proof = await proveToBe(scene.platform, { token: key, name, namespace, serviceUid })
    expect((await scene.doctor(name)).of('registration')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('none was shown'),
      fix: expect.stringContaining(`tenant platform reissue ${name} --project default`),
    })
    await scene.putSecret(namespace, `tenant-${name}-identity`, { proof, project: 'default', name })
    expect((await scene.doctor(name)).of('registration')).toMatchObject({ state: 'ok' })
  })

  it('link: never registered, and not linked', async () => {
    const name = await scene.withKey(await scene.newKey())
    expect((await scene.doctor(name)).of('link')).toMatchObject({ state: 'failed', detail: 'it has never registered' })
    await scene.setStatus('default', name, { online: false, message: 'The access key was revoked.' })
    expect((await scene.doctor(name)).of('link')).toMatchObject({
      state: 'failed',
      detail: 'it is not linked: The access key was revoked.',
    })
  })

  it('version: another release', async () => {
    const name = await scene.withKey(await scene.newKey())
    await scene.setStatus('default', name, { online: true, version: { tenant: '9.9.9' } })
    expect((await scene.doctor(name)).of('version')).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('--upgrade'),
    })
  })
})
