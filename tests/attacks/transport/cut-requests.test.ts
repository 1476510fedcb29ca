import { afterAll, beforeAll, expect, it } from 'vitest'
import { flags, frame, frameTypes, headers, requestFields, resetStream, settingsTaken } from './support/frames.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'
import { configMaps, startVictim, type Victim } from './support/victim.ts'

let victim: Victim
beforeAll(async () => {
  victim = await startVictim()
})
afterAll(() => victim?.stop())

const half = (name: string) => `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${name}\ndata:\n  first: a\n`
const ping = frame(frameTypes.ping, flags.none, 0, Buffer.alloc(8, 'p'))

/** Half of a request, which the server has received: it has answered a ping that follows. */
async function askHalf(name: string): Promise<RawHttp2> {
  const client = await rawHttp2(victim.server.port)
  const fields = requestFields('POST', configMaps, victim.server.token, [['content-type', 'application/yaml']])
  const body = frame(frameTypes.data, flags.none, 1, Buffer.from(half(name)))
  client.send(settingsTaken, headers(1, fields, flags.none), body, ping)
  await client.until(({ type, flag }) => type === frameTypes.ping && flag === flags.ack)
  return client
}

it.each<[string, (client: RawHttp2) => void]>([
  ['resets it', (client) => client.send(resetStream(1))],
  ['resets it without a reason', (client) => client.send(resetStream(1, 0))],
  ['loses its connection', (client) => client.destroy()],
])('half of a request is not carried out when its client %s', async (how, cut) => {
  const prefix = how.replaceAll(' ', '-')
  for (let round = 0; round < 10; round += 1) {
    const client = await askHalf(`${prefix}-${round}`)
    cut(client)
    await victim.client.must('POST', configMaps, { metadata: { name: `after-${prefix}-${round}` } })
    client.destroy()
  }
  expect(await victim.names(prefix)).toEqual([])
})
