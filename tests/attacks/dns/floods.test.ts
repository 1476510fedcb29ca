import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { systemRandom } from '../../../src/base/random.ts'
import type { NameSource } from '../../../src/dns/contract.ts'
import { type DnsServerOptions, type RunningDns, startDnsServer } from '../../../src/dns/dns-server.ts'
import { NameForwarder } from '../../../src/dns/forwarder.ts'
import { Responder } from '../../../src/dns/responder.ts'
import { withLength } from '../../../src/dns/tcp-messages.ts'
import { eventually } from '../../support/eventually.ts'

/** One Pod against the other clients of the same DNS server. */

const host = '127.0.0.1'
const zone = { domain: 'cluster.local', hostDomain: 'host.example' }
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function packet(id: number, name: string, type = 'A'): Buffer {
  return encode({ id, type: 'query', flags: 256, questions: [{ name, type }] })
}

async function started(options: Partial<DnsServerOptions> & Pick<DnsServerOptions, 'responder'>): Promise<RunningDns> {
  const running = await startDnsServer({ host, port: 0, log: silentLog, ...options })
  ends.push(() => running.stop())
  return running
}

/** Connects from a separate address, like a Pod. */
async function connected(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host, localAddress }).on('error', () => {})
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

describe('a headless Service of thousands of ports', () => {
  const ports = Array.from({ length: 100 }, (_, port) => ({ name: 'p', port: port + 1, protocol: 'TCP' }))
  const all = Array.from({ length: 5_000 }, (_, index) => ({
    hostname: `h${index}`,
    address: `10.${index >> 8}.${index & 255}.1`,
    ports,
  }))
  let looks = 0
  const counted = new Proxy(all, {
    get: (target, name) => {
      looks += 1
      return Reflect.get(target, name)
    },
  })
  const source: NameSource = {
    isComplete: true,
    version: 0,
    service: () => ({ form: 'headless', ports }),
    endpoints: () => ({ all: counted, byHostname: new Map() }),
    hasNamespace: () => true,
    podsNamed: () => [],
    hasPod: () => false,
    nameAt: () => undefined,
  }
  const responder = new Responder({ zone: () => zone, source, forwarder: { ask: async () => undefined } })

  it.each(['A', 'SRV'])('is not read (%s) if the reply does not fit into a datagram', (type) => {
    looks = 0
    const reply = responder.reply(packet(1, 'web.shop.svc.cluster.local', type), { client: '10.0.0.1' })
    if (!Buffer.isBuffer(reply)) throw new Error('There is no reply at once.')
    expect(decode(reply)).toMatchObject({ flag_tc: true, answers: [] })
    expect(looks).toBeLessThan(all.length / 2)
  })
})

describe('slots at the resolver of the host', () => {
  it('are reserved for clients without pending queries, however many others have', async () => {
    const upstream = createSocket('udp4')
    ends.push(() => upstream.close())
    let received = 0
    upstream.on('message', (bytes, { port, address }) => {
      received += 1
      answerGood(upstream, bytes, port, address)
    })
    await new Promise<void>((resolve) => upstream.bind(0, host, resolve))
    const forwarder = new NameForwarder({ servers: () => [`${host}:${upstream.address().port}`], random: systemRandom })
    ends.push(() => forwarder.stop())
    for (let client = 0; client < 20; client += 1)
      for (let count = 0; count < 60; count += 1)
        void forwarder.ask({ name: `n${count}.silent.example`, type: 'A' }, `10.0.1.${client}`)
    // Data that arrives all at once does not fit into the socket's buffer.
    await eventually(() => expect(received).toBeGreaterThan(100))
    const reply = await forwarder.ask({ name: 'good.example', type: 'A' }, '10.0.0.1')
    expect(reply?.answers).toMatchObject([{ data: '203.0.113.5' }])
  })

  function answerGood(socket: DatagramSocket, bytes: Buffer, port: number, address: string): void {
    const { id, questions } = decode(bytes)
    if (questions[0]?.name !== 'good.example') return
    const answers = [{ name: 'good.example', type: 'A', ttl: 9, data: '203.0.113.5' }]
    socket.send(encode({ id, type: 'response', flags: 0, questions, answers }), port, address)
  }
})

describe('connections', () => {
  const responder = { reply: (bytes: Buffer) => bytes }

  it('are reserved for clients without one, however many others keep open', async () => {
    // Opening all of them may take any time.
    const { port } = await started({ responder, questionMs: 600_000 })
    const held: Socket[] = []
    for (let client = 1; client <= 10; client += 1)
      for (let count = 0; count < 20; count += 1) held.push(await connected(port, `127.0.1.${client}`))
    const socket = await connected(port, '127.0.0.9')
    socket.write(withLength(packet(5, 'a.b')))
    const [reply] = (await once(socket, 'data')) as [Buffer]
    expect(decode(reply.subarray(2)).id).toBe(5)
    await eventually(() => expect(held.filter(({ readyState }) => readyState !== 'open')).toHaveLength(1))
  })

  it('end if a query does not complete in time, even if bytes keep arriving', async () => {
    const { port } = await started({ responder, questionMs: 300 })
    const socket = await connected(port, '127.0.0.9')
    const dripping = setInterval(() => socket.write(Buffer.from([1])), 50)
    ends.push(() => clearInterval(dripping))
    // A write after the end may fail before the end is noticed.
    socket.resume().on('error', () => {})
    await new Promise((resolve) => socket.once('close', resolve))
  })

  it('count large replies like many queries', async () => {
    const large = { reply: () => Buffer.alloc(20_000) }
    const { port } = await started({ responder: large, mostPerSecond: 5, clock: { now: () => 0 } })
    const socket = await connected(port, '127.0.0.9')
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
      if (received === 20_002) socket.write(withLength(packet(2, 'a.b')))
    })
    socket.write(withLength(packet(1, 'a.b')))
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('close', resolve))
    expect(received).toBe(20_002)
  })
})
