import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { clusters } from '../../src/cluster/clusters.ts'
import { localIdentity } from '../../src/cluster/identity/server-identity.ts'
import { startServer } from '../../src/cluster/start-server.ts'
import { StoreEncryption } from '../../src/cluster/store/store-encryption.ts'
import { printKeyLine } from '../../src/storage/encryption/key-file.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { watchedLog } from '../support/canary/watched-log.ts'
import { eventually } from '../support/eventually.ts'
import { sendJson } from '../support/network/send-json.ts'

const first = printKeyLine('first', randomBytes(32))
const second = printKeyLine('second', randomBytes(32))
const password = Buffer.from('correct-horse-battery-staple').toString('base64')
const secrets = '/api/v1/namespaces/default/secrets'

const directory = mkdtempSync(join(tmpdir(), 'tenant-encryption-'))
afterAll(() => rmSync(directory, { recursive: true }))

function keyFile(text: string): string {
  const file = join(directory, 'keys')
  writeFileSync(file, text)
  return file
}

describe('a server with encryption keys', () => {
  const tokens = [{ token: 'admin-token', name: 'admin', groups: ['system:masters'] }]

  async function start(encryptionKeys: string | undefined) {
    const server = await startServer({
      name: 'server',
      directory,
      store: `file:${directory}/store`,
      port: 0,
      encryptionKeys,
      log: watchedLog(),
      cluster: clusters.apiServer,
      identity: () => localIdentity({ directory, name: 'server', tokens }),
      engine: { controllers: 'none' },
    })
    return { server, port: Number(new URL(server.url).port) }
  }

  it('stores no Secret in plain text, and shows it as usual', async () => {
    const { server, port } = await start(keyFile(first))
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, data: { password } }
    expect(await sendJson(port, 'POST', secrets, secret)).toMatchObject({ status: 201, body: { data: { password } } })
    const open = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'open' }, data: { greeting: 'good-morning' } }
    await sendJson(port, 'POST', '/api/v1/namespaces/default/configmaps', open)
    expect(await sendJson(port, 'GET', secrets)).toMatchObject({ body: { items: [{ data: { password } }] } })
    await server.stop()
    const raw = readFileSync(join(directory, 'store', 'data.mdb'))
    expect([raw.includes(password), raw.includes('good-morning')]).toEqual([false, true])
  })

  it.each([
    ['without keys', undefined, '/default/login is encrypted with the key first, and no keys are given'],
    ['with another key', second, 'encrypted with the key first, which'],
    ['with another key of that name', printKeyLine('first', randomBytes(32)), 'is not the one of that name'],
    ['with an invalid file', 'first secret', 'is not 32 bytes in base64'],
  ])('does not start %s', async (_name, text, message) => {
    await expect(start(text === undefined ? undefined : keyFile(text))).rejects.toThrow(message)
  })

  it('starts with the right one', async () => {
    const { server, port } = await start(keyFile(second + first))
    expect(await sendJson(port, 'GET', `${secrets}/login`)).toMatchObject({ body: { data: { password } } })
    await server.stop()
  })
})

describe('keys that change while the server runs', () => {
  it('are applied to all stored values; an invalid file changes nothing', async () => {
    const raw = await openLmdbStore({ directory: join(directory, 'followed') })
    const place = '/objects/core/secrets/default/login'
    await raw.create(place, Buffer.from(password))
    const file = keyFile(`${first}identity\n`)
    const encryption = await StoreEncryption.open(raw, { keyFile: file, log: watchedLog(), lookEveryMs: 5 })
    encryption.start()
    const storedWith = async (name: string) => Buffer.from((await raw.get(place))?.value ?? []).includes(name)
    await eventually(async () => expect(await storedWith('first')).toBe(true))
    keyFile('nonsense')
    keyFile(second + first)
    await eventually(async () => expect(await storedWith('second')).toBe(true))
    await eventually(async () => expect(encryption.metrics()).toMatch(/stale_values 0\n.*rewritten_values_total 2\n/s))
    expect(Buffer.from((await encryption.store.get(place))?.value ?? []).toString()).toBe(password)
    await encryption.stop()
    await raw.close()
  })
})
