import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { clientOf, group, keysPath, management, userNamed } from './platform.ts'

type Client = ReturnType<typeof clientOf>

const withoutEtcd = missingEtcd()
const running: { readonly server: ServerProcess; readonly client: Client }[] = []
const patienceMs = 240_000
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-usage-'))
})

const start = async (store: string, interval: string) => {
  const server = await startServerProcess({ store, directory, flags: ['--key-usage-interval', interval] })
  const client = clientOf(server.url, server.authority, server.token)
  running.push({ server, client })
  return { server, client }
}

afterAll(async () => {
  for (const { server, client } of running) {
    await client.close()
    await server.kill()
  }
  await rm(directory, { recursive: true, force: true })
})

const makeKey = async (client: Client, name: string): Promise<string> => {
  await client.ask('POST', `${management}/users`, { body: userNamed(name) })
  const made = await client.ask('POST', keysPath, { body: { metadata: { name }, spec: { user: name } } })
  return made.body.spec.key
}
const usageOf = async (client: Client, name: string) => {
  const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyUsage' }
  const { status } = (await client.ask('POST', `${keysPath}/${name}/usage`, { body })).body
  const uses: readonly { readonly verb: string; readonly name: string; readonly path: string }[] = status.uses
  return { ...status, uses: uses.map(({ verb, name: used, path }) => `${verb} ${used}${path}`).toSorted() }
}

describe('the usage of a key, on a separate platform', () => {
  it('survives a shutdown, and a crash except for the last moments', async () => {
    const store = `file:${join(directory, 'store')}`
    const first = await start(store, '1h')
    const token = await makeKey(first.client, 'kept')
    await first.client.ask('GET', keysPath, { token })
    expect((await first.server.stop()).code).toBe(0)

    const second = await start(store, '1h')
    expect(await usageOf(second.client, 'kept')).toMatchObject({
      uses: ['list '],
      usesComplete: true,
      usesDelaySeconds: 0,
    })
    await second.client.ask('GET', '/version', { token })
    await second.server.kill()

    const third = await start(store, '1h')
    expect((await usageOf(third.client, 'kept')).uses).toEqual(['list '])
  }, 240_000)
})

describe.skipIf(withoutEtcd)(
  `what a key was used for, with two platforms on one etcd${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    let etcd: Etcd
    let [one, two]: Client[] = []

    beforeAll(async () => {
      etcd = await startEtcd()
      one = (await start(`etcd:${etcd.endpoint}`, '1s')).client
      two = (await start(`etcd:${etcd.endpoint}`, '1s')).client
    }, 240_000)

    afterAll(() => etcd?.remove())

    const both = () => {
      if (one === undefined || two === undefined) throw new Error('two servers were started')
      return [one, two] as const
    }

    it('is known to both replicas, even when both store it at once', async () => {
      const [first, second] = both()
      const token = await makeKey(first, 'shared')
      await expect.poll(async () => (await second.ask('GET', '/version', { token })).status).toBe(200)
      const paths = Array.from({ length: 20 }, (_, at) => `${keysPath}/n${at}`)
      await Promise.all(paths.map((path, at) => both()[at % 2]?.ask('GET', path, { token })))
      const expected = ['get /version', ...paths.map((_, at) => `get n${at}`)].toSorted()
      for (const client of both()) {
        await eventually(async () => {
          const { uses, usesComplete, usesDelaySeconds } = await usageOf(client, 'shared')
          expect({ uses, usesComplete, usesDelaySeconds }).toEqual({
            uses: expected,
            usesComplete: true,
            usesDelaySeconds: 1,
          })
        }, patienceMs)
      }
    }, 240_000)

    it('is deleted with the key, even if both were about to store it', async () => {
      const [first, second] = both()
      const token = await makeKey(first, 'short')
      await expect.poll(async () => (await second.ask('GET', '/version', { token })).status).toBe(200)
      const { uid } = (await first.ask('GET', `${keysPath}/short`)).body.metadata
      const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/tenant' })
      const record = () => store.get(`/key-usage/of/${uid}`)
      await eventually(async () => expect(await record()).toBeDefined(), patienceMs)
      await Promise.all([...both(), ...both()].map((client) => client.ask('GET', keysPath, { token })))
      expect((await first.ask('DELETE', `${keysPath}/short`)).status).toBe(200)
      await eventually(async () => expect(await record()).toBeUndefined(), patienceMs)
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      expect(await record()).toBeUndefined()
      await store.close()
    }, 240_000)

    it('survives a crash of both once both have stored it', async () => {
      const { uses } = await usageOf(both()[0], 'shared')
      for (const { server } of running) await server.kill()
      const { client } = await start(`etcd:${etcd.endpoint}`, '1h')
      expect(await usageOf(client, 'shared')).toMatchObject({ uses, usesComplete: true })
    }, 240_000)
  },
)
