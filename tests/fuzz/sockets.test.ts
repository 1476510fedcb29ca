import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVictim, type Victim } from '../attacks/transport/support/victim.ts'
import { Chance } from '../support/chance.ts'
import { Held } from './sockets/held.ts'
import { converseHttp1 } from './sockets/http1-conversation.ts'
import { converseHttp2 } from './sockets/http2-conversation.ts'
import { converseNonsense, converseWithoutTls } from './sockets/other-conversations.ts'
import { type Making, whole } from './sockets/requests.ts'
import { Writes } from './sockets/writes.ts'

/** The number of requests; `npm run fuzz` sends many more, with its own seed. */
const requests = Number(process.env.FUZZ_SOCKET_REQUESTS ?? 3_000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)
const attackers = 12
/** Between two checks of the written objects. */
const requestsPerBatch = 20_000
const mostMegabytes = 900

describe('a server that receives arbitrary bytes', () => {
  let victim: Victim
  beforeAll(async () => {
    victim = await startVictim()
  })
  afterAll(() => victim?.stop())

  const told = `stays alive over ${requests} requests, and carries no write out twice`
  it(told, { timeout: 600_000 + requests * 10 }, async () => {
    const making: Making = { chance: new Chance(seed), sender: victim.server, writes: new Writes() }
    for (let sent = 0; sent < requests; ) {
      const batch = attack(victim, making, Math.min(requestsPerBatch, requests - sent))
      sent += await batch.catch((error) => explain(victim, error))
      await victim.mustBeAlive()
      await making.writes.check(victim)
      process.stdout.write(`${progress(sent, making, victim)}\n`)
    }
    await making.writes.check(victim)
    expect(making.writes.carriedOut).toBeGreaterThan(0)
    expect(victim.residentMegabytes()).toBeLessThan(mostMegabytes)
  })
})

/** Explains whether a connection failed because the server has ended. */
async function explain({ server }: Victim, cause: unknown): Promise<never> {
  const exit = await Promise.race([server.ended, delay(2_000)])
  const text =
    exit === undefined ? 'a connection broke, and the server lives' : `the server has ended: ${JSON.stringify(exit)}`
  throw new Error(text, { cause })
}

/** Sends requests from several clients at once. Resolves to their number. */
async function attack({ server }: Victim, making: Making, count: number): Promise<number> {
  const held = new Held()
  let sent = 0
  const attacker = async () => {
    while (sent < count) {
      const more = await converse(server.port, making, held)
      sent += more
      held.step(making)
    }
  }
  await Promise.all(Array.from({ length: attackers }, attacker))
  held.close()
  return sent
}

function converse(port: number, making: Making, held: Held): Promise<number> {
  const choice = whole(making.chance, 0, 19)
  if (choice < 9) return converseHttp1(port, making)
  if (choice < 16) return converseHttp2(port, making)
  if (choice < 17) return converseNonsense(port, making)
  if (choice < 18) return converseWithoutTls(port, making)
  return held.add(port, making)
}

function progress(sent: number, { writes }: Making, victim: Victim): string {
  const { carriedOut, begun } = writes
  const memory = `${victim.residentMegabytes().toFixed(0)} MB`
  return `${sent} requests, ${carriedOut} of ${begun} writes carried out, ${memory}, seed ${seed}`
}
