import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { type Etcd, startEtcd } from '../support/stores/etcd.ts'

const rounds = 4
const servers = 3

let etcd: Etcd

beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.remove())

it(`${servers} servers start at once on an empty etcd, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round++) {
    const prefix = `/round-${round}`
    const started = await Promise.allSettled(Array.from({ length: servers }, () => startOn(prefix)))
    for (const each of started) if (each.status === 'fulfilled') await each.value.stop()
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
  }
}, 240_000)

async function startOn(prefix: string): Promise<Pick<TestServer, 'stop'>> {
  const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix })
  try {
    const server = await startTestServer({ store })
    return { stop: () => server.stop().finally(() => store.close()) }
  } catch (error) {
    await store.close()
    throw error
  }
}
