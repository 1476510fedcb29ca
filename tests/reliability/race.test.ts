import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Chance } from '../support/chance.ts'
import { missingEtcd } from '../support/stores/etcd.ts'
import type { ApiBody, ApiClient } from './support/api-client.ts'
import { embeddedStore, keysDirectory, running, runningEtcd, twoReplicas } from './support/running.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const path = `${collection}/counter`
/** The backoff of clients, longer after each conflict: retrying all at once would only cause more conflicts. */
const longestPausesMs = [50, 100, 200, 400, 800]
const chance = new Chance()

/** The servers and their store: the clients to race with, on so many connections. */
const connections = 24
const embedded = async () => [await running(await embeddedStore(), connections)]
const onEtcd = async () => {
  const store = `etcd:${(await runningEtcd()).endpoint}`
  return [await running({ store, directory: await keysDirectory() }, connections)]
}
const twoOnEtcd = async () => twoReplicas(await runningEtcd(), connections / 2)

describe('writers that read, change and write one object, and retry after a 409', () => {
  it('lose no update on the embedded store, 100 at once', { timeout: 240_000 }, () => race(embedded, 100))

  const withoutEtcd = missingEtcd()
  it.skipIf(withoutEtcd)(named('lose no update on etcd', withoutEtcd), { timeout: 240_000 }, () => race(onEtcd, 50))
  it.skipIf(withoutEtcd)(
    named('lose no update through two servers on one etcd', withoutEtcd),
    { timeout: 240_000 },
    () => race(twoOnEtcd, 50),
  )
})

function named(title: string, missing: string | undefined): string {
  return missing === undefined ? title : `${title} (skipped: ${missing})`
}

async function race(
  start: () => Promise<readonly { readonly client: ApiClient }[]>,
  writerCount: number,
): Promise<void> {
  const clients = (await start()).map(({ client }) => client)
  const [first] = clients
  await first?.must('POST', collection, { metadata: { name: 'counter' }, data: { count: '0' } })
  const writers = Array.from({ length: writerCount }, (_, writer) => clients[writer % clients.length] ?? first)
  // All know the same first state: one of them writes without a conflict at first.
  const known = await Promise.all(writers.map((client) => client?.must('GET', path)))
  const conflicts = await Promise.all(
    writers.map((client, writer) => increment(client, `writer-${writer}`, known[writer])),
  )
  expect(conflicts.filter((each) => each === 0)).toHaveLength(1)
  for (const client of clients) {
    const { data = {} } = await client.must('GET', path)
    expect(data.count).toBe(String(writerCount))
    expect(Object.keys(data)).toHaveLength(writerCount + 1)
  }
}

/** Returns the number of conflicts. */
async function increment(client: ApiClient | undefined, writer: string, known: ApiBody | undefined): Promise<number> {
  if (client === undefined || known === undefined) throw new Error('no server to race on')
  let { metadata, data = {} } = known
  for (let conflicts = 0; ; conflicts += 1) {
    const count = String(Number(data.count) + 1)
    const answer = await client.request('PUT', path, { metadata, data: { ...data, count, [writer]: count } })
    if (answer.status === 200) return conflicts
    if (answer.status !== 409 || answer.body.reason !== 'Conflict') throw new Error(JSON.stringify(answer.body))
    await delay(chance.between(0, longestPausesMs[conflicts] ?? 800))
    ;({ metadata, data = {} } = await client.must('GET', path))
  }
}
