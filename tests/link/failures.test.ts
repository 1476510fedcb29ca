import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { monotonicClock } from '../../src/base/clock.ts'
import { keysPath, management, type TestPlatform, userNamed } from '../platform/platform.ts'
import { atOnceMs } from '../support/at-once.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { stopsWithTest } from './stops-with-test.ts'
import {
  embedded,
  inside,
  instances,
  keptInMemory,
  type Linking,
  link,
  startLinkPlatform,
  tenantKey,
  tenantScope,
} from './support.ts'

let platform: TestPlatform
let virtual: TestServer
let directory: string
const merge = 'application/merge-patch+json'

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-link-'))
  const audit = { file: join(directory, 'audit.log') }
  ;[platform, virtual] = await Promise.all([
    startLinkPlatform({ platform: { domain: 'platform.internal', audit } }),
    startTestServer(),
  ])
})

afterAll(async () => {
  await Promise.all([platform.stop(), virtual.stop()])
  await rm(directory, { recursive: true, force: true })
})

function linkWith(linking: Omit<Linking, 'url' | 'virtualApi'>) {
  const { url, authority } = platform.server
  return stopsWithTest(link({ url, authority, virtualApi: embedded(virtual), ...linking }))
}

const change = (path: string, body: object) => platform.ask('PATCH', path, { body, type: merge })
const status = async (name: string) => (await platform.must('GET', `${instances()}/${name}`)).status

describe('a key that cannot link', () => {
  it('because it lacks the role "tenant" is refused with the reason, and the audit names the layer', async () => {
    const accessKey = await tenantKey(platform, 'no-role', {})
    const { problem } = await linkWith({ name: 'no-role', accessKey }).waiting('RoleMissing')
    expect(problem.message).toContain('role "tenant"')
    await eventually(async () => {
      const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).trim().split('\n')
      const refused = lines.map((line) => JSON.parse(line)).find(({ key }) => key === 'no-role')
      expect(refused).toMatchObject({ decision: 'deny', layer: 'role', code: 403, object: { subresource: 'register' } })
    })
    expect((await platform.ask('GET', `${instances()}/no-role`)).status).toBe(404)
  })

  it('because its role is for another project or virtual cluster is refused in the same way', async () => {
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: ['another'] }] }
    await linkWith({ name: 'dev', accessKey: await tenantKey(platform, 'elsewhere', scope) }).waiting('RoleMissing')
  })

  it('because its owner has no rights in the project is refused', async () => {
    await platform.must('POST', `${management}/users`, userNamed('outsider'))
    const accessKey = await platform.keyOf('outsider', { scope: tenantScope })
    await linkWith({ name: 'outside', accessKey }).waiting('NotAllowed')
  })

  it('because it is unknown is refused, and a valid key is accepted at once', async () => {
    const tried = linkWith({ name: 'late', accessKey: `nobody-knows-this-key-${'x'.repeat(20)}` })
    expect((await tried.waiting('KeyRefused')).problem.message).toBe('the platform does not know the access key')
    tried.takeKey({ ...tried.key, accessKey: await tenantKey(platform, 'good') })
    await tried.linked()
  })

  it('does not find a missing project', async () => {
    const accessKey = await tenantKey(platform, 'no-project')
    await linkWith({ name: 'lost', accessKey, project: 'absent' }).waiting('ProjectMissing')
  })
})

describe('names', () => {
  it('stay with the first Service that used them; another gets a derived one', async () => {
    const accessKey = await tenantKey(platform, 'names')
    const first = linkWith({ name: 'twin', serviceUid: 'first-uid', accessKey })
    expect(await first.linked()).toMatchObject({ name: 'twin', project: 'default' })
    const second = linkWith({ name: 'twin', serviceUid: 'second-uid', accessKey })
    const { name } = await second.linked()
    expect(name).toMatch(/^twin-[0-9a-z]{5}$/)
    await first.stop()
    const again = linkWith({ name: 'twin', serviceUid: 'first-uid', accessKey })
    expect(await again.linked()).toMatchObject({ name: 'twin' })
    expect((await platform.ask('GET', `${inside(name)}/version`)).status).toBe(200)
  })

  it('are not assigned to a key that is limited to a taken name', async () => {
    const accessKey = await tenantKey(platform, 'shared-names')
    await linkWith({ name: 'mine', serviceUid: 'owner-uid', accessKey }).linked()
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: ['mine'] }] }
    const narrow = await tenantKey(platform, 'narrow', scope)
    await linkWith({ name: 'mine', serviceUid: 'thief-uid', accessKey: narrow }).waiting('RoleMissing')
  })

  it('that were created in advance are claimed by the first virtual cluster', async () => {
    const spec = { displayName: 'Prepared' }
    await platform.must('POST', instances(), { metadata: { name: 'prepared' }, spec })
    const accessKey = await tenantKey(platform, 'preparing')
    expect(await linkWith({ name: 'prepared', accessKey }).linked()).toMatchObject({ name: 'prepared' })
    expect((await platform.must('GET', `${instances()}/prepared`)).spec).toEqual(spec)
  })
})

