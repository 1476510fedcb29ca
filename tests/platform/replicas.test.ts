import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/etcd.ts'
import { clientOf, keysPath, management, userNamed } from './platform.ts'

const withoutEtcd = missingEtcd()
const merge = 'application/merge-patch+json'

describe.skipIf(withoutEtcd)(
  `two platforms on one etcd${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    let etcd: Etcd
    let directory: string
    const servers: ServerProcess[] = []
    const clients: ReturnType<typeof clientOf>[] = []

    beforeAll(async () => {
      etcd = await startEtcd()
      directory = await mkdtemp(join(tmpdir(), 'tenant-keys-'))
      for (let index = 0; index < 2; index += 1) {
        const server = await startServerProcess({ store: `etcd:${etcd.endpoint}`, directory })
        servers.push(server)
        clients.push(clientOf(server.url, server.authority, server.token))
      }
    }, 90_000)

    afterAll(async () => {
      for (const client of clients) await client.close()
      for (const server of servers) await server.kill()
      await etcd?.remove()
      await rm(directory, { recursive: true, force: true })
    })

    it.each([
      ['disabled', { spec: { disabled: true } }],
      ['limited to something else', { spec: { scope: { projects: [{ project: 'p' }] } } }],
      ['given another value', { spec: { key: 'another-value-of-more-than-32-characters' } }],
    ])('cut the watch of a key that is %s on the other one, within a second', async (name, change) => {
      const [first, second] = clients
      if (first === undefined || second === undefined) throw new Error('two servers were started')
      const id = name.replaceAll(' ', '-')
      await first.ask('POST', `${management}/users`, { body: userNamed(id) })
      const made = await first.ask('POST', keysPath, { body: { metadata: { name: id }, spec: { user: id } } })
      const token: string = made.body.spec.key
      expect((await second.ask('GET', keysPath, { token })).status).toBe(200)
      const watch = await second.watch(`${keysPath}?watch=true`, token)
      expect(watch.status).toBe(200)
      await expect.poll(watch.text).toContain(id)
      const startMs = performance.now()
      const revoked = await first.ask('PATCH', `${keysPath}/${id}`, { body: change, type: merge })
      expect(revoked.status).toBe(200)
      await watch.ended
      expect(performance.now() - startMs).toBeLessThan(1000)
      expect((await second.ask('GET', `${management}/users`, { token })).status).toBeGreaterThanOrEqual(401)
    })

    it('refuse a deleted key and the keys of a locked user as soon as the change stream tells the other one', async () => {
      const [first, second] = clients
      if (first === undefined || second === undefined) throw new Error('two servers were started')
      await first.ask('POST', `${management}/users`, { body: userNamed('locked') })
      const make = async (name: string): Promise<string> => {
        const spec = { user: 'locked' }
        return (await first.ask('POST', keysPath, { body: { metadata: { name }, spec } })).body.spec.key
      }
      const [deleted, kept] = [await make('deleted'), await make('kept')]
      expect((await first.ask('DELETE', `${keysPath}/deleted`)).status).toBe(200)
      await expect.poll(async () => (await second.ask('GET', keysPath, { token: deleted })).status).toBe(401)
      const lock = { body: { spec: { disabled: true } }, type: merge }
      await first.ask('PATCH', `${management}/users/locked`, lock)
      await expect.poll(async () => (await second.ask('GET', keysPath, { token: kept })).status).toBe(401)
    })
  },
)
