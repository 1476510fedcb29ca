import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { builtCli } from '../support/programs/built-cli.ts'
import { ApiClient } from './support/api-client.ts'
import { runningEtcd, temporaryDirectory } from './support/running.ts'
import { adminKeyIn, type ServerProcess, startServerProcess } from './support/server-process.ts'

const timeout = 300_000
const namespaces = '/api/v1/namespaces'

interface Replica {
  readonly directory: string
  readonly server: ServerProcess
}

/** Uses a separate data directory. */
async function startReplica(endpoint: string, directory: string): Promise<Replica> {
  const server = await startServerProcess({ store: `etcd:${endpoint}`, directory })
  onTestFinished(async () => {
    await server.kill()
  })
  return { directory, server }
}

async function startTogether(endpoint: string, count: number): Promise<readonly Replica[]> {
  const directories = await Promise.all(Array.from({ length: count }, temporaryDirectory))
  return Promise.all(directories.map((directory) => startReplica(endpoint, directory)))
}

async function ask(server: ServerProcess, token: string, path = namespaces, body?: object) {
  const client = new ApiClient({ ...server, token }, 1)
  try {
    return await client.request(body === undefined ? 'GET' : 'POST', path, body)
  } finally {
    await client.close()
  }
}

function statuses(replicas: readonly Replica[], token: string): Promise<readonly number[]> {
  return Promise.all(replicas.map(async ({ server }) => (await ask(server, token)).status))
}

async function newToken(server: ServerProcess, key: string): Promise<string> {
  const path = `${namespaces}/default/serviceaccounts/default/token`
  const { status, body } = await ask(server, key, path, { spec: {} })
  expect(status).toBe(201)
  return (body.status as { readonly token: string }).token
}

/** Names the key that signed the token. */
function headerOf(token: string): string {
  return Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
}

function keysOf(replicas: readonly Replica[]): readonly string[] {
  return replicas.map(({ directory }) => adminKeyIn(directory)).filter((key) => key !== undefined)
}

function resetAdminKey(endpoint: string, directory: string) {
  const args = [builtCli(), 'platform', 'admin', 'reset', '--store', `etcd:${endpoint}`, '--data-dir', directory]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

describe('replicas of a platform, each with its own data directory', () => {
  it('that start at once on an empty etcd agree on one administrator, and accept the tokens of each other', {
    timeout,
  }, async () => {
    const etcd = await runningEtcd()
    const replicas = await startTogether(etcd.endpoint, 3)
    const [key = '', ...others] = keysOf(replicas)
    expect(others).toEqual([])
    expect(await statuses(replicas, key)).toEqual([200, 200, 200])

    const before = await Promise.all(replicas.map(({ server }) => newToken(server, key)))
    for (const token of before) {
      // Known, but without the right: an unknown caller would get 401.
      await eventually(async () => expect(await statuses(replicas, token)).toEqual([403, 403, 403]))
    }

    const [first] = replicas
    const rotate = '/certificates/rotate?part=service-account-keys'
    expect((await ask(first?.server ?? expect.fail(), key, rotate, {})).status).toBe(200)
    for (const [index, { server }] of replicas.entries()) {
      await eventually(async () => {
        const token = await newToken(server, key)
        // At once: all replicas know a key before one of them signs with it.
        expect(await statuses(replicas, token)).toEqual([403, 403, 403])
        expect(headerOf(token)).not.toEqual(headerOf(before[index] ?? ''))
      })
    }
    for (const token of before) expect(await statuses(replicas, token)).toEqual([403, 403, 403])
  })

  it('report where a key is that they do not know, and create no other', { timeout }, async () => {
    const etcd = await runningEtcd()
    const first = await startReplica(etcd.endpoint, await temporaryDirectory())
    const second = await startReplica(etcd.endpoint, await temporaryDirectory())
    const later = await startReplica(etcd.endpoint, await temporaryDirectory())
    expect(keysOf([second, later])).toEqual([])
    expect(await statuses([first, second, later], first.server.token)).toEqual([200, 200, 200])
    const { stdout, stderr } = await second.server.stop()
    expect(stdout).not.toContain('admin key')
    expect(stderr).toContain(`is kept in`)
    expect(stderr).toContain(`${first.directory}/admin.key; its value is not known here`)
    expect(stderr).toContain('tenant platform admin reset')
    const again = await startReplica(etcd.endpoint, first.directory)
    expect(await statuses([again], first.server.token)).toEqual([200])
  })

  it('accept a new key at once, refuse the previous one, and audit it', { timeout }, async () => {
    const etcd = await runningEtcd()
    const replicas = await startTogether(etcd.endpoint, 2)
    const [before = ''] = keysOf(replicas)
    const directory = await temporaryDirectory()
    const { status, stdout } = resetAdminKey(etcd.endpoint, directory)
    expect(status).toBe(0)
    const after = adminKeyIn(directory) ?? ''
    expect(stdout).toBe(`admin key (shown once, kept in ${directory}/admin.key): ${after}\n`)

    await eventually(async () => expect(await statuses(replicas, after)).toEqual([200, 200]))
    expect(await statuses(replicas, before)).toEqual([401, 401])
    for (const replica of replicas) {
      await eventually(() => {
        const log = readFileSync(join(replica.directory, 'audit.log'), 'utf8')
        expect(log).toContain('"path":"/identity/admin-key"')
        expect(log).toContain(`the administrator's key was replaced by`)
      })
    }
    const { kvs = [] } = await etcd.call('/v3/kv/range', { key: 'AA==', range_end: 'AA==' })
    const stored = kvs.map(({ value = '' }) => Buffer.from(value, 'base64').toString('latin1')).join('\n')
    expect(stored).toContain('madeBy')
    for (const secret of [before, after, 'PRIVATE KEY']) expect(stored).not.toContain(secret)
  })

  it('that had their own keys before agree on that of the first to start, and keep the other files', {
    timeout,
  }, async () => {
    const etcd = await runningEtcd()
    const directories = [await temporaryDirectory(), await temporaryDirectory()] as const
    const own = ['a'.repeat(43), 'b'.repeat(43)] as const
    directories.forEach((directory, index) => {
      writeFileSync(join(directory, 'admin.key'), `${own[index]}\n`, { mode: 0o600 })
    })
    const replicas = [
      await startReplica(etcd.endpoint, directories[0]),
      await startReplica(etcd.endpoint, directories[1]),
    ]
    expect(await statuses(replicas, own[0])).toEqual([200, 200])
    expect(await statuses(replicas, own[1])).toEqual([401, 401])
    expect(keysOf(replicas)).toEqual(own)
  })

  it('have a data directory, and a reset reports a missing one', async () => {
    const args = [builtCli(), 'platform', 'reset-admin-key', '--store', 'file:/nowhere', '--data-dir', '/nowhere']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toContain('/nowhere is not the data directory of a platform: name it with --data-dir')
  })
})
