import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RawClient } from '../../server/raw-client.ts'
import { flood } from './support/flood.ts'
import {
  flags,
  frame,
  frameTypes,
  headers,
  preface,
  requestFields,
  resetStream,
  settingIds,
  settings,
} from './support/frames.ts'
import { get } from './support/http1.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'
import { configMaps, startVictim, type Victim } from './support/victim.ts'

/** Memory beyond that of the process before the attack. If the attack data were kept, it would be many times this. */
const allowedMegabytes = 100
const listMegabytes = 4

describe('memory stays constant', () => {
  let victim: Victim
  let before = 0
  const clients: (RawHttp2 | RawClient)[] = []

  beforeAll(async () => {
    victim = await startVictim()
    const data = { filling: 'x'.repeat(990_000) }
    for (let index = 0; index < listMegabytes; index += 1)
      await victim.client.must('POST', configMaps, { metadata: { name: `large-${index}` }, data })
    for (let round = 0; round < 20; round += 1) await victim.client.must('GET', configMaps)
    before = victim.residentMegabytes()
  })
  afterAll(() => victim?.stop())
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await victim.mustBeAlive('/livez')
  })

  async function http2(opening?: Buffer): Promise<RawHttp2> {
    const client = await rawHttp2(victim.server.port, opening)
    clients.push(client)
    return client
  }

  /** The attacker is the administrator here, and may occupy all of the administrator's places. */
  async function staysFlat(): Promise<void> {
    for (let round = 0; round < 10; round += 1) await victim.mustBeAlive('/livez')
    expect(victim.residentMegabytes() - before).toBeLessThan(allowedMegabytes)
  }

  const asking = (stream: number, path: string) => headers(stream, requestFields('GET', path, victim.server.token))

  test('when a client pipelines 15 KB of requests for a large list and does not read', async () => {
    const attackers = await Promise.all(Array.from({ length: 5 }, () => victim.connect()))
    for (const attacker of attackers) {
      attacker.socket.pause()
      attacker.send(get(configMaps, victim.server).repeat(90))
    }
    await staysFlat()
  })

  test('when a client asks for large lists over 20 connections and does not read', async () => {
    const attackers = await Promise.all(Array.from({ length: 20 }, () => victim.connect()))
    for (const attacker of attackers) {
      attacker.socket.pause()
      attacker.send(get(configMaps, victim.server))
    }
    await staysFlat()
  })

  test('when a client requests 250 large lists over HTTP/2 without a window', async () => {
    const client = await http2(Buffer.concat([preface, settings([[settingIds.initialWindowSize, 0]])]))
    client.send(...Array.from({ length: 250 }, (_, index) => asking(2 * index + 1, configMaps)))
    await client.until(({ type, stream }) => type === frameTypes.headers && stream > 400)
    await staysFlat()
  })

  test('when a client requests large lists over HTTP/2 and cancels each at once', async () => {
    const client = await http2()
    await Promise.race([
      client.closed,
      flood(client, 2_000, (index) => Buffer.concat([asking(2 * index + 1, configMaps), resetStream(2 * index + 1)])),
    ])
    await staysFlat()
  })

  test('when a client sends 100,000 settings and does not read', async () => {
    const client = await http2()
    client.socket.pause()
    await Promise.race([client.closed, flood(client, 100_000, () => settings([[settingIds.maxConcurrentStreams, 9]]))])
    await staysFlat()
  })

  test('when a client sends pings and does not read', async () => {
    const client = await http2()
    client.socket.pause()
    const ping = frame(frameTypes.ping, flags.none, 0, Buffer.alloc(8))
    client.send(...Array.from({ length: 100_000 }, () => ping))
    await staysFlat()
  })

  test('when a client starts 250 bodies over HTTP/2 and sends 60 KB of each', async () => {
    const client = await http2()
    const piece = Buffer.alloc(15_000, ' ')
    for (let stream = 1; stream < 500; stream += 2) {
      client.send(headers(stream, requestFields('POST', configMaps, victim.server.token), flags.none))
      for (let times = 0; times < 4; times += 1) client.send(frame(frameTypes.data, flags.none, stream, piece))
    }
    await staysFlat()
  })
})
