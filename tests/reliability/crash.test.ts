import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { Ledger } from './crash/ledger.ts'
import { Writer } from './crash/writer.ts'
import { type ApiBody, ApiClient, versionOf } from './support/api-client.ts'
import { Chance } from './support/chance.ts'
import { Follower } from './support/follower.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? '10')
const seed = process.env.CRASH_SEED
const collection = '/api/v1/namespaces/default/configmaps'

/** What the server knew before it was killed, and must still know. */
class CrashRun {
  readonly chance = new Chance(seed === undefined ? undefined : Number(seed))
  readonly writers = Array.from(
    { length: 8 },
    (_, writer) => new Writer([new Ledger(`w${writer}-a`), new Ledger(`w${writer}-b`), new Ledger(`w${writer}-c`)]),
  )
  readonly complaints: string[] = []
  follower: Follower | undefined

  get ledgers(): readonly Ledger[] {
    return this.writers.flatMap((writer) => writer.ledgers)
  }

  get acknowledged(): number {
    return this.ledgers.reduce((sum, { written }) => sum + written.length, 0)
  }

  /** The highest resourceVersion that any client has been told. */
  get highestVersion(): number {
    const written = this.ledgers.flatMap((ledger) =>
      ledger.written.map(({ resourceVersion }) => Number(resourceVersion ?? 0)),
    )
    return Math.max(0, this.follower?.lastSeen ?? 0, ...written)
  }

  async check(client: ApiClient): Promise<void> {
    const before = this.highestVersion
    const list = await client.must('GET', collection)
    if (versionOf(list) < before) this.complaints.push(`resourceVersion went back from ${before} to ${versionOf(list)}`)
    const found = new Map<string | undefined, ApiBody>(list.items?.map((item) => [item.metadata.name, item]))
    for (const ledger of this.ledgers) this.complaints.push(...ledger.compare(found.get(ledger.name)))
    this.follower ??= new Follower(collection, list.metadata.resourceVersion ?? '')
  }

  async writeUntilKilled(server: ServerProcess, client: ApiClient): Promise<void> {
    const before = this.highestVersion
    const following = await this.follower?.follow(client)
    const writing = this.writers.map((writer) => writer.writeUntilBroken(client, collection, this.chance))
    await delay(this.chance.between(100, 900))
    await server.kill()
    await Promise.all([...writing, following?.ended])
    const newer = this.follower?.events.filter(({ object }) => versionOf(object) > before) ?? []
    if (this.follower !== undefined && newer.length === 0) this.complaints.push('the watch saw nothing of this round')
  }

  compareEvents(): readonly string[] {
    const { events = [] } = this.follower ?? {}
    return [
      ...this.writers.flatMap((writer) => writer.complaints),
      ...(this.follower?.disorder() ?? []),
      ...this.ledgers.flatMap((ledger) => ledger.compareEvents(events)),
    ]
  }
}

it(`keeps every acknowledged write through ${rounds} kills under load, and a resumed watch tells each of them once`, {
  timeout: 30_000 + rounds * 15_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-crash-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const options = { store: `file:${join(directory, 'store')}`, directory, port: await freePort() }
  const run = new CrashRun()
  for (let round = 0; round < rounds; round += 1) {
    await serving(options, async (server, client) => {
      await run.check(client)
      await run.writeUntilKilled(server, client)
    })
  }
  await serving(options, async (_, client) => {
    await run.check(client)
    const following = await run.follower?.follow(client)
    await eventually(() => expect(run.compareEvents()).toEqual([]))
    await following?.stop()
  })
  expect(run.complaints, `CRASH_SEED=${run.chance.seed}`).toEqual([])
  expect(run.acknowledged).toBeGreaterThan(rounds * 20)
})

async function serving(
  options: { readonly store: string; readonly directory: string; readonly port: number },
  use: (server: ServerProcess, client: ApiClient) => Promise<void>,
): Promise<void> {
  const server = await startServerProcess(options)
  const client = new ApiClient(server)
  try {
    await use(server, client)
  } finally {
    await client.close()
    await server.kill()
  }
}
