import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/auth/keys/values/key-value.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import { clusters } from '../../src/cluster/clusters.ts'
import { adminResetFile, askForReset } from '../../src/cluster/identity/admin-reset.ts'
import { adminRecordOf, hostIdentity, platformIdentity } from '../../src/cluster/identity/server-identity.ts'
import { type RunningServer, startServer } from '../../src/cluster/start-server.ts'
import {
  adminRecordKey,
  agreeOnAdmin,
  firstKeyName,
  noteMade,
  replaceAdmin,
} from '../../src/platform/identity/admin-record.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { overHttp1, signIn } from './browser-client.ts'
import { clientOf, keysPath, management, startPlatform } from './platform.ts'

const merge = 'application/merge-patch+json'
const adminUser = `${management}/users/admin`
const folder = mkdtempSync(join(tmpdir(), 'tenant-first-admin-'))
const running = new Set<RunningServer>()
afterAll(async () => {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true })
})

interface StartChoices {
  readonly port?: number
  /** Called when the server has its initial objects, before it makes the key an access key. */
  readonly beforeKey?: () => Promise<void>
}

/** One platform after the other, each with the certificates of the first: creating them takes longest. */
async function start(name: string, { port = 0, beforeKey = async () => {} }: StartChoices = {}) {
  const directory = join(folder, 'data')
  const server = await startServer({
    name: 'platform',
    directory,
    store: `file:${join(folder, name)}`,
    cluster: clusters.platform,
    identity: async (store) => {
      const identity = await platformIdentity(store, { directory, log: silentLog })
      const get = store.get.bind(store)
      const held: Store['get'] = async (key) => {
        if (key === adminRecordKey) await beforeKey()
        return get(key)
      }
      Object.assign(store, { get: held })
      return identity
    },
    port,
    log: silentLog,
    platform: { domain: 'platform.internal', audit: { file: join(folder, 'audit.log'), onFailure: 'refuse' } },
  })
  running.add(server)
  const client = clientOf(server.url, server.certificateAuthority, keptKey())
  const stop = async () => {
    running.delete(server)
    await client.close()
    await server.stop()
  }
  const statusOf = async (token: string) => (await client.ask('GET', adminUser, { token })).status
  return { ...client, server, directory, statusOf, stop }
}

type Started = Awaited<ReturnType<typeof start>>

