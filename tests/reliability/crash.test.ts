import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Chance } from '../support/chance.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { CrashRun, leastWritten } from './crash/crash-run.ts'
import { ApiClient } from './support/api-client.ts'
import { embeddedStore, running, temporaryDirectory } from './support/running.ts'
import {
  runServer,
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from './support/server-process.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? '6')
const seed = process.env.CRASH_SEED === undefined ? undefined : Number(process.env.CRASH_SEED)

it(`keeps every acknowledged write through ${rounds} kills under load, and a resumed watch reports each once`, {
  timeout: 120_000 + rounds * 60_000,
}, async () => {
  const options = { ...(await embeddedStore()), port: await freePort() }
  const run = new CrashRun(new Chance(seed))
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
  expect(run.acknowledged).toBeGreaterThanOrEqual(rounds * leastWritten)
})

it('starts after repeated kills during its first start', {
  timeout: 240_000,
}, async () => {
  const directory = await temporaryDirectory()
  const options = { store: `file:${join(directory, 'store')}`, directory: join(directory, 'data') }
  const chance = new Chance(seed)
  for (let kill = 0; kill < 4; kill += 1) {
    const starting = runServer(options)
    await Promise.race([starting.ended, delay(chance.between(100, 1_000))])
    starting.child.kill('SIGKILL')
    expect((await starting.ended).stderr, `CRASH_SEED=${chance.seed}`).toBe('')
  }
  const { client } = await running(options)
  expect(await client.must('GET', '/api/v1/namespaces/default')).toMatchObject({ status: { phase: 'Active' } })
})

async function serving(
  options: ServerProcessOptions,
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