describe('a link', () => {
  it('stays up when its key is rotated, even after the old value ends', async () => {
    const accessKey = await tenantKey(platform, 'rotating')
    const linked = linkWith({ name: 'rotating', accessKey })
    await linked.linked()
    const rotated = await platform.must('POST', `${keysPath}/rotating/rotate`, {
      apiVersion: 'management.platform.internal/v1',
      kind: 'AccessKeyRotation',
      overlapSeconds: 2,
    })
    const before = linked.states.length
    linked.takeKey({ ...linked.key, accessKey: rotated.spec.key })
    await eventually(async () => expect((await platform.ask('GET', '/apis', { token: accessKey })).status).toBe(401))
    expect((await platform.ask('GET', `${inside('rotating')}/version`)).status).toBe(200)
    linked.takeKey({ ...linked.key, accessKey: await tenantKey(platform, 'after-rotation') })
    await eventually(async () => expect((await status('rotating')).link.accessKey).toBe('after-rotation'))
    expect(linked.states).toHaveLength(before)
  })

  it('is cut at once when its key is revoked, with all streams, and both sides log the reason', async () => {
    const accessKey = await tenantKey(platform, 'revoked')
    const linked = linkWith({ name: 'revoked', accessKey })
    await linked.linked()
    const watch = await platform.watch(`${inside('revoked')}/api/v1/configmaps?watch=true`, 'admin-token')
    expect(watch.status).toBe(200)
    const startMs = performance.now()
    await change(`${keysPath}/revoked`, { spec: { disabled: true } })
    await watch.ended
    expect(performance.now() - startMs).toBeLessThan(atOnceMs)
    expect((await linked.waiting('KeyRevoked')).problem.message).toBe('The access key has been disabled.')
    await eventually(async () =>
      expect(await status('revoked')).toMatchObject({ phase: 'Offline', reason: 'KeyRevoked' }),
    )
    await linked.waiting('KeyRefused')
    expect(await platform.ask('GET', `${inside('revoked')}/version`)).toMatchObject({
      status: 503,
      body: { reason: 'ServiceUnavailable', message: expect.stringContaining('is offline: last seen') },
    })
    await change(`${keysPath}/revoked`, { spec: { disabled: false } })
    linked.takeKey(linked.key)
    await linked.linked()
  })

  it('of a stopped tenant is offline at once, and of a removed one ends', async () => {
    const accessKey = await tenantKey(platform, 'stopping')
    const linked = linkWith({ name: 'stopping', accessKey })
    await linked.linked()
    await eventually(async () => expect(await status('stopping')).toMatchObject({ online: true }))
    await linked.stop()
    await eventually(async () =>
      expect(await status('stopping')).toMatchObject({ online: false, reason: 'TenantStopped', phase: 'Offline' }),
    )
    const again = linkWith({ name: 'stopping', accessKey })
    await again.linked()
    await platform.must('DELETE', `${instances()}/stopping`)
    await again.waiting('Removed')
  })

  it('gets from a stopping platform the time within which it returns, and logs it once', async () => {
    // No outgoing connection takes this port when the platform has left it.
    const stopping = await startLinkPlatform({ port: await freePort() })
    const { url, authority } = stopping.server
    const accessKey = await tenantKey(stopping, 'returning')
    // The time within which it returns has no end, however slow the attempts are.
    let atMs: number | undefined
    const elapsed = { now: () => atMs ?? monotonicClock.now() }
    const linked = stopsWithTest(
      link({ url, authority, virtualApi: embedded(virtual), name: 'returning', accessKey, elapsed }),
    )
    await linked.linked()
    atMs = monotonicClock.now()
    await stopping.stop()
    let attempts = 0
    const inItsPlace = createServer((socket) => {
      attempts += 1
      socket.destroy()
    }).listen(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void inItsPlace.close())
    await eventually(() => expect(attempts).toBeGreaterThan(8))
    const waiting = linked.states.filter((each) => each.state === 'waiting')
    expect(waiting.map(({ retryMs }) => retryMs <= 250)).toEqual([true])
  })

  it('that is being opened moves to another platform if a key for that one arrives', async () => {
    const other = stopsWithTest(await startLinkPlatform())
    const accessKey = await tenantKey(platform, 'first-place')
    const next = { accessKey: await tenantKey(other, 'other-place'), url: other.server.url }
    let goOn = () => {}
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const read = async () => {
      await mayGoOn
      return undefined
    }
    const moving = linkWith({ name: 'to-another', accessKey, proofs: { read, keep: async (proof) => proof } })
    moving.takeKey({ ...moving.key, ...next, certificateAuthority: other.server.authority })
    goOn()
    await eventually(async () =>
      expect((await other.must('GET', `${instances()}/to-another`)).status).toMatchObject({ online: true }),
    )
  })

  it('counts as closed once the platform has ended it, however long the next attempt takes', async () => {
    const stopping = await startLinkPlatform()
    const { url, authority } = stopping.server
    const accessKey = await tenantKey(stopping, 'ended')
    const kept = keptInMemory()
    let mayGoOn = Promise.resolve()
    let goOn = () => {}
    const read = async () => {
      await mayGoOn
      return kept.read()
    }
    const linking = { url, authority, virtualApi: embedded(virtual), name: 'ended', accessKey }
    const linked = stopsWithTest(link({ ...linking, proofs: { read, keep: kept.keep } }))
    await linked.linked()
    mayGoOn = new Promise((resolve) => {
      goOn = resolve
    })
    try {
      await stopping.stop()
      // An attempt that has failed by then is the reason instead.
      await eventually(() => expect(linked.state).toMatchObject({ state: 'waiting' }))
    } finally {
      goOn()
    }
  })

  it('is replaced by a newer one of the same virtual cluster', async () => {
    const accessKey = await tenantKey(platform, 'twice')
    const older = linkWith({ name: 'twice', accessKey })
    await older.linked()
    const newer = linkWith({ name: 'twice', accessKey })
    await newer.linked()
    await older.waiting('Replaced')
    // It tries again soon, and may have replaced the newer one for a moment.
    await older.stop()
    await eventually(async () => expect((await platform.ask('GET', `${inside('twice')}/version`)).status).toBe(200))
  })
})