function keptKey(): string {
  const file = join(folder, 'data', 'admin.key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

function browserAt({ server }: Started) {
  return overHttp1(() => ({ url: server.url, authority: server.certificateAuthority }))
}

async function firstKey({ ask }: Started, token = keptKey()) {
  const { body } = await ask('GET', keysPath, { token })
  const found = body.items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('admin-'))
  expect(found).toHaveLength(1)
  return found[0]
}

/** Like the command. */
function reset({ directory }: Pick<Started, 'directory'>): string {
  const { value } = mintKey(systemRandom)
  writeFileSync(join(directory, 'admin.key'), `${value}\n`)
  askForReset(directory, adminRecordOf(value, 'a file'))
  return value
}

describe("the first administrator's key", () => {
  it('is an access key whose value is only in the file', async () => {
    const platform = await start('one')
    const key = await firstKey(platform)
    expect(key.spec).toMatchObject({ user: 'admin', groups: ['system:masters'], type: 'User' })
    expect(key.status).toMatchObject({ phase: 'Active', keyId: keptKey().split('_')[1] })
    expect(platform.answers.join()).not.toContain(keptKey())
    expect(await platform.statusOf(keptKey())).toBe(200)
    const { keyName } = await signIn(browserAt(platform), keptKey())
    const session = await platform.ask('GET', `${keysPath}/${keyName}`)
    expect(session.body.status.session.startedWith).toBe(key.metadata.name)

    await platform.stop()
    const again = await start('one')
    expect((await firstKey(again)).metadata.uid).toBe(key.metadata.uid)
    await again.stop()
  })

  it('is accepted as soon as the server is ready, which it is not before', async () => {
    const port = await freePort()
    const authority = readFileSync(join(folder, 'data', 'pki', 'ca.crt'), 'utf8')
    const stranger = clientOf(`https://127.0.0.1:${port}`, authority, '')
    const early: Awaited<ReturnType<typeof stranger.ask>>[] = []
    const beforeKey = async () => {
      for (const path of ['/readyz', '/livez']) early.push(await stranger.ask('GET', path))
    }
    const platform = await start('ready', { port, beforeKey })
    expect(early.slice(0, 2).map(({ status }) => status)).toEqual([500, 200])
    expect(early[0]?.text).toContain('[-]start failed: the server is starting')
    expect((await stranger.ask('GET', '/readyz')).status).toBe(200)
    expect(await platform.statusOf(keptKey())).toBe(200)
    await stranger.close()
    await platform.stop()
  })

  it('keeps its earlier value if it was not an access key before', async () => {
    const before = 'b'.repeat(43)
    writeFileSync(join(folder, 'data', 'admin.key'), `${before}\n`)
    const platform = await start('two')
    expect(await platform.statusOf(before)).toBe(200)
    expect(platform.server.admin).toMatchObject({ form: 'kept', kept: { isNew: false, value: before } })
    await platform.stop()
  })

  it('has another value after a rotation, even after a restart', async () => {
    const platform = await start('two')
    const before = keptKey()
    const { metadata } = await firstKey(platform)
    const { body } = await platform.ask('POST', `${keysPath}/${metadata.name}/rotate`, { body: {} })
    expect([await platform.statusOf(before), await platform.statusOf(body.spec.key)]).toEqual([401, 200])
    await platform.stop()
    const again = await start('two')
    expect([await again.statusOf(before), await again.statusOf(body.spec.key)]).toEqual([401, 200])

    const disable = { token: body.spec.key, body: { spec: { disabled: true } }, type: merge }
    expect((await again.ask('PATCH', `${keysPath}/${metadata.name}`, disable)).status).toBe(200)
    expect((await again.ask('GET', keysPath, { token: body.spec.key })).body.details.causes[0].reason).toBe(
      'KeyDisabled',
    )
    await again.stop()
  })

  it('ends at once when it is deleted, on every server, and is not created again', async () => {
    writeFileSync(join(folder, 'data', 'admin.key'), `${'c'.repeat(43)}\n`)
    const platform = await start('three')
    const { directory, server } = platform
    const host = await startServer({
      name: 'host',
      directory,
      store: `file:${join(folder, 'host')}`,
      cluster: clusters.host,
      identity: () => hostIdentity(directory, server),
      port: 0,
      log: silentLog,
    })
    running.add(host)
    const atHost = clientOf(host.url, host.certificateAuthority, keptKey())
    const namespaces = '/api/v1/namespaces'
    expect((await atHost.ask('GET', namespaces)).status).toBe(200)
    const other = await platform.ask('POST', keysPath, {
      body: { metadata: { name: 'other' }, spec: { user: 'admin' } },
    })
    expect((await atHost.ask('GET', namespaces, { token: other.body.spec.key })).status).toBe(401)
    const watches = [
      await platform.watch(`${keysPath}?watch=true`, keptKey()),
      await atHost.watch(`${namespaces}?watch=true`, keptKey()),
    ]

    const { metadata } = await firstKey(platform)
    const spec = { user: 'eve' }
    await platform.ask('POST', `${management}/users`, { body: { metadata: { name: 'eve' } } })
    const own = await platform.ask('POST', keysPath, { body: { metadata: { name: 'own' }, spec } })
    expect((await platform.ask('DELETE', `${keysPath}/${metadata.name}`)).status).toBe(200)
    const body = { metadata: { name: metadata.name }, spec }
    const namesake = await platform.ask('POST', keysPath, { token: own.body.spec.key, body })
    expect(namesake.status).toBe(201)
    expect((await atHost.ask('GET', namespaces, { token: namesake.body.spec.key })).status).toBe(401)
    await Promise.all(watches.map(({ ended }) => ended))
    expect([await platform.statusOf(keptKey()), (await atHost.ask('GET', namespaces)).status]).toEqual([401, 401])
    await atHost.close()
    running.delete(host)
    await host.stop()
    await platform.stop()

    const again = await start('three')
    expect(await again.statusOf(keptKey())).toBe(401)
    await again.stop()
    rmSync(join(folder, 'data', 'admin.key'))
    const lost = await start('three')
    expect([lost.server.admin.form, keptKey()]).toEqual(['elsewhere', ''])
    await lost.stop()
  })
})

describe('a reset on the machine of the platform', () => {
  it('creates another key, ends the previous one with its sessions, unlocks the user, and is audited', async () => {
    const directory = join(folder, 'data')
    const first = reset({ directory })
    const second = reset({ directory })
    const platform = await start('three')
    expect([await platform.statusOf(first), await platform.statusOf(second)]).toEqual([401, 200])
    expect(existsSync(adminResetFile(directory))).toBe(false)
    const audited = () => readFileSync(join(folder, 'audit.log'), 'utf8')
    await eventually(() => expect(audited()).toContain("the administrator's key was replaced by"))

    const send = browserAt(platform)
    const session = await signIn(send, second)
    expect((await send('GET', keysPath, session.headers)).status).toBe(200)
    await platform.ask('PATCH', adminUser, { body: { spec: { disabled: true } }, type: merge })
    expect(await platform.statusOf(second)).toBe(401)

    // Requests with a key that is not valid yet would be too many failed ones.
    const replaced = new Promise<void>((resolve) => platform.server.onAdminReplaced(resolve))
    const third = reset({ directory })
    await replaced
    expect([await platform.statusOf(second), await platform.statusOf(third)]).toEqual([401, 200])
    expect((await send('GET', keysPath, session.headers)).status).toBe(401)
    await firstKey(platform, third)
    await platform.stop()
  })

  it('stays in force even if a replica is still creating the previous key', async () => {
    const inner = await openLmdbStore({ directory: join(folder, 'slow') })
    const before = adminRecordOf(mintKey(systemRandom).value, 'a file')
    const next = adminRecordOf(mintKey(systemRandom).value, 'a file')
    await agreeOnAdmin(inner, before)
    let replacements = 0
    const create: Store['create'] = async (key, value) => {
      if (key.endsWith(firstKeyName(before))) {
        replacements += 1
        await replaceAdmin(inner, next)
        await noteMade(inner, next)
      }
      return inner.create(key, value)
    }
    const store = new Proxy(inner, {
      get: (target, property) => {
        if (property === 'create') return create
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const platform = await startPlatform({ store })
    await platform.server.engine.settleFirstKey()
    expect(replacements).toBe(1)
    expect((await platform.ask('GET', `${keysPath}/${firstKeyName(before)}`)).status).toBe(404)
    await platform.stop()
    await inner.close()
  })

  it('ignores a file without a key', async () => {
    const directory = join(folder, 'data')
    for (const text of ['', '{"hash":1}', 'x'.repeat(20_000)]) {
      writeFileSync(adminResetFile(directory), text)
      const platform = await start('three')
      expect(await platform.statusOf(keptKey())).toBe(200)
      expect(existsSync(adminResetFile(directory))).toBe(false)
      await platform.stop()
    }
  })
})
