import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { atOnceMs } from '../support/at-once.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { clientOf, group, keysPath, management, userNamed } from './platform.ts'

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
    }, 240_000)

    afterAll(async () => {
      for (const client of clients) await client.close()
      for (const server of servers) await server.kill()
      await etcd?.remove()
      await rm(directory, { recursive: true, force: true })
    })

    const both = () => {
      const [first, second] = clients
      if (first === undefined || second === undefined) throw new Error('two servers were started')
      return { first, second }
    }

    /** A new user with a key that has a watch open on each server. */
    const watched = async (name: string, spec: object = {}) => {
      const { first, second } = both()
      await first.ask('POST', `${management}/users`, { body: userNamed(name) })
      const made = await first.ask('POST', keysPath, { body: { metadata: { name }, spec: { user: name, ...spec } } })
      const token: string = made.body.spec.key
      await expect.poll(async () => (await second.ask('GET', keysPath, { token })).status).toBe(200)
      const watches = await Promise.all([first, second].map((each) => each.watch(`${keysPath}?watch=true`, token)))
      for (const watch of watches) await expect.poll(watch.text).toContain(name)
      return { token, made: made.body, ended: Promise.all(watches.map((watch) => watch.ended)) }
    }
    const refusedByBoth = async (token: string) => {
      for (const client of clients) {
        expect((await client.ask('GET', `${management}/users`, { token })).status).toBeGreaterThanOrEqual(401)
      }
    }

    it.each<readonly [string, string, string, object | undefined]>([
      ['disabled', 'PATCH', keysPath, { spec: { disabled: true } }],
      ['limited to something else', 'PATCH', keysPath, { spec: { scope: { projects: [{ project: 'p' }] } } }],
      ['given another value', 'PATCH', keysPath, { spec: { key: broughtValue('another') } }],
      ['deleted', 'DELETE', keysPath, undefined],
      ['of a user who is locked', 'PATCH', `${management}/users`, { spec: { disabled: true } }],
      ['of a user who is removed', 'DELETE', `${management}/users`, undefined],
    ])('cut the watches of a key on both at once when it is %s on one', async (what, method, path, body) => {
      const name = what.replaceAll(' ', '-')
      const { token, ended } = await watched(name)
      const startMs = performance.now()
      const changed = await both().first.ask(method, `${path}/${name}`, { body, type: merge })
      expect(changed.status).toBe(200)
      await ended
      expect(performance.now() - startMs).toBeLessThan(atOnceMs)
      await refusedByBoth(token)
    })

    it('accept a connection key from each other, and cut its watches on both with its parent key', async () => {
      const { first } = both()
      const scope = { rules: [{ resources: [{ group, resources: ['ownedaccesskeys'] }] }] }
      const { token } = await watched('connecting', { scope })
      const spec = { project: 'shop', virtualCluster: 'demo' }
      const body = { apiVersion: `${group}/v1`, kind: 'ConnectionKey', spec }
      const made = await first.ask('POST', `${management}/connectionkeys`, { token, body })
      const key: string = made.body.status.key
      for (const each of clients) {
        await expect.poll(async () => (await each.ask('GET', keysPath, { token: key })).status).toBe(200)
      }
      const watches = await Promise.all(clients.map((each) => each.watch(`${keysPath}?watch=true`, key)))
      expect((await first.ask('DELETE', `${keysPath}/connecting`)).status).toBe(200)
      await Promise.all(watches.map((watch) => watch.ended))
      await refusedByBoth(key)
    })

    it('cut the watches of an expired key on both', async () => {
      const { token, made, ended } = await watched('expiring', { ttl: 3600 })
      // Its end comes near only when the watches are open, however long that has taken.
      const ttl = Math.ceil((Date.now() - Date.parse(made.metadata.creationTimestamp)) / 1000) + 3
      const body = { spec: { ttl } }
      const changed = await both().first.ask('PATCH', `${keysPath}/expiring`, { body, type: merge })
      const changedMs = Date.now()
      await ended
      const endMs = Date.parse(changed.body.status.expiresAt)
      expect(Date.now()).toBeGreaterThanOrEqual(endMs)
      expect(Date.now() - Math.max(endMs, changedMs)).toBeLessThan(atOnceMs)
      await refusedByBoth(token)
    })
  },
)
